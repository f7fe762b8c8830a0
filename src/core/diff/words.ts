/**
 * Word by word inside one text block: the stretches that changed, and the same as a review page shows it.
 */

import type { InlineContent } from '../document/tree/nodes.ts'
import type { Signatures } from '../document/tree/signature.ts'
import { same } from './equal.ts'
import { alignSequences, type Budget } from './sequence.ts'
import { hasWord, type Token, tokensOf } from './tokens.ts'
import type { WordChange } from './word-change.ts'

/** A stretch `from..to` of the base that a side replaced by `items`; empty on one side for insertions and removals. */
export interface Hunk {
  from: number
  to: number
  items: Token[]
}

export function diffWords(
  before: readonly InlineContent[],
  after: readonly InlineContent[],
  { signatures, budget }: { signatures: Signatures; budget: Budget },
): WordChange[] {
  const old = tokensOf(before, signatures)
  const now = tokensOf(after, signatures)
  const face = ({ face, marks }: Token): string => (marks.length === 0 ? face : `${face}\u0001${JSON.stringify(marks)}`)
  const partners = slide(alignTokens(old, now, { faceOf: face, budget }), old, now)
  const changes: WordChange[] = []
  let at = 0
  for (const { from, to, items } of hunksOf(partners, now)) {
    for (; at < from; at += 1) push(changes, 'same', old[at])
    for (; at < to; at += 1) push(changes, 'removed', old[at])
    for (const item of items) push(changes, 'added', item)
  }
  for (; at < old.length; at += 1) push(changes, 'same', old[at])
  return changes
}

/** What `side` replaced, by the words alone; a word whose marks changed is not replaced. */
export function hunksBetween(base: readonly Token[], side: readonly Token[], budget: Budget) {
  const partners = slide(alignTokens(base, side, { faceOf: ({ face }) => face, budget }), base, side)
  return { partners, hunks: hunksOf(partners, side) }
}

function hunksOf(partners: Int32Array, side: readonly Token[]): Hunk[] {
  const hunks: Hunk[] = []
  let from = 0
  let fromSide = 0
  const close = (to: number, toSide: number): void => {
    if (to > from || toSide > fromSide) hunks.push({ from, to, items: side.slice(fromSide, toSide) })
    from = to + 1
    fromSide = toSide + 1
  }
  partners.forEach((partner, index) => {
    if (partner >= 0) close(index, partner)
  })
  close(partners.length, side.length)
  return hunks
}

/**
 * Words are aligned first, and blanks and signs only where they lean on a word that has a partner: by themselves they
 * match by chance, and would weave two sentences into one.
 */
function alignTokens(
  base: readonly Token[],
  side: readonly Token[],
  { faceOf, budget }: { faceOf: (token: Token) => string; budget: Budget },
): Int32Array {
  const words = { base: indicesOfWords(base), side: indicesOfWords(side) }
  const faces = (tokens: readonly Token[], indexes: readonly number[]): string[] =>
    indexes.map((index) => faceAt(tokens, index))
  const faceAt = (tokens: readonly Token[], index: number): string => {
    const token = tokens[index]
    return token === undefined ? '' : faceOf(token)
  }
  const aligned = alignSequences(faces(base, words.base), faces(side, words.side), budget)
  const partners = new Int32Array(base.length).fill(-1)
  let from = 0
  let fromSide = 0
  const close = (to: number, toSide: number): void => {
    let [start, startSide, end, endSide] = [from, fromSide, to, toSide]
    const isPair = (index: number, indexInSide: number): boolean => {
      const token = base[index]
      return token !== undefined && !hasWord(token) && faceAt(base, index) === faceAt(side, indexInSide)
    }
    while (start < end && startSide < endSide && isPair(start, startSide)) partners[start++] = startSide++
    while (start < end && startSide < endSide && isPair(end - 1, endSide - 1)) partners[--end] = --endSide
    from = to + 1
    fromSide = toSide + 1
  }
  aligned.forEach((wordSide, word) => {
    const index = words.base[word]
    const indexInSide = words.side[wordSide]
    if (index === undefined || indexInSide === undefined) return
    partners[index] = indexInSide
    close(index, indexInSide)
  })
  close(base.length, side.length)
  return partners
}

function indicesOfWords(tokens: readonly Token[]): number[] {
  return tokens.flatMap((token, index) => (hasWord(token) ? [index] : []))
}

/**
 * Moves insertions and removals to the left as far as they mean the same («of |new |a» and «of| new| a»), so that two
 * sides that write at one place are seen to.
 */
function slide(partners: Int32Array, base: readonly Token[], side: readonly Token[]): Int32Array {
  let from = 0
  let fromSide = 0
  const isSame = (a: Token | undefined, b: Token | undefined): boolean => a?.face === b?.face
  const settle = (to: number, toSide: number, floor: number): void => {
    const isInsertion = from === to && toSide > fromSide
    const isRemoval = to > from && toSide === fromSide
    let end = isInsertion ? toSide : to
    let at = from
    let atSide = fromSide
    while (at > floor && (partners[at - 1] ?? -1) === atSide - 1) {
      if (isInsertion && isSame(side[end - 1], side[atSide - 1])) partners[at - 1] = end - 1
      else if (isRemoval && isSame(base[end - 1], base[at - 1])) {
        partners[end - 1] = atSide - 1
        partners[at - 1] = -1
      } else break
      at -= 1
      atSide -= 1
      end -= 1
    }
  }
  let floor = 0
  for (let index = 0; index <= partners.length; index += 1) {
    const partner = index === partners.length ? side.length : (partners[index] ?? -1)
    if (partner < 0) continue
    if (index > from || partner > fromSide) {
      settle(index, partner, floor)
      floor = index
    }
    from = index + 1
    fromSide = partner + 1
  }
  return partners
}

function push(changes: WordChange[], kind: WordChange['kind'], token: Token | undefined): void {
  if (token === undefined) return
  const { text, marks, inline } = token
  const last = changes.at(-1)
  if (inline !== undefined) changes.push({ kind, text, marks, inline })
  else if (last?.kind === kind && last.inline === undefined && same(last.marks, marks)) last.text += text
  else changes.push({ kind, text, marks })
}
