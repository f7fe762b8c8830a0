/**
 * HTML elements that are blocks: details, figure, table, headings and paragraphs with an alignment, lists, `pre`.
 * A box that means nothing is looked through.
 */
import { blockRoleOf } from '../syntax/components.ts'
import { type Attributes, isBlank, isComponent } from '../syntax/html-scan.ts'
import { fragment, list, listItem, paragraph, parentBlock, voidBlock } from '../tree/make.ts'
import type { Block, Expandable, InlineContent, TextAlignment } from '../tree/nodes.ts'
import { isSafeUrl } from '../tree/refs.ts'
import { knownId, readBlocks, readFilled, readHeading } from './blocks.ts'
import { readPre } from './code.ts'
import { readComponent } from './components.ts'
import { deeper, type ReadContext } from './context.ts'
import { readHtmlTable } from './html-table.ts'
import { readFigure, readImagesBox } from './images.ts'
import { readInlines } from './inline.ts'
import type { Element, Raw } from './raw.ts'
import { boldParagraph } from './titles.ts'

const blockElements =
  /^(?:details|summary|figure|figcaption|table|thead|tbody|tfoot|tr|td|th|p|h[1-6]|div|ul|ol|li|blockquote|hr|pre|section|article|aside|header|footer|main|nav|center|form|fieldset|iframe|script|style|dl|dt|dd|body|html|head|address|legend|menu)$/

/** Whether this belongs in a paragraph. */
export function isInlineRaw(raw: Raw): boolean {
  if (raw.kind === 'element') {
    const { name } = raw.element
    return !blockElements.test(name) && blockRoleOf(name) === undefined && raw.children.every(isInlineRaw)
  }
  return (
    raw.kind === 'html-text' ||
    raw.kind === 'inline-token' ||
    raw.kind === 'mention' ||
    (raw.kind === 'literal' && !raw.line)
  )
}

export function readBlockElement(raw: ElementRaw, context: ReadContext): Block[] {
  const { element, children } = raw
  const { name, attributes } = element
  if (isComponent(name)) return readComponent(raw, context)
  switch (name) {
    case 'details':
      return [readDetails(attributes, children, context)]
    case 'figure': {
      const { images, rest } = readFigure(children, context)
      if (images.length === 0) return readBlocks(children, context)
      return [parentBlock('images', {}, images), ...readBlocks(rest, context)]
    }
    case 'table':
      return readHtmlTable(attributes, children, context)
    case 'p':
      return readP(attributes, children, context)
    case 'h1':
    case 'h2':
    case 'h3':
    case 'h4':
    case 'h5':
    case 'h6': {
      const id = attributes.get('id')
      return [readHeading(name, children, { ...alignOf(attributes), ...(id === undefined ? {} : { id }) }, context)]
    }
    case 'iframe':
      return readFrame(attributes, children, context)
    case 'dl':
      return readTerms(children, context)
    case 'script':
    case 'style':
      return []
    case 'hr':
      return [voidBlock('divider', {})]
    case 'pre':
      return [readPre(attributes, children, context)]
    case 'blockquote':
      return [parentBlock('blockquote', {}, readFilled(children, context))]
    case 'ul':
    case 'ol':
      return readHtmlList(name, attributes, children, context)
    default:
      return readBox(element, children, context)
  }
}

type ElementRaw = Extract<Raw, { kind: 'element' }>

/** A frame shows another page, and its title is what is said about it. */
function readFrame(attributes: Attributes, children: readonly Raw[], context: ReadContext): Block[] {
  const url = (attributes.get('src') ?? '').replace(/^\/\//, 'https://')
  const isKnown = /^https?:/i.test(url) && url.length <= 2048 && isSafeUrl(url)
  return [...(isKnown ? [voidBlock('embed', { url })] : []), ...readBlocks(children, context)]
}

/** `<dl>`: a list whose items begin with the terms. */
function readTerms(children: readonly Raw[], context: ReadContext): Block[] {
  const items: { term: readonly Raw[]; body: Raw[] }[] = []
  for (const raw of children) {
    if (raw.kind === 'gap' || (raw.kind === 'html-text' && isBlank(raw.source))) continue
    const last = items.at(-1)
    if (raw.kind === 'element' && raw.element.name === 'dt') items.push({ term: raw.children, body: [] })
    else if (last === undefined) items.push({ term: [], body: [raw] })
    else last.body.push(raw)
  }
  if (items.length === 0) return []
  return [
    list(
      'list-unordered',
      items.map(({ term, body }) => {
        const inside = deeper(context)
        const words = readInlines(term, deeper(inside))
        const head = words.length === 0 ? [] : [boldParagraph(words)]
        return listItem([...head, ...(body.length === 0 ? [] : readFilled(body, inside))])
      }),
    ),
  ]
}

function readBox({ name, attributes }: Element, children: readonly Raw[], context: ReadContext): Block[] {
  if (name !== 'div') return readBlocks(children, context)
  const formula = attributes.get('data-formula')
  if (formula !== undefined) return [voidBlock('math', { formula }), ...readBlocks(children, context)]
  const images = readImagesBox(attributes, children, context)
  return images === undefined ? readBlocks(children, context) : [images]
}

const alignments: Readonly<Record<string, TextAlignment>> = {
  left: 'start',
  start: 'start',
  center: 'center',
  right: 'end',
  end: 'end',
}

function alignOf(attributes: Attributes): { align?: TextAlignment } {
  const value = attributes.get('align') ?? ''
  const align = Object.hasOwn(alignments, value) ? alignments[value] : undefined
  return align === undefined ? {} : { align }
}

function readP(attributes: Attributes, children: readonly Raw[], context: ReadContext): Block[] {
  if (!children.every(isInlineRaw)) return readBlocks(children, context)
  return [paragraph(readInlines(children, context), alignOf(attributes))]
}

function readDetails(attributes: Attributes, children: readonly Raw[], context: ReadContext): Expandable {
  const at = children.findIndex((raw) => raw.kind === 'element' && raw.element.name === 'summary')
  const summary = children[at]
  const title: InlineContent[] = summary?.kind === 'element' ? readInlines(summary.children, deeper(context, 2)) : []
  const body = readFilled(
    children.filter((_, index) => index !== at),
    deeper(context, 2),
  )
  const id = attributes.get('id') ?? (summary?.kind === 'element' ? summary.element.attributes.get('id') : undefined)
  const isOpen = attributes.has('open')
  return {
    object: 'block',
    type: 'expandable',
    isVoid: true,
    data: { ...knownId(id), ...(isOpen ? { defaultExpanded: true } : {}) },
    fragments: [fragment('expandable-title', [paragraph(title)]), fragment('expandable-body', body)],
  }
}

function readHtmlList(
  name: 'ul' | 'ol',
  attributes: Attributes,
  children: readonly Raw[],
  context: ReadContext,
): Block[] {
  const items = children.filter((raw) => raw.kind !== 'gap' && !(raw.kind === 'html-text' && isBlank(raw.source)))
  const read = items.map((raw) => {
    const inner = raw.kind === 'element' && raw.element.name === 'li' ? raw.children : [raw]
    return listItem(readFilled(inner, deeper(context)))
  })
  if (read.length === 0) return []
  if (name === 'ul') return [list('list-unordered', read)]
  const start = Number(attributes.get('start') ?? 1)
  return [list('list-ordered', read, Number.isInteger(start) && start >= 0 ? start : 1)]
}
