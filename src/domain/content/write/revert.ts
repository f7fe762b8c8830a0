/** Takes single blocks of a page back to an earlier version of it. */
import { makeDocument } from '../../../core/document/tree/make.ts'
import type { Block, JSONDocument } from '../../../core/document/tree/nodes.ts'

/**
 * The document with these blocks as they were: changed ones replaced, new ones taken out, deleted ones put back behind
 * the block that stood before them. Only top-level blocks are taken back; a block inside another goes with it.
 */
export function revertBlocks(
  now: JSONDocument | undefined,
  then: JSONDocument | undefined,
  keys: readonly string[],
): JSONDocument {
  const wanted = new Set(keys)
  const earlier = then?.nodes ?? []
  const old = new Map(earlier.map((node) => [node.key, node]))
  const nodes: Block[] = []
  for (const node of now?.nodes ?? []) {
    if (node.key === undefined || !wanted.has(node.key)) nodes.push(node)
    else {
      const before = old.get(node.key)
      if (before) nodes.push(before)
    }
  }
  for (const [index, node] of earlier.entries()) {
    if (node.key === undefined || !wanted.has(node.key) || nodes.some((present) => present.key === node.key)) continue
    const previous = earlier[index - 1]?.key
    const target = previous === undefined ? 0 : nodes.findIndex((present) => present.key === previous) + 1
    nodes.splice(target, 0, node)
  }
  return makeDocument(nodes)
}
