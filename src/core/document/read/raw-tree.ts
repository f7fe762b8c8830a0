/**
 * From a flat list of tokens to a tree: quotes and lists nest as Markdown says, and opening `{% tags %}` and HTML
 * elements hold what stands before their ends (match-ends.ts).
 *
 * The tree is at most `maxRawDepth` deep: what would be deeper is put beside instead of inside.
 */
import { inlineRoleOf, isKnownComponent } from '../syntax/components.ts'
import { type HtmlEvent, isComponent, isElement, readHtmlTag, scanHtml } from '../syntax/html-scan.ts'
import type { JsxTag } from '../syntax/jsx.ts'
import type { Token } from '../syntax/markdown-parser.ts'
import { isIntegrationTag, knownTags, type Tag, tagOf } from '../syntax/tags.ts'
import { type Half, isContainer, isHalf, matchEnds, nameOf } from './match-ends.ts'
import type { Element, Item, Raw } from './raw.ts'

export const maxRawDepth = 90

export function buildRaw(tokens: readonly Token[], depth: number): Raw[] {
  return buildUntilClosed({ tokens, at: 0 }, depth)
}

/** Where reading the tokens stands: each is looked at once, however deep it is. */
type Cursor = { tokens: readonly Token[]; at: number }

/** Up to the end of the tokens, or past the one that closes the container whose inside this is. */
function buildUntilClosed(cursor: Cursor, depth: number): Raw[] {
  const items: Item[] = []
  for (let token = cursor.tokens[cursor.at]; token !== undefined; token = cursor.tokens[cursor.at]) {
    if (token.nesting === -1) {
      cursor.at += 1
      break
    }
    addItems(token, cursor, depth, items)
  }
  return pair(items, depth, false)
}

/** The stretch of HTML as a tree, for HTML that stands within another place. */
function buildHtml(source: string): Raw[] {
  return pair(scanHtml(source).map(htmlItem), 0, false)
}

/** The tokens of a paragraph, with the HTML elements among them as a tree. */
export function buildInline(tokens: readonly Token[]): Raw[] {
  const items: Item[] = []
  for (let at = 0; at < tokens.length; at += 1) {
    const token = tokens[at]
    if (token === undefined) continue
    if (!isOfTree(token)) items.push({ kind: 'inline-token', token })
    else if (token.type === 'link_open') {
      let end = at + 1
      while (end < tokens.length && tokens[end]?.type !== 'link_close') end += 1
      const label = tokens
        .slice(at + 1, end)
        .map((part) => part.content)
        .join('')
      items.push({ kind: 'mention', target: String(token.attrGet('href') ?? ''), label })
      at = end
    } else if (token.type === 'component') items.push(componentItem(token))
    else if (token.type === 'atom') for (const raw of buildHtml(token.content)) items.push(raw)
    else items.push(...inlineHtmlItems(token))
  }
  return pair(items, 0, true)
}

/** Whether a token of a paragraph is more, or part of more, than itself: HTML, and a link that is a mention. */
export function isOfTree(token: Token): boolean {
  if (token.type === 'html_inline' || token.type === 'atom' || token.type === 'component') return true
  return token.type === 'link_open' && token.attrGet('title') === 'mention'
}

function inlineHtmlItems(token: Token): Item[] {
  const event = readHtmlTag(token.content)
  if (event !== undefined) return [htmlItem(event)]
  return token.content.startsWith('<!--') ? [] : [{ kind: 'literal', text: token.content, line: false }]
}

const loneComment = /^<!--([\s\S]*)-->\s*$/

/** Adds what the token that the cursor stands at begins, and moves the cursor behind it. */
function addItems(token: Token, cursor: Cursor, depth: number, items: Item[]): void {
  const from = cursor.at
  cursor.at = from + 1
  switch (token.type) {
    case 'paragraph_open':
    case 'heading_open':
      addLeaf(token, cursor.tokens[from + 1], items)
      cursor.at = from + 3
      return
    case 'table_open': {
      while (cursor.at < cursor.tokens.length && cursor.tokens[cursor.at]?.type !== 'table_close') cursor.at += 1
      cursor.at += 1
      items.push({ kind: 'table', tokens: cursor.tokens.slice(from, cursor.at) })
      return
    }
    case 'blockquote_open':
    case 'bullet_list_open':
    case 'ordered_list_open':
    case 'definition_list_open':
    case 'definition_open':
    case 'list_item_open': {
      const children = buildUntilClosed(cursor, Math.min(depth + 1, maxRawDepth))
      const ends = splitEnds(children)
      if (depth < maxRawDepth) items.push({ kind: 'container', token, children })
      else for (const child of children) items.push(child)
      for (const end of ends) items.push(end)
      return
    }
    case 'comment':
      items.push({ kind: 'comment', text: token.content })
      return
    case 'html': {
      const [, words] = loneComment.exec(token.content) ?? []
      if (words !== undefined && !words.includes('-->')) {
        items.push({ kind: 'comment', text: words })
        return
      }
      for (const event of scanHtml(token.content)) items.push(htmlItem(event))
      items.push({ kind: 'gap' })
      return
    }
    case 'component':
      items.push(componentItem(token))
      return
    case 'tag': {
      const tag = tagOf(token)
      if (tag !== undefined) items.push(tagItem(tag))
      return
    }
    default:
      items.push({ kind: 'leaf', token, inline: undefined })
  }
}

/** The end of a component may stand behind the last words inside it. */
function addLeaf(token: Token, inline: Token | undefined, items: Item[]): void {
  const children = inline?.children ?? []
  let end = children.length
  const closes: Item[] = []
  for (let last = children[end - 1]; last !== undefined; last = children[end - 1]) {
    if (last.type === 'text' && last.content.trim() === '' && closes.length > 0) end -= 1
    else if (last.type === 'component' && isBlockEnd(last, children)) {
      closes.unshift(componentItem(last))
      end -= 1
    } else break
  }
  if (inline === undefined || closes.length === 0) {
    items.push({ kind: 'leaf', token, inline })
    return
  }
  const shortened: Token = Object.assign(Object.create(Object.getPrototypeOf(inline)), inline, {
    children: children.slice(0, end),
  })
  items.push({ kind: 'leaf', token, inline: shortened }, ...closes)
}

function isBlockEnd(token: Token, children: readonly Token[]): boolean {
  const tag = jsxOf(token)
  if (tag?.closing !== true || inlineRoleOf(tag.name) !== undefined) return false
  return !children.some((other) => other !== token && jsxOf(other)?.name === tag.name)
}

function componentItem(token: Token): Item {
  const tag = jsxOf(token)
  if (tag === undefined) return { kind: 'literal', text: token.content, line: false }
  const { name, attributes, selfClosing, source, closing, pairing } = tag
  if (closing) return { kind: 'close-element', name: pairing ?? name, source }
  const element: Element = { kind: 'open', name, attributes, isVoid: selfClosing, source, ...(pairing && { pairing }) }
  return selfClosing ? { kind: 'element', element, children: [] } : { kind: 'open-element', element }
}

function jsxOf(token: Token): (JsxTag & { pairing?: string }) | undefined {
  const tag: unknown = token.type === 'component' ? token.meta?.tag : undefined
  return isJsxTag(tag) ? tag : undefined
}

function isJsxTag(value: unknown): value is JsxTag & { pairing?: string } {
  return typeof value === 'object' && value !== null && 'selfClosing' in value
}

/**
 * Formatters indent the end of a tag below the list it follows, and then it stands in the last item. An end that has
 * no beginning there, and nothing after it, is an end for whoever is outside.
 */
function splitEnds(children: Raw[]): Item[] {
  const ends: Item[] = []
  for (let last = children.at(-1); last?.kind === 'literal' && last.end !== undefined; last = children.at(-1)) {
    ends.unshift('kind' in last.end ? last.end : { kind: 'close-tag', tag: last.end })
    children.pop()
  }
  return ends
}

function tagItem(tag: Tag): Item {
  if (tag.closing) return { kind: 'close-tag', tag }
  if (isIntegrationTag(tag.name)) return { kind: 'tag', tag, children: [] }
  const known = Object.hasOwn(knownTags, tag.name) ? knownTags[tag.name] : undefined
  if (known === undefined) return { kind: 'literal', text: tag.source, line: true }
  return known === 'single' ? { kind: 'tag', tag, children: [] } : { kind: 'open-tag', tag }
}

function htmlItem(event: HtmlEvent): Item {
  if (event.kind === 'text') return { kind: 'html-text', source: event.source }
  if (!isElement(event.name) && !isComponent(event.name)) return { kind: 'literal', text: event.source, line: false }
  if (event.kind === 'close') return { kind: 'close-element', name: event.name, source: event.source }
  return event.isVoid ? { kind: 'element', element: event, children: [] } : { kind: 'open-element', element: event }
}

function pair(items: Item[], depth: number, isInline: boolean): Raw[] {
  const matches = matchEnds(items, depth)
  if (matches === undefined) return items.filter((item) => !isHalf(item))
  let at = 0
  const build = (until: number, level: number, parent: string): Raw[] => {
    const children: Raw[] = []
    while (at < until) {
      const item = items[at]
      const from = at
      const end = matches.ends.get(at)
      at += 1
      if (item === undefined) break
      if (end === undefined || end < at || level >= maxRawDepth) {
        if (isHalf(item)) for (const raw of alone(item, isInline)) children.push(raw)
        else children.push(item)
        continue
      }
      const inner = build(end, level + costOf(item, parent), nameOf(item) ?? '')
      at = matches.implied.has(from) ? end : end + 1
      if (item.kind === 'open-tag') children.push({ kind: 'tag', tag: item.tag, children: inner })
      if (item.kind === 'open-element') children.push({ kind: 'element', element: item.element, children: inner })
    }
    return children
  }
  return build(items.length, depth, '')
}

/**
 * How much deeper the tree is inside: an expandable block nests by two levels, the block and its body; the rows of a
 * table by none.
 */
function costOf(item: Item, parent: string): number {
  if (item.kind !== 'open-element') return 1
  const { name } = item.element
  // Components become sets of parts, tables of cards, blocks with a body.
  if (isComponent(name)) return 3
  const isRows =
    /^(?:thead|tbody|tr)$/.test(name) && (parent === 'table' || (name === 'tr' && /^t(?:head|body)$/.test(parent)))
  return name === 'details' ? 2 : isRows ? 0 : 1
}

/** What stands for an item that has no other half. */
function alone(item: Half, isInline: boolean): Raw[] {
  switch (item.kind) {
    case 'open-element':
      if (!isComponent(item.element.name)) return unpaired(item.element.name, item.element.source, isInline)
      if (isKnownComponent(item.element.name) && !isContainer(item.element))
        return [{ kind: 'element', element: item.element, children: [], isUnclosed: true }]
      return [{ kind: 'literal', text: item.element.source, line: !isInline }]
    case 'close-element':
      if (item.name.startsWith(':') || isKnownComponent(item.name))
        return isInline ? [] : [{ kind: 'literal', text: '', line: true, end: item }]
      if (isComponent(item.name)) return [{ kind: 'literal', text: item.source, line: !isInline }]
      return unpaired(item.name, item.source, isInline)
    case 'open-tag':
      if (knownTags[item.tag.name] === 'optional') return [{ kind: 'tag', tag: item.tag, children: [] }]
      return []
    case 'close-tag':
      return [{ kind: 'literal', text: '', line: true, end: item.tag }]
  }
}

/** In a sentence a lone `<select>` is what the sentence is about; among blocks it is a slip that shows nothing. */
function unpaired(name: string, source: string, isInline: boolean): Raw[] {
  return isInline && !isLayout.test(name) ? [{ kind: 'literal', text: source, line: false }] : []
}

/** Elements that say how things stand are a slip in a sentence too. */
const isLayout = /^(?:li|ul|ol|dl|dt|dd|p|div|span|center|font|iframe|td|th|tr|tbody|thead)$/
