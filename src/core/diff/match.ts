/**
 * Which block of one version is which block of another.
 *
 * 1. Blocks with the same key are the same block wherever they stand, unless their kinds differ; so is one object that
 *    both versions share.
 * 2. What is left is paired inside the same list: equal blocks in order, then equal blocks out of order, then the
 *    ones whose words are most alike.
 * 3. A block has at most one partner.
 * 4. A caller that trusts keys gets no other pairs of blocks that have one: they are one block deleted and another
 *    written. Where the versions have no key in common, keys say nothing and the rest decides.
 */

import { textOf } from '../document/text/to-text.ts'
import type { AnyBlock, JSONDocument } from '../document/tree/nodes.ts'
import { type Signatures, signatureOf } from '../document/tree/signature.ts'
import { isTextBlock, kindOf, noBlocks, partsOf, type Slots } from './parts.ts'
import { alignSequences, type Budget } from './sequence.ts'

export interface Matches {
  /** From a block of the side to the block of the base. */
  toBase: Map<AnyBlock, AnyBlock>
  fromBase: Map<AnyBlock, AnyBlock>
}

export interface Slotted {
  document: JSONDocument
  slots: Slots
}

export function matchBlocks(
  base: Slotted,
  side: Slotted,
  tools: { signatures: Signatures; budget: Budget; trustsKeys: boolean },
): Matches {
  const matching: Matching = { toBase: new Map(), fromBase: new Map(), ...tools }
  const count = matchByKey(base.slots, side.slots, matching)
  // A few blocks may all have been replaced; of many, some would have kept their keys.
  matching.trustsKeys &&= matching.toBase.size > 0 || Math.min(count, side.slots.size) < 8
  matchRest(base.document, side.document, matching)
  return matching
}

interface Matching extends Matches {
  signatures: Signatures
  budget: Budget
  trustsKeys: boolean
}

function join(matching: Matching, block: AnyBlock, partner: AnyBlock): void {
  matching.toBase.set(block, partner)
  matching.fromBase.set(partner, block)
}

/** Answers with the number of keys in the base. */
function matchByKey(base: Slots, side: Slots, matching: Matching): number {
  const byKey = new Map<string, AnyBlock>()
  for (const block of base.keys()) if (block.key !== undefined && !byKey.has(block.key)) byKey.set(block.key, block)
  const isShared = (block: AnyBlock): boolean => base.has(block)
  for (const block of side.keys()) if (isShared(block)) join(matching, block, block)
  for (const block of side.keys()) {
    if (isShared(block)) continue
    const partner = block.key === undefined ? undefined : byKey.get(block.key)
    if (partner === undefined || matching.fromBase.has(partner)) continue
    if (partner.type === block.type || kindOf(partner) === kindOf(block)) join(matching, block, partner)
  }
  return byKey.size
}

function matchRest(base: JSONDocument | AnyBlock, side: JSONDocument | AnyBlock, matching: Matching): void {
  const baseParts = partsOf(base)
  for (const [part, blocks] of partsOf(side)) {
    const olds = (baseParts.get(part) ?? noBlocks).filter((old) => !matching.fromBase.has(old))
    if (olds.length > 0)
      pairLeft(
        blocks.filter((block) => !matching.toBase.has(block) && !(matching.trustsKeys && block.key !== undefined)),
        olds,
        matching,
      )
    for (const block of blocks) {
      const partner = isTextBlock(block) ? undefined : matching.toBase.get(block)
      if (partner !== undefined && partner !== block) matchRest(partner, block, matching)
    }
  }
}

function pairLeft(blocks: readonly AnyBlock[], olds: readonly AnyBlock[], matching: Matching): void {
  if (blocks.length === 0) return
  const faces = (list: readonly AnyBlock[]): number[] => list.map((block) => signatureOf(block, matching.signatures))
  const oldFaces = faces(olds)
  const newFaces = faces(blocks)
  alignSequences(oldFaces, newFaces, matching.budget).forEach((index, oldIndex) => {
    const block = blocks[index]
    const old = olds[oldIndex]
    if (block !== undefined && old !== undefined) join(matching, block, old)
  })
  const waiting = new Map<number, AnyBlock>()
  olds.forEach((old, index) => {
    if (!matching.fromBase.has(old)) waiting.set(oldFaces[index] ?? 0, old)
  })
  blocks.forEach((block, index) => {
    const old = waiting.get(newFaces[index] ?? 0)
    if (old !== undefined && !matching.toBase.has(block) && !matching.fromBase.has(old)) join(matching, block, old)
  })
  pairAlike(
    blocks.filter((block) => !matching.toBase.has(block)),
    olds.filter((old) => !matching.fromBase.has(old)),
    matching,
  )
}

const widest = 64
const alike = 0.4

function pairAlike(blocks: readonly AnyBlock[], olds: readonly AnyBlock[], matching: Matching): void {
  if (blocks.length === 0 || olds.length === 0) return
  // Comparing every two costs the square; past this width a block rewritten is a block replaced.
  if (blocks.length > widest || olds.length > widest) return
  const words = new Map([...blocks, ...olds].map((block) => [block, wordsOf(block)]))
  const scored: { block: AnyBlock; old: AnyBlock; score: number; apart: number }[] = []
  blocks.forEach((block, index) => {
    olds.forEach((old, oldIndex) => {
      if (kindOf(block) !== kindOf(old)) return
      const isBare = block.key === undefined && old.key === undefined
      const score = likeness(words.get(block), words.get(old), isBare ? alike : 0)
      if (score >= alike) scored.push({ block, old, score, apart: Math.abs(index - oldIndex) })
    })
  })
  scored.sort((a, b) => b.score - a.score || a.apart - b.apart)
  for (const { block, old } of scored)
    if (!matching.toBase.has(block) && !matching.fromBase.has(old)) join(matching, block, old)
}

function wordsOf(block: AnyBlock): ReadonlySet<string> {
  const words = textOf(block)
    .slice(0, 4000)
    .match(/[\p{L}\p{N}]+/gu)
  return new Set(words ?? [])
}

/** `wordless` is the answer for two blocks without words: without keys either, their type and place say the most. */
function likeness(a: ReadonlySet<string> | undefined, b: ReadonlySet<string> | undefined, wordless: number): number {
  if (a === undefined || b === undefined || a.size + b.size === 0) return wordless
  let common = 0
  for (const word of a) if (b.has(word)) common += 1
  return (2 * common) / (a.size + b.size)
}
