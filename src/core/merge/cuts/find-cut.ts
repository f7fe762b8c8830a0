/** Where a block was cut: the place in the base's words, and the place that stands for it in another version. */

import type { TextBlock } from '../../diff/parts.ts'
import type { Budget } from '../../diff/sequence.ts'
import { hasWord, nodesOf, type Token, tokensOf } from '../../diff/tokens.ts'
import { type Hunk, hunksBetween } from '../../diff/words.ts'

interface Halves {
  base: TextBlock
  left: TextBlock
  right: TextBlock
  /** The other side's version, which is the base where it has none. */
  other: TextBlock
}

/** The cut, if what `right` says is mostly the end of the block; both halves may have been edited since. */
export function findCut(
  { base, left, right, other }: Halves,
  budget: Budget,
): { at: number; otherAt: number } | undefined {
  const signatures = new Map()
  const read = (block: TextBlock): Token[] => tokensOf(block.nodes, signatures)
  const words = { base: read(base), left: read(left), right: read(right), other: read(other) }
  const { hunks } = hunksBetween(words.base, words.other, budget)
  const old = cutOf(words.base, words, budget)
  const late = cutOf(words.other, words, budget)
  // A merge done twice meets halves that have what the other side wrote: then its version says best where they part.
  if (late !== undefined && late.common > (old?.common ?? 0)) return { at: mapBack(hunks, late.at), otherAt: late.at }
  return old === undefined ? undefined : { at: old.at, otherAt: mapForward(hunks, old.at) }
}

/** Where `whole` was cut into the two, and how many of its words they have; nothing if the right one is another text. */
function cutOf(
  whole: readonly Token[],
  { left, right }: { left: readonly Token[]; right: readonly Token[] },
  budget: Budget,
): { at: number; common: number } | undefined {
  const { partners } = hunksBetween(whole, [...left, ...right], budget)
  const isRight = (index: number): boolean => (partners[index] ?? -1) >= left.length
  let at = whole.findIndex((token, index) => hasWord(token) && isRight(index))
  if (at === -1) return undefined
  const ending = whole.slice(at).filter(hasWord).length
  const moved = whole.filter((token, index) => hasWord(token) && isRight(index)).length
  if (moved * 2 < Math.min(ending, right.filter(hasWord).length)) return undefined
  while (at > 0 && isRight(at - 1)) at -= 1
  return { at, common: whole.filter((token, index) => hasWord(token) && (partners[index] ?? -1) >= 0).length }
}

/** The place of a version that stands for a place of the base; what was written across the place stays before it. */
function mapForward(hunks: readonly Hunk[], at: number): number {
  let shift = 0
  for (const { from, to, items } of hunks) {
    if (from >= at) break
    if (to > at) return from + shift + items.length
    shift += items.length - (to - from)
  }
  return at + shift
}

/** The place of the base that a place of a version stands for. */
function mapBack(hunks: readonly Hunk[], at: number): number {
  let shift = 0
  for (const { from, to, items } of hunks) {
    if (from + shift >= at) break
    if (from + shift + items.length > at) return to
    shift += items.length - (to - from)
  }
  return at - shift
}

export function withTokens(block: TextBlock, tokens: readonly Token[]): TextBlock {
  return Object.assign({ ...block }, { nodes: nodesOf(tokens) })
}
