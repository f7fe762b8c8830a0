/**
 * Whether a side only took away from a block. Then nothing is lost when the other side has deleted the block.
 */

import { same } from '../diff/equal.ts'
import type { Matches } from '../diff/match.ts'
import { inlinesOf, isTextBlock, noBlocks, partsOf } from '../diff/parts.ts'
import { sameToken, tokensOf } from '../diff/tokens.ts'
import type { AnyBlock } from '../document/tree/nodes.ts'

export function addsNothing(base: AnyBlock, side: AnyBlock, matches: Matches): boolean {
  if (same(base, side)) return true
  if (base.type !== side.type || base.type === 'table' || !same(base.data, side.data)) return false
  if (isTextBlock(base) && isTextBlock(side)) return isShortened(inlinesOf(base), inlinesOf(side))
  const baseParts = partsOf(base)
  for (const [part, blocks] of partsOf(side)) {
    const olds = new Set(baseParts.get(part) ?? noBlocks)
    for (const block of blocks) {
      const old = matches.toBase.get(block)
      if (old === undefined || !olds.has(old) || !addsNothing(old, block, matches)) return false
    }
  }
  return true
}

/** Whether the words are the old ones with some left out. */
function isShortened(base: Parameters<typeof tokensOf>[0], side: Parameters<typeof tokensOf>[0]): boolean {
  const signatures = new Map()
  const left = tokensOf(side, signatures)
  let index = 0
  for (const token of tokensOf(base, signatures)) {
    const next = left[index]
    if (next !== undefined && sameToken(next, token)) index += 1
  }
  return index === left.length
}
