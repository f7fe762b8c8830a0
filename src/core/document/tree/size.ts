/**
 * How much a document holds, in the things that cost time: every node, column, row and cell is one, a leaf of text is
 * one, and every mark on it one more.
 *
 * 1. A page may hold `maxSize`: the densest takes less than a second to read from Markdown and less than a second to
 *    print, and a megabyte of documentation holds less.
 * 2. Reading counts as it goes and stops at the limit, so that refusing a page costs no more than reading one. What it
 *    counts on the way is a little less than what the whole page holds, so that no page within the limit is refused.
 */
import type { JSONDocument, Node } from './nodes.ts'
import { childrenOf, walk } from './walk.ts'

/** The most that a document may hold, unless a place says less. */
export const maxSize = 120_000

/** What may still be read. */
export type Budget = { left: number }

export class TooLarge extends Error {
  override name = 'TooLarge'

  constructor() {
    super('The document holds more than it may.')
  }
}

export function spend(budget: Budget | undefined, count: number): void {
  if (budget === undefined) return
  budget.left -= count
  if (budget.left < 0) throw new TooLarge()
}

export function sizeOf(document: JSONDocument): number {
  let size = 0
  walk(document, (node) => {
    size += ownSize(node)
  })
  return size
}

/** The letters of a document, which its nodes say nothing of. */
export function lettersOf(document: JSONDocument): number {
  let letters = 0
  walk(document, (node) => {
    if (node.object === 'text') for (const leaf of node.leaves) letters += leaf.text.length
  })
  return letters
}

/** The size of a node without its children. */
function ownSize(node: Node): number {
  if (node.object === 'text') return textSize(node)
  return node.object === 'block' && node.type === 'table' ? tableSize(node) : 1
}

export function textSize({ leaves }: { leaves: readonly { marks: readonly unknown[] }[] }): number {
  let size = leaves.length
  for (const { marks } of leaves) size += marks.length
  return Math.max(1, size)
}

type TableShape = { data: { definition: object; records: object }; fragments: readonly unknown[] }

/** A cell that has no fragment counts as an empty one, since the one form of a table has a fragment for every text. */
export function tableSize({ data, fragments }: TableShape): number {
  const columns = Object.keys(data.definition).length
  const rows = Object.keys(data.records).length
  return 1 + columns + rows + 2 * Math.max(0, columns * rows - fragments.length)
}

/** Counts no further than the bounds: a large tree is told from a small one in the time a small one takes. */
export function holdsMore(document: JSONDocument, than: { nodes: number; letters: number }): boolean {
  let nodes = 0
  let letters = 0
  const isOver = (node: Node | JSONDocument): boolean => {
    nodes += 1
    // A leaf costs something beside its letters.
    if (node.object === 'text') for (const leaf of node.leaves) letters += leaf.text.length + 20
    return nodes > than.nodes || letters > than.letters || childrenOf(node).some(isOver)
  }
  return isOver(document)
}
