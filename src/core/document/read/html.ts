/**
 * HTML elements that are blocks: details, figure, table, headings and paragraphs with an alignment, lists, `pre`.
 * A box that means nothing is looked through.
 */
import { type Attributes, isBlank } from '../syntax/html-scan.ts'
import { fragment, list, listItem, paragraph, parentBlock, voidBlock } from '../tree/make.ts'
import type { Block, Expandable, InlineContent, TextAlignment } from '../tree/nodes.ts'
import { readBlocks, readFilled, readHeading } from './blocks.ts'
import { readPre } from './code.ts'
import { deeper, type ReadContext } from './context.ts'
import { readHtmlTable } from './html-table.ts'
import { readFigure, readImagesBox } from './images.ts'
import { readInlines } from './inline.ts'
import type { Element, Raw } from './raw-tree.ts'

const blockElements =
  /^(?:details|summary|figure|figcaption|table|thead|tbody|tfoot|tr|td|th|p|h[1-6]|div|ul|ol|li|blockquote|hr|pre|section|article|aside|header|footer|main|nav|center|form|fieldset|dl|dt|dd|body|html|head|address|legend|menu)$/

/** Whether this belongs in a paragraph. */
export function isInlineRaw(raw: Raw): boolean {
  if (raw.kind === 'element') return !blockElements.test(raw.element.name) && raw.children.every(isInlineRaw)
  return (
    raw.kind === 'html-text' ||
    raw.kind === 'inline-token' ||
    raw.kind === 'mention' ||
    (raw.kind === 'literal' && !raw.line)
  )
}

export function readBlockElement(element: Element, children: readonly Raw[], context: ReadContext): Block[] {
  const { name, attributes } = element
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
    children.filter((_, place) => place !== at),
    deeper(context, 2),
  )
  return {
    object: 'block',
    type: 'expandable',
    isVoid: true,
    data: attributes.has('open') ? { defaultExpanded: true } : {},
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
