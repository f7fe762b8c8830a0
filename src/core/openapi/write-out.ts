/** A document in which the blocks that show specs are written out, wherever they stand: for paper, and for readers of Markdown. */
import { fromMarkdown } from '../document/read/from-markdown.ts'
import type { AnyBlock, ContentRef, JSONDocument } from '../document/tree/nodes.ts'
import { walk } from '../document/tree/walk.ts'
import { replaceBlocks } from '../merge/cuts/blocks.ts'
import { type BlockView, isSpecBlock, type SpecBlock, sourceOf, viewBlock } from './block-view.ts'
import type { SpecPart } from './part.ts'
import { printModel, printOperation } from './print.ts'

export function specBlocksIn(document: JSONDocument): SpecBlock[] {
  const found: SpecBlock[] = []
  walk(document, (node) => {
    if (isSpecBlock(node)) found.push(node)
  })
  return found
}

/** `breathe` is called before each block that is written out. */
export async function writeOutSpecs(
  document: JSONDocument,
  specOf: (ref: ContentRef) => SpecPart | undefined,
  breathe: () => Promise<void>,
): Promise<JSONDocument> {
  const blocks = specBlocksIn(document)
  const written = new Map<AnyBlock, readonly AnyBlock[]>()
  for (const block of blocks) {
    await breathe()
    const part = specOf(block.data.ref)
    const view = part && viewBlock(sourceOf(part), block, blocks.length)
    if (view) written.set(block, fromMarkdown(print(view), { isPart: true }).document.nodes)
  }
  return replaceBlocks(document, written)
}

const print = (shown: BlockView): string =>
  shown.kind === 'operation'
    ? printOperation(shown.view)
    : shown.schemas.map(({ name, view }) => printModel(name, view)).join('\n')
