/**
 * From a flat list of tokens to a tree: quotes and lists nest as Markdown says, and opening `{% tags %}` and HTML
 * elements find their ends among their siblings.
 *
 * 1. Pairing is one pass with a stack; the time is linear whatever is unclosed.
 * 2. An end without its beginning, and a beginning that needs an end and has none, is text.
 * 3. The tree is at most `maxRawDepth` deep: what would be deeper is put beside instead of inside.
 */
import { type HtmlEvent, isElement, readHtmlTag, scanHtml } from '../syntax/html-scan.ts'
import type { Token } from '../syntax/markdown-parser.ts'
import { isIntegrationTag, knownTags, type Tag, tagOf } from '../syntax/tags.ts'

export type Element = Extract<HtmlEvent, { kind: 'open' }>
export type Raw =
  | { kind: 'leaf'; token: Token; inline: Token | undefined }
  | { kind: 'table'; tokens: Token[] }
  | { kind: 'container'; token: Token; children: Raw[] }
  | { kind: 'tag'; tag: Tag; children: Raw[] }
  | { kind: 'element'; element: Element; children: Raw[] }
  | { kind: 'html-text'; source: string }
  /** The empty line that ends a stretch of HTML: words on its two sides are two paragraphs. */
  | { kind: 'gap' }
  | { kind: 'inline-token'; token: Token }
  | { kind: 'mention'; target: string; label: string }
  /** A piece of source that stays text; a `line` of it is a paragraph of its own. */
  | { kind: 'literal'; text: string; line: boolean; end?: Tag }

export const maxRawDepth = 90

type Item = Raw | { kind: 'open-tag'; tag: Tag } | { kind: 'close-tag'; tag: Tag } | HtmlItem
type HtmlItem = { kind: 'open-element'; element: Element } | { kind: 'close-element'; name: string; source: string }

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
export function buildHtml(source: string): Raw[] {
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
    } else if (token.type === 'atom') for (const raw of buildHtml(token.content)) items.push(raw)
    else items.push(...inlineHtmlItems(token))
  }
  return pair(items, 0, true)
}

/** Whether a token of a paragraph is more, or part of more, than itself: HTML, and a link that is a mention. */
export function isOfTree(token: Token): boolean {
  if (token.type === 'html_inline' || token.type === 'atom') return true
  return token.type === 'link_open' && token.attrGet('title') === 'mention'
}

function inlineHtmlItems(token: Token): Item[] {
  const event = readHtmlTag(token.content)
  if (event !== undefined) return [htmlItem(event)]
  return token.content.startsWith('<!--') ? [] : [{ kind: 'literal', text: token.content, line: false }]
}

/** Adds what the token that the cursor stands at begins, and moves the cursor behind it. */
function addItems(token: Token, cursor: Cursor, depth: number, items: Item[]): void {
  const from = cursor.at
  cursor.at = from + 1
  switch (token.type) {
    case 'paragraph_open':
    case 'heading_open':
      items.push({ kind: 'leaf', token, inline: cursor.tokens[from + 1] })
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
    case 'list_item_open': {
      const children = buildUntilClosed(cursor, Math.min(depth + 1, maxRawDepth))
      const ends = splitEnds(children)
      if (depth < maxRawDepth) items.push({ kind: 'container', token, children })
      else for (const child of children) items.push(child)
      for (const end of ends) items.push(end)
      return
    }
    case 'html':
      for (const event of scanHtml(token.content)) items.push(htmlItem(event))
      items.push({ kind: 'gap' })
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

/**
 * Formatters indent the end of a tag below the list it follows, and then it stands in the last item. An end that has
 * no beginning there, and nothing after it, is an end for whoever is outside.
 */
function splitEnds(children: Raw[]): Item[] {
  const ends: Item[] = []
  for (let last = children.at(-1); last?.kind === 'literal' && last.end !== undefined; last = children.at(-1)) {
    ends.unshift({ kind: 'close-tag', tag: last.end })
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
  if (!isElement(event.name)) return { kind: 'literal', text: event.source, line: false }
  if (event.kind === 'close') return { kind: 'close-element', name: event.name, source: event.source }
  return event.isVoid ? { kind: 'element', element: event, children: [] } : { kind: 'open-element', element: event }
}

/** For every opening item the place of its end, and the reverse; nothing where no item opens or closes. */
function matchEnds(items: readonly Item[]): Map<number, number> | undefined {
  if (!items.some(isHalf)) return undefined
  const matches = new Map<number, number>()
  const stack: { name: string; at: number }[] = []
  const waiting = new Map<string, number>()
  const count = (name: string, by: number): void => void waiting.set(name, (waiting.get(name) ?? 0) + by)
  items.forEach((item, at) => {
    const name = nameOf(item)
    if (name === undefined) return
    if (item.kind === 'open-tag' || item.kind === 'open-element') {
      stack.push({ name, at })
      count(name, 1)
      return
    }
    // Without this question an end that has no beginning would search the whole stack, every time.
    if ((waiting.get(name) ?? 0) === 0) return
    for (let open = stack.pop(); open !== undefined; open = stack.pop()) {
      count(open.name, -1)
      if (open.name !== name) continue
      matches.set(open.at, at).set(at, open.at)
      return
    }
  })
  return matches
}

type Half = Exclude<Item, Raw>

const isHalf = (item: Item): item is Half =>
  item.kind === 'open-tag' || item.kind === 'close-tag' || item.kind === 'open-element' || item.kind === 'close-element'

function nameOf(item: Item): string | undefined {
  if (item.kind === 'open-tag' || item.kind === 'close-tag') return `%${item.tag.name}`
  if (item.kind === 'open-element') return item.element.name
  return item.kind === 'close-element' ? item.name : undefined
}

function pair(items: Item[], depth: number, isInline: boolean): Raw[] {
  const matches = matchEnds(items)
  if (matches === undefined) return items.filter((item) => !isHalf(item))
  let at = 0
  const build = (until: number, level: number, parent: string): Raw[] => {
    const children: Raw[] = []
    while (at < until) {
      const item = items[at]
      const end = matches.get(at)
      at += 1
      if (item === undefined) break
      if (end === undefined || end < at || level >= maxRawDepth) {
        if (isHalf(item)) for (const raw of alone(item, isInline)) children.push(raw)
        else children.push(item)
        continue
      }
      const inner = build(end, level + costOf(item, parent), nameOf(item) ?? '')
      at = end + 1
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
  const isRows =
    /^(?:thead|tbody|tr)$/.test(name) && (parent === 'table' || (name === 'tr' && /^t(?:head|body)$/.test(parent)))
  return name === 'details' ? 2 : isRows ? 0 : 1
}

/** What stands for an item that has no other half. */
function alone(item: Half, isInline: boolean): Raw[] {
  switch (item.kind) {
    case 'open-element':
      return unpaired(item.element.source, isInline)
    case 'close-element':
      return unpaired(item.source, isInline)
    case 'open-tag':
      if (knownTags[item.tag.name] === 'optional') return [{ kind: 'tag', tag: item.tag, children: [] }]
      return [{ kind: 'literal', text: item.tag.source, line: true }]
    case 'close-tag':
      return [{ kind: 'literal', text: item.tag.source, line: true, end: item.tag }]
  }
}

/** In a sentence a lone `<select>` is what the sentence is about; among blocks it is a slip that shows nothing. */
function unpaired(source: string, isInline: boolean): Raw[] {
  return isInline ? [{ kind: 'literal', text: source, line: false }] : []
}
