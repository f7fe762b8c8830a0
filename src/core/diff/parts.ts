/**
 * What a block holds, seen alike for all blocks: words, or named lists of blocks.
 *
 * The list of a container is called `nodes`, the list of a fragment by the fragment's name, and that of a table cell
 * by its row and column, since the names of cell fragments are nobody's promise.
 */
import type {
  AnyBlock,
  CodeLine,
  Heading,
  InlineContent,
  JSONDocument,
  Paragraph,
  Table,
} from '../document/tree/nodes.ts'

export type TextBlock = Paragraph | Heading | CodeLine
export type Parts = ReadonlyMap<string, readonly AnyBlock[]>

const textTypes = new Set(['paragraph', 'heading-1', 'heading-2', 'heading-3', 'code-line'])

export function isTextBlock(block: AnyBlock): block is TextBlock {
  return textTypes.has(block.type)
}

export const inlinesOf = (block: TextBlock): readonly InlineContent[] => block.nodes

export const noBlocks: readonly AnyBlock[] = []
const noParts: Parts = new Map()

export function partsOf(holder: JSONDocument | AnyBlock): Parts {
  if (holder.object === 'document') return new Map([['nodes', holder.nodes]])
  if (isTextBlock(holder)) return noParts
  if ('nodes' in holder) return new Map([['nodes', holder.nodes]])
  if (holder.type === 'table') return cellsOf(holder)
  if (!('fragments' in holder)) return noParts
  const parts = new Map<string, readonly AnyBlock[]>()
  for (const { fragment, nodes } of holder.fragments) parts.set(fragment, blocksIn(nodes))
  return parts
}

/** The text cells of a table by row and column. */
export function cellsOf(table: Table): Parts {
  const fragments = new Map(table.fragments.map((cell) => [cell.fragment, cell]))
  const cells = new Map<string, readonly AnyBlock[]>()
  for (const [row, { values }] of Object.entries(table.data.records))
    for (const [column, value] of Object.entries(values)) {
      const isText = table.data.definition[column]?.type === 'text' && typeof value === 'string'
      const cell = isText ? fragments.get(value) : undefined
      if (cell !== undefined) cells.set(cellPart(row, column), cell.nodes)
    }
  return cells
}

export const cellPart = (row: string, column: string): string => JSON.stringify([row, column])

/** The list a block stands in. */
export interface Slot {
  holder: JSONDocument | AnyBlock
  part: string
}
export type Slots = ReadonlyMap<AnyBlock, Slot>

/** Every block of a document, parents first, with the list it stands in. */
export function slotsOf(document: JSONDocument): Slots {
  const slots = new Map<AnyBlock, Slot>()
  const visit = (holder: JSONDocument | AnyBlock): void => {
    for (const [part, blocks] of partsOf(holder)) {
      const slot = { holder, part }
      for (const block of blocks) {
        slots.set(block, slot)
        if (!isTextBlock(block)) visit(block)
      }
    }
  }
  visit(document)
  return slots
}

/** Visits every block of a document, parents first. */
export function walkBlocks(holder: JSONDocument | AnyBlock, visit: (block: AnyBlock) => void): void {
  for (const blocks of partsOf(holder).values())
    for (const block of blocks) {
      visit(block)
      if (!isTextBlock(block)) walkBlocks(block, visit)
    }
}

/** Headings of any level and paragraphs are one kind, and so are lists: changing such a type makes no new block. */
export function kindOf(block: AnyBlock): string {
  if (block.type === 'paragraph' || block.type.startsWith('heading-')) return 'words'
  return block.type === 'list-ordered' || block.type === 'list-unordered' || block.type === 'list-tasks'
    ? 'list'
    : block.type
}

function blocksIn(nodes: readonly unknown[]): AnyBlock[] {
  return nodes.filter((node): node is AnyBlock => typeof node === 'object' && node !== null && isAnyBlock(node))
}

function isAnyBlock(node: object): boolean {
  return 'object' in node && node.object === 'block'
}
