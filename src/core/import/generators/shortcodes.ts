/**
 * Hugo's shortcodes as Markdown: `{{< ref "page.md" >}}`, `{{% notice tip %}} … {{% /notice %}}`. Those that themes for docs
 * have in common become what shows the same; any other stays as it is written, and is told.
 */
import { calloutStyles } from '../../document/syntax/callout-kinds.ts'

interface Tag {
  name: string
  isClosing: boolean
  /** Those without names, and those with. */
  values: string[]
  named: ReadonlyMap<string, string>
  /** Whether an end of it follows. */
  isPaired: boolean
}

export interface ShortcodeReading {
  /** The page that a reference names, as the target of a link. */
  find: (target: string) => string | undefined
  onUnknown: (name: string, line: number) => void
}

/** What stands in place of a tag: in its line, or on lines of its own. */
type Written = { inline: string } | { block: string }

/** A tag is not longer. */
const longest = 4000

export function withoutShortcodes(markdown: string, reading: ShortcodeReading): string {
  const found = [...tagsIn(markdown)]
  const closings = new Map<string, number>()
  for (const { tag } of found) if (tag?.isClosing) closings.set(tag.name, (closings.get(tag.name) ?? 0) + 1)
  const writer = new ShortcodeWriter(reading)
  const out: string[] = []
  let at = 0
  let line = 1
  let lineStart = 0
  for (const { from, to, tag, literal } of found) {
    const before = markdown.slice(at, from)
    const lastBreak = before.lastIndexOf('\n')
    if (lastBreak !== -1) {
      lineStart = at + lastBreak + 1
      line += before.split('\n').length - 1
    }
    out.push(before)
    at = to
    if (literal !== undefined) out.push(literal)
    if (tag === undefined) continue
    const left = closings.get(tag.name) ?? 0
    if (tag.isClosing) closings.set(tag.name, left - 1)
    const written = writer.write({ ...tag, isPaired: left > 0 })
    if (written === undefined) {
      if (!tag.isClosing) reading.onUnknown(tag.name, line)
      out.push(markdown.slice(from, to))
    } else out.push('inline' in written ? written.inline : onOwnLines(written.block, markdown, { lineStart, from, to }))
  }
  out.push(markdown.slice(at))
  return out.join('')
}

/** What stands alone on its line keeps its indent; words before and after it have lines of their own. */
function onOwnLines(
  block: string,
  markdown: string,
  { lineStart, from, to }: { lineStart: number; from: number; to: number },
): string {
  const before = from - lineStart < 200 ? markdown.slice(lineStart, from) : 'words'
  const isAlone = /^[ \t]*$/.test(before)
  const indent = isAlone ? before : ''
  const isLast = /^[ \t]*(?:\r?\n|$)/.test(markdown.slice(to, to + 200))
  return `${isAlone ? '' : '\n\n'}${block.replaceAll('\n', `\n${indent}`)}${isLast ? '' : `${block.endsWith('\n') ? '\n\n' : '\n'}${indent}`}`
}

interface FoundTag {
  from: number
  to: number
  tag?: Omit<Tag, 'isPaired'>
  /** Of a tag that is only shown. */
  literal?: string
}

function* tagsIn(markdown: string): Generator<FoundTag> {
  const start = /\{\{[<%]/g
  const ends = new Map<string, number>()
  for (let match = start.exec(markdown); match !== null; match = start.exec(markdown)) {
    const from = match.index
    const sign = match[0] === '{{<' ? '>}}' : '%}}'
    let end = ends.get(sign) ?? -1
    if (end < from + 3) {
      const next = markdown.indexOf(sign, from + 3)
      end = next === -1 ? Number.POSITIVE_INFINITY : next
      ends.set(sign, end)
    }
    if (end - from > longest) continue
    const inner = markdown.slice(from + 3, end)
    const to = end + 3
    const shown = /^\s*\/\*([\s\S]*)\*\/\s*$/.exec(inner)?.[1]
    if (shown !== undefined) yield { from, to, literal: `${match[0]}${shown}${sign}` }
    else {
      const [, slash = '', name = '', rest = ''] = /^\s*(\/?)\s*([\w./-]+)([\s\S]*)$/.exec(inner) ?? []
      if (name === '') continue
      yield { from, to, tag: { name: name.toLowerCase(), isClosing: slash !== '', ...paramsIn(rest) } }
    }
    start.lastIndex = to
  }
}

function paramsIn(text: string): Pick<Tag, 'values' | 'named'> {
  const values: string[] = []
  const named = new Map<string, string>()
  const parts = /(?:([\w-]+)\s*=\s*)?(?:"((?:[^"\\]|\\.)*)"|`([^`]*)`|([^\s"`=/]+(?:[=/][^\s"`]*)?|\/[^\s"`]+))/g
  for (const [, name, quoted, raw, bare] of text.matchAll(parts)) {
    const value = quoted === undefined ? (raw ?? bare ?? '') : quoted.replace(/\\(["\\])/g, '$1')
    if (name === undefined) values.push(value)
    else named.set(name.toLowerCase(), value)
  }
  return { values, named }
}

const boxes = new Set(['notice', 'hint', 'alert', 'callout', 'admonition', 'box', 'pageinfo', ...calloutStyles.keys()])
const folds = new Set(['details', 'expand', 'collapse', 'accordion'])
/** What is only for the look, or made by the navigation here. */
const dropped = new Set(['toc', 'toc-tree', 'children', 'section', 'columns', 'steps', 'blocks/section', 'br'])
const colors: Readonly<Record<string, string>> = {
  primary: 'info',
  secondary: 'info',
  orange: 'warning',
  red: 'danger',
}

class ShortcodeWriter {
  readonly #find: ShortcodeReading['find']
  /** How those that are open end, the innermost of each name last. */
  readonly #open = new Map<string, string[]>()

  constructor({ find }: ShortcodeReading) {
    this.#find = find
  }

  write(tag: Tag): Written | undefined {
    if (tag.isClosing) return this.#close(tag.name)
    const { name, values, named } = tag
    const first = values[0] ?? ''
    const given = (...names: string[]): string =>
      names.map((one) => named.get(one)).find((one) => one !== undefined) ?? ''
    const title = (given('title', 'header', 'summary', 'name') || first).trim()
    if (name === 'ref' || name === 'relref') return { inline: this.#target(given('path') || first) }
    if (name === 'figure' || name === 'img' || name === 'image') return pictureOf(given, first)
    if (name === 'youtube') return embed('https://www.youtube.com/watch?v=', given('id') || first)
    if (name === 'vimeo') return embed('https://vimeo.com/', given('id') || first)
    if (name === 'gist') return embed('https://gist.github.com/', values.slice(0, 2).join('/'))
    if (dropped.has(name)) {
      if (tag.isPaired) this.#push(name, '')
      return { inline: '' }
    }
    if (!tag.isPaired) return name === 'card' ? { block: `${cardOf(given, this.#href(given))}</Card>` } : undefined
    if (name === 'highlight' || name === 'code')
      return this.#begin(name, fence(given('lang', 'language') || first), fence(''))
    if (name === 'mermaid') return this.#begin(name, fence('mermaid'), fence(''))
    if (name === 'katex' || name === 'math') return this.#begin(name, '$$', '$$')
    if (boxes.has(name)) return this.#begin(name, boxOf(name, values, given), ':::')
    if (folds.has(name))
      return this.#begin(name, `<details>\n<summary>${attributeOf(title)}</summary>\n`, '\n</details>')
    if (name === 'tabs' || name === 'tabpane') {
      const isText = name === 'tabs' || given('text') === 'true' || values.includes('text=true')
      this.#titles = given('items').split(',')
      return this.#begin(name, '<Tabs>', '</Tabs>', isText ? undefined : given('lang'))
    }
    if (name === 'tab') return this.#tab(title, given('lang'))
    if (name === 'cards' || name === 'cardpane') return this.#begin(name, '<CardGroup>', '</CardGroup>')
    if (name === 'card') return this.#begin(name, cardOf(given, this.#href(given)), '</Card>')
    if (name === 'button') {
      this.#push(name, '</a>')
      return { inline: `<a class="button primary" href="${attributeOf(this.#href(given) || first)}">` }
    }
    return undefined
  }

  /** Of panes whose tabs hold code, its language. */
  #codeOfTabs: string | undefined
  /** What the next tabs are called, where they do not say so themselves. */
  #titles: string[] = []

  #begin(name: string, begin: string, end: string, codeOfTabs?: string): Written {
    if (name === 'tabs' || name === 'tabpane') this.#codeOfTabs = codeOfTabs
    this.#push(name, end)
    // What follows a fence is code, the empty line too.
    return { block: /`{4}\S*$/.test(begin) ? begin : `${begin}\n` }
  }

  #tab(title: string, lang: string): Written {
    const code = this.#codeOfTabs
    const next = this.#titles.shift()?.trim() ?? ''
    const begin = `<Tab title="${attributeOf(title || next)}">`
    return code === undefined
      ? this.#begin('tab', begin, '</Tab>')
      : this.#begin('tab', `${begin}\n\n${fence(lang || code)}`, `${fence('')}\n\n</Tab>`)
  }

  #close(name: string): Written | undefined {
    const end = this.#open.get(name)?.pop()
    if (end === undefined) return undefined
    return end === '' || end === '</a>' ? { inline: end } : { block: `${end}\n` }
  }

  #push(name: string, end: string): void {
    const ends = this.#open.get(name)
    if (ends) ends.push(end)
    else this.#open.set(name, [end])
  }

  #href(given: (...names: string[]) => string): string {
    const page = given('relref', 'pageref')
    return page === '' ? given('link', 'href', 'url') : this.#target(page)
  }

  #target(target: string): string {
    const hash = target.indexOf('#')
    const page = hash === -1 ? target : target.slice(0, hash)
    const anchor = hash === -1 ? '' : target.slice(hash)
    if (page === '') return anchor
    return `${encodeURI(this.#find(page) ?? page)}${anchor}`
  }
}

/** Longer than what stands inside is likely to have. */
const fence = (lang: string): string => `\`\`\`\`${/^[\w+#.-]*$/.test(lang) ? lang : ''}`

function boxOf(name: string, values: readonly string[], given: (...names: string[]) => string): string {
  const wanted = [
    name === 'alert' ? given('color', 'type', 'context') : given('type', 'style', 'level'),
    values[0] ?? '',
  ]
  const kinds = wanted.map((one) => colors[one.toLowerCase()] ?? one.toLowerCase())
  const kind = kinds.find((one) => calloutStyles.has(one)) ?? (calloutStyles.has(name) ? name : 'note')
  const isKind = kinds[1] !== undefined && calloutStyles.has(kinds[1])
  const title = (given('title', 'header') || (isKind ? values[1] : values[0]) || '').replace(/[[\]]/g, '')
  return `:::${kind}${title === '' ? '' : `[${title}]`}`
}

function pictureOf(given: (...names: string[]) => string, first: string): Written {
  const src = attributeOf(encodeURI(given('src', 'link') || first))
  const caption = given('caption', 'title', 'attr')
  const picture = `<img src="${src}" alt="${attributeOf(given('alt'))}">`
  return {
    block: `<figure>${picture}${caption === '' ? '' : `<figcaption>${attributeOf(caption)}</figcaption>`}</figure>\n`,
  }
}

const cardOf = (given: (...names: string[]) => string, href: string): string =>
  `<Card title="${attributeOf(given('title', 'header'))}"${href === '' ? '' : ` href="${attributeOf(href)}"`}>\n${given('subtitle', 'description')}\n`

const embed = (base: string, id: string): Written | undefined =>
  /^[\w./-]+$/.test(id) ? { block: `{% embed url="${base}${id}" %}\n` } : undefined

const attributeOf = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
