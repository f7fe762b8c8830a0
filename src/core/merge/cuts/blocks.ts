/** The blocks of a document by key, and a document with some of them replaced. */

import { isTextBlock, partsOf, type TextBlock } from '../../diff/parts.ts'
import type { AnyBlock, JSONDocument } from '../../document/tree/nodes.ts'

export type Keyed = ReadonlyMap<string, AnyBlock>

export function byKey(document: JSONDocument): Keyed {
  const found = new Map<string, AnyBlock>()
  const visit = (holder: JSONDocument | AnyBlock): void => {
    for (const blocks of partsOf(holder).values())
      for (const block of blocks) {
        if (block.key !== undefined && !found.has(block.key)) found.set(block.key, block)
        if (!isTextBlock(block)) visit(block)
      }
  }
  visit(document)
  return found
}

export const isProse = (block: AnyBlock | undefined): block is TextBlock =>
  block !== undefined && isTextBlock(block) && block.type !== 'code-line'

type Replacements = ReadonlyMap<AnyBlock, readonly AnyBlock[]>

/** A block may become several, or none; what holds no such block stays the same object. */
export function replaceBlocks(document: JSONDocument, replacements: Replacements): JSONDocument {
  return replacements.size === 0 ? document : replaceInside(document, replacements)
}

function replaceInside<Of extends JSONDocument | AnyBlock>(holder: Of, replacements: Replacements): Of {
  if (holder.object === 'block' && isTextBlock(holder)) return holder
  if (!holdsAny(holder, replacements)) return holder
  const replaceIn = (nodes: readonly unknown[]): unknown[] =>
    nodes.flatMap((node) => {
      if (!isBlock(node)) return [node]
      return (replacements.get(node) ?? [node]).map((block) => replaceInside(block, replacements))
    })
  const copy = { ...holder }
  if ('nodes' in copy) Object.assign(copy, { nodes: replaceIn(copy.nodes) })
  if ('fragments' in copy)
    Object.assign(copy, { fragments: copy.fragments.map((part) => ({ ...part, nodes: replaceIn(part.nodes) })) })
  return copy
}

function holdsAny(holder: JSONDocument | AnyBlock, replacements: Replacements): boolean {
  for (const blocks of partsOf(holder).values())
    for (const block of blocks)
      if (replacements.has(block) || (!isTextBlock(block) && holdsAny(block, replacements))) return true
  return false
}

function isBlock(node: unknown): node is AnyBlock {
  return typeof node === 'object' && node !== null && 'object' in node && node.object === 'block'
}
