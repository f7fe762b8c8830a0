/**
 * A strict reader of the little XML that SAML needs. Whatever two parsers could read in two ways is refused here, before a
 * library sees it: document types, entities, processing instructions, comments, CDATA, attributes that come twice,
 * prefixes without a namespace. What is left has one meaning.
 */

export interface Element {
  name: string
  /** Without its prefix. */
  local: string
  namespace: string
  attributes: ReadonlyMap<string, string>
  children: Element[]
  /** What stands directly in it, between its children. */
  text: string
  parent: Element | undefined
}

export class XmlRefused extends Error {
  override name = 'XmlRefused'
}

const maxLength = 512 * 1024
const maxDepth = 40
const maxElements = 4000
const nameForm = '[A-Za-z_][\\w.-]*(?::[A-Za-z_][\\w.-]*)?'
const tagForm = new RegExp(`<(${nameForm})((?:\\s+${nameForm}\\s*=\\s*(?:"[^"<]*"|'[^'<]*'))*)\\s*(/?)>`, 'y')
const endForm = new RegExp(`</(${nameForm})\\s*>`, 'y')
const attributeForm = new RegExp(`(${nameForm})\\s*=\\s*(?:"([^"<]*)"|'([^'<]*)')`, 'g')
const declarationForm =
  /^<\?xml\s+version\s*=\s*["']1\.0["'](?:\s+encoding\s*=\s*["']utf-8["'])?(?:\s+standalone\s*=\s*["'](?:yes|no)["'])?\s*\?>/i
const xmlNamespace = 'http://www.w3.org/XML/1998/namespace'

/** The root of a document; throws `XmlRefused` for anything but plain elements, attributes and text. */
export function readXml(source: string): Element {
  if (source.length > maxLength) throw new XmlRefused('too long')
  if (/[^\t\n\r\x20-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/u.test(source)) throw new XmlRefused('odd characters')
  let at = declarationForm.exec(source)?.[0].length ?? 0
  let root: Element | undefined
  let open: Element | undefined
  let count = 0
  const scopes: ReadonlyMap<string, string>[] = [new Map([['xml', xmlNamespace]])]
  while (at < source.length) {
    if (source[at] !== '<') {
      const end = source.indexOf('<', at)
      const text = source.slice(at, end < 0 ? source.length : end)
      if (open) open.text += readText(text)
      else if (text.trim() !== '') throw new XmlRefused('text outside the document')
      at += text.length
      continue
    }
    if (source.startsWith('</', at)) {
      endForm.lastIndex = at
      const [whole, name] = endForm.exec(source) ?? []
      if (whole === undefined || !open || open.name !== name) throw new XmlRefused('tags that do not match')
      open = open.parent
      scopes.pop()
      at += whole.length
      continue
    }
    tagForm.lastIndex = at
    const [whole, name = '', written = '', isEmpty] = tagForm.exec(source) ?? []
    if (whole === undefined) throw new XmlRefused('something else than elements and text')
    if (root && !open) throw new XmlRefused('more than one root')
    if (++count > maxElements || scopes.length > maxDepth) throw new XmlRefused('too many elements')
    const attributes = readAttributes(written)
    const scope = scopeOf(scopes.at(-1) ?? new Map(), attributes)
    for (const attribute of attributes.keys()) if (!attribute.startsWith('xmlns')) namespaceOf(attribute, scope, '')
    const element: Element = {
      name,
      local: name.slice(name.indexOf(':') + 1),
      namespace: namespaceOf(name, scope, scope.get('') ?? ''),
      attributes,
      children: [],
      text: '',
      parent: open,
    }
    open?.children.push(element)
    root ??= element
    if (isEmpty !== '/') {
      open = element
      scopes.push(scope)
    }
    at += whole.length
  }
  if (!root || open) throw new XmlRefused('an unfinished document')
  return root
}

/** An element and all below it, in order. */
export function* everyElement(element: Element): Generator<Element> {
  yield element
  for (const child of element.children) yield* everyElement(child)
}

function readAttributes(written: string): Map<string, string> {
  const attributes = new Map<string, string>()
  for (const [, name = '', double, single] of written.matchAll(attributeForm)) {
    if (attributes.has(name)) throw new XmlRefused('an attribute that comes twice')
    attributes.set(name, readText(double ?? single ?? ''))
  }
  return attributes
}

function scopeOf(outer: ReadonlyMap<string, string>, attributes: ReadonlyMap<string, string>) {
  const scope = new Map(outer)
  for (const [name, value] of attributes) {
    if (name === 'xmlns') scope.set('', value)
    else if (name.startsWith('xmlns:')) {
      if (value === '' || name === 'xmlns:xml' || name === 'xmlns:xmlns')
        throw new XmlRefused('a namespace that is none')
      scope.set(name.slice(6), value)
    }
  }
  return scope
}

function namespaceOf(name: string, scope: ReadonlyMap<string, string>, unprefixed: string): string {
  const colon = name.indexOf(':')
  if (colon < 0) return unprefixed
  const namespace = scope.get(name.slice(0, colon))
  if (namespace === undefined) throw new XmlRefused('a prefix without a namespace')
  return namespace
}

const signs: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

/** Only the five signs that XML itself knows, and line ends that some providers put into keys. */
const readText = (text: string): string =>
  text.replace(/&([^;&\s]{0,10});?/g, (whole, name: string) => {
    if (/^#(?:13|10|9|x0*[dD]|x0*[aA]|x0*9)$/.test(name) && whole.endsWith(';')) return ' '
    const sign = Object.hasOwn(signs, name) && whole.endsWith(';') ? signs[name] : undefined
    if (sign === undefined) throw new XmlRefused('an entity')
    return sign
  })
