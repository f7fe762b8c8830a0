/**
 * Words that one side inserted and that the other has beside what it replaced. A merge done twice meets its own
 * insertion this way: it must neither stand there twice nor count as what came in place of the stretch.
 */

import { hasWord, type Token } from '../diff/tokens.ts'
import type { Hunk } from '../diff/words.ts'

interface Around {
  base: readonly Token[]
  /** What the other side did. */
  hunks: readonly Hunk[]
}

/** An insertion beside a stretch that the other side replaced, with the same words at that edge already. */
export function isThereAlready({ from: at, items }: Hunk, { base, hunks }: Around): boolean {
  const words = items.filter(hasWord)
  return hunks.some(({ from, to, items: there }) => {
    if (from > at + mostBlanks || to < at - mostBlanks) return false
    const near = there.filter(hasWord)
    if (words.length === 0 || near.length < words.length) return false
    if (isBeside(base, at, from) && sameFaces(near.slice(0, words.length), words)) return true
    return isBeside(base, to, at) && sameFaces(near.slice(-words.length), words)
  })
}

/** What a side put in place of a stretch, cut where the words begin and end that the other inserted beside it. */
export function cutEdges({ from, to, items }: Hunk, { base, hunks }: Around): Edges {
  const words = items.filter(hasWord)
  const inserted = hunks
    .filter((hunk) => hunk.from === hunk.to && hunk.from >= from - mostBlanks && hunk.from <= to + mostBlanks)
    .map((hunk) => ({ at: hunk.from, words: hunk.items.filter(hasWord) }))
  const leading = inserted.find(
    ({ at, words: some }) => isBeside(base, at, from) && sameFaces(words.slice(0, some.length), some),
  )
  const left = words.slice(leading?.words.length ?? 0)
  const trailing = inserted.find(
    ({ at, words: some }) => isBeside(base, to, at) && some.length > 0 && sameFaces(left.slice(-some.length), some),
  )
  const indexes = items.flatMap((item, index) => (hasWord(item) ? [index] : []))
  const start = (indexes[(leading?.words.length ?? 0) - 1] ?? -1) + 1
  const end = indexes[words.length - (trailing?.words.length ?? 0)] ?? items.length
  return { before: items.slice(0, start), inside: items.slice(start, end), after: items.slice(end) }
}

export interface Edges {
  before: Token[]
  inside: Token[]
  after: Token[]
}

/** How many blanks and signs may stand between two words that are still side by side. */
const mostBlanks = 8

const isBeside = (base: readonly Token[], from: number, to: number): boolean =>
  from <= to && to - from <= mostBlanks && !base.slice(from, to).some(hasWord)

export function sameFaces(a: readonly Token[], b: readonly Token[]): boolean {
  return a.length === b.length && a.every(({ face }, index) => face === b[index]?.face)
}
