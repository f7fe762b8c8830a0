/**
 * Blocks from the raw tree: Markdown's own here, those of HTML and of tags in their files.
 *
 * Headings: the page's title is the `#` heading that stands first, so `##` is `heading-1`, `###` `heading-2` and
 * `####` `heading-3`. A `#` elsewhere is `heading-1`, and `#####` and `######` are `heading-3`: the outline is coarser
 * than the author's, but no heading is lost.
 */

import { isBlank } from '../syntax/html-scan.ts'
import { type Token, withContent } from '../syntax/markdown-parser.ts'
import { foldAnchor } from '../text/anchors.ts'
import { comment } from '../tree/comment.ts'
import { isOfItem, markerOfTag, withMarker } from '../tree/conflict-marker.ts'
import { code, heading, list, listItem, paragraph, parentBlock, voidBlock } from '../tree/make.ts'
import type { Block, HeadingType, List, ListItem } from '../tree/nodes.ts'
import { readAlert } from './callouts.ts'
import { gatherParts } from './components.ts'
import { deeper, type ReadContext } from './context.ts'
import { isAnchor } from './elements.ts'
import { readFence } from './fence.ts'
import { isInlineRaw, readBlockElement } from './html.ts'
import { imagesOf, mayBeOfImages } from './images.ts'
import { readInlines, readTokens } from './inline.ts'
import { readPipeTable } from './pipe-table.ts'
import type { Raw } from './raw.ts'
import { buildInline } from './raw-tree.ts'
import { readTagBlock } from './tags.ts'
import { boldParagraph } from './titles.ts'

export function readBlocks(raws: readonly Raw[], context: ReadContext): Block[] {
  const blocks: Block[] = []
  let words: Raw[] = []
  // Words and inline elements that stand among blocks are a paragraph.
  const flush = (): void => {
    if (words.length === 0) return
    for (const block of readWords(words, context)) blocks.push(block)
    words = []
  }
  for (const raw of gatherParts(raws)) {
    if (isInlineRaw(raw)) {
      words.push(raw)
      continue
    }
    flush()
    for (const block of readBlock(raw, context)) blocks.push(block)
  }
  flush()
  return blocks
}

/** The blocks of a container, which is never empty. */
export function readFilled(raws: readonly Raw[], context: ReadContext): Block[] {
  const blocks = readBlocks(raws, deeper(context))
  return blocks.length === 0 ? [paragraph()] : blocks
}

function readWords(words: readonly Raw[], context: ReadContext): Block[] {
  if (words.every((raw) => raw.kind === 'html-text' && isBlank(raw.source))) return []
  const images = imagesOf(words, context)
  if (images !== undefined) return [images]
  const nodes = readInlines(trimmed(words), context)
  return nodes.length === 0 ? [] : [paragraph(nodes)]
}

function readBlock(raw: Raw, context: ReadContext): Block[] {
  switch (raw.kind) {
    case 'leaf':
      return readLeaf(raw.token, raw.inline, context)
    case 'container':
      return readContainer(raw.token, raw.children, context)
    case 'table':
      return readPipeTable(raw.tokens, context)
    case 'tag':
      return readTagBlock(raw.tag, raw.children, context)
    case 'element':
      return readBlockElement(raw, context)
    case 'comment':
      return [comment(raw.text)]
    case 'literal':
      return raw.text === '' ? [] : [paragraph(raw.text)]
    default:
      return []
  }
}

function readLeaf(token: Token, inline: Token | undefined, context: ReadContext): Block[] {
  switch (token.type) {
    case 'paragraph_open':
      return readParagraph(inline, context)
    case 'heading_open':
      return [readMarkdownHeading(token.tag, inline, context)]
    case 'fence':
      return [readFence(token.content, token.info)]
    case 'code_block':
      return [code(token.content.replace(/\n$/, ''))]
    case 'hr':
      return [voidBlock('divider', {})]
    case 'math':
      return [voidBlock('math', { formula: token.content })]
    case 'footnote':
      return []
    default:
      return token.content === '' ? [] : [paragraph(token.content)]
  }
}

function readParagraph(inline: Token | undefined, context: ReadContext): Block[] {
  const tokens = inline?.children ?? []
  const images = tokens.every(mayBeOfImages) ? imagesOf(buildInline(tokens), context) : undefined
  if (images !== undefined) return [images]
  const nodes = readTokens(tokens, context)
  // A paragraph of nothing but comments, say.
  return nodes.length === 0 ? [] : [paragraph(nodes)]
}

const headingTypes: Readonly<Record<string, HeadingType>> = { h1: 'heading-1', h2: 'heading-1', h3: 'heading-2' }

export function readHeading(
  tag: string,
  raws: readonly Raw[],
  data: { align?: 'start' | 'center' | 'end'; id?: string },
  context: ReadContext,
): Block {
  const index = raws.findLastIndex(
    (raw) => raw.kind === 'element' && raw.element.name === 'a' && isAnchor(raw.element.attributes, raw.children),
  )
  const named = raws[index]
  const attributes = named?.kind === 'element' ? named.element.attributes : undefined
  const id = data.id ?? attributes?.get('id') ?? attributes?.get('name')
  const rest = index === -1 ? raws : trimmed(raws.toSpliced(index, 1))
  const known = knownId(id)
  const { align } = data
  const type = headingTypes[tag] ?? 'heading-3'
  return heading(type, readInlines(rest, context), { ...known, ...(align === undefined ? {} : { align }) })
}

/** An id that an anchor can have, or none. */
export const knownId = (id: string | undefined): { id?: string } =>
  id !== undefined && /^[-a-z0-9.+_]+$/.test(id) ? { id } : {}

const idAt = /(?:^|[ \t])\{[ \t]*#([\w.:+-]{1,200})(?:[ \t]+[^{}]*)?\}[ \t]*$/
const idInComment = /^<!--[ \t]*#([\w.:+-]{1,200})[ \t]*-->$/

/** `## Words {#id}` or `{/* #id *\/}`: the id is the writer's, not the reader's. */
export function splitHeadingId(inline: Token | undefined): { words: Raw[]; id?: string } {
  const children = inline?.children ?? []
  const last = children.at(-1)
  const commented = last?.type === 'html_inline' ? idInComment.exec(last.content)?.[1] : undefined
  if (commented !== undefined) return { words: trimmed(buildInline(children.slice(0, -1))), id: foldAnchor(commented) }
  const match = last?.type === 'text' && last.content.endsWith('}') ? idAt.exec(last.content) : null
  // An escaped brace is a word.
  if (last === undefined || match?.[1] === undefined || !inline?.content.endsWith(match[0].trim()))
    return { words: buildInline(children) }
  const rest = [...children.slice(0, -1), withContent(last, last.content.slice(0, match.index).trimEnd())]
  return { words: trimmed(buildInline(rest)), id: foldAnchor(match[1]) }
}

function readMarkdownHeading(tag: string, inline: Token | undefined, context: ReadContext): Block {
  const { words, id } = splitHeadingId(inline)
  return readHeading(tag, words, id === undefined ? {} : { id }, context)
}

/** Without the space that parts the words of a heading from the place it names. */
function trimmed(raws: readonly Raw[]): Raw[] {
  const last = raws.at(-1)
  if (last?.kind !== 'inline-token' || last.token.type !== 'text') return [...raws]
  return [...raws.slice(0, -1), { kind: 'inline-token', token: withContent(last.token, last.token.content.trimEnd()) }]
}

function readContainer(token: Token, children: readonly Raw[], context: ReadContext): Block[] {
  if (token.type === 'blockquote_open')
    return readAlert(children, context) ?? [parentBlock('blockquote', {}, readFilled(children, context))]
  if (token.type === 'definition_list_open') return [readDefinitions(children, context)]
  if (token.type === 'ordered_list_open') {
    const start = token.attrGet('start')
    return [
      list(
        'list-ordered',
        itemsOf(children).map((item) => readItem(item, context)),
        start === null ? 1 : Number(start),
      ),
    ]
  }
  if (token.type === 'bullet_list_open') return readBullets(itemsOf(children), context)
  return readBlocks(children, context)
}

function readDefinitions(children: readonly Raw[], context: ReadContext): List {
  const items = children.map((raw) => {
    const [term, ...body] = raw.kind === 'container' ? raw.children : [raw]
    const inside = deeper(context)
    const words = term?.kind === 'leaf' ? readTokens(term.inline?.children ?? [], deeper(inside)) : []
    return listItem([boldParagraph(words), ...readFilled(body, inside)])
  })
  return list('list-unordered', items)
}

/** The items of a list; an end without a beginning between two items belongs to the one before. */
function itemsOf(children: readonly Raw[]): Raw[] {
  const items: Raw[] = []
  let own: Raw[] | undefined
  for (const raw of children) {
    const last = items.at(-1)
    if (raw.kind === 'container' || last?.kind !== 'container') {
      items.push(raw)
      own = undefined
    } else if (own === undefined) {
      own = [...last.children, raw]
      items[items.length - 1] = { ...last, children: own }
    } else own.push(raw)
  }
  return items
}

function readItem(raw: Raw, context: ReadContext): ListItem {
  return itemWith(raw.kind === 'container' ? raw.children : [raw], context)
}

/** An item whose content stands between conflict tags of the item is marked; other such tags mark what they hold. */
function itemWith(children: readonly Raw[], context: ReadContext, data: ListItem['data'] = {}): ListItem {
  const [only] = children
  const tag = children.length === 1 && only?.kind === 'tag' && only.tag.name === 'conflict' ? only : undefined
  const marker = tag && isOfItem(tag.tag.attributes) ? markerOfTag(tag.tag.attributes) : undefined
  if (!tag || !marker) return listItem(readFilled(children, deeper(context)), data)
  return withMarker(listItem(readFilled(tag.children, deeper(context)), data), marker)
}

/** A list with boxes before some of its items is several lists: the tree has lists of tasks and lists of none. */
function readBullets(items: readonly Raw[], context: ReadContext): List[] {
  const lists: List[] = []
  for (const raw of items) {
    const task = raw.kind === 'container' ? taskOf(raw.children) : undefined
    const type = task === undefined ? 'list-unordered' : 'list-tasks'
    const item = task === undefined ? readItem(raw, context) : readTask(task, context)
    const last = lists.at(-1)
    if (last?.type === type) last.nodes.push(item)
    else lists.push(list(type, [item]))
  }
  return lists
}

type Task = { checked: boolean; children: Raw[] }

function readTask({ checked, children }: Task, context: ReadContext): ListItem {
  return itemWith(children, context, { checked })
}

const boxAt = /^\[([ xX])\](?:[ \t]+|$)/

function taskOf(children: readonly Raw[]): Task | undefined {
  const [first] = children
  if (first?.kind !== 'leaf' || first.token.type !== 'paragraph_open') return undefined
  const words = first.inline?.children?.[0]
  const match = words?.type === 'text' && words.content.startsWith('[') ? boxAt.exec(words.content) : null
  if (first.inline === undefined || words === undefined || match === null) return undefined
  const rest = children.slice(1)
  const others = first.inline.children?.slice(1) ?? []
  const checked = match[1] !== ' '
  const content = words.content.slice(match[0].length)
  // A box alone before other blocks belongs to the item, not to a paragraph of its own.
  if (content === '' && others.length === 0) return { checked, children: rest }
  const inline = withContent(first.inline, first.inline.content)
  inline.children = [withContent(words, content), ...others]
  return { checked, children: [{ ...first, inline }, ...rest] }
}
