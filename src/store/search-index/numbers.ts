/**
 * Numbers of spaces, pages and entries in the index: one integer says all three, so that a space is a range of numbers and
 * the page of an entry is known without a look. 20 bits of space, 21 of page, 12 of entry: 53, what JavaScript keeps exactly.
 */
import { entryLimit } from '../../core/search/entries.ts'

const pagesOfSpace = 2 ** 21
const spaces = 2 ** 20

/** How far an entry's number is shifted to be its page's, and its space's. */
export const pageShift = Math.log2(entryLimit)
export const spaceShift = pageShift + Math.log2(pagesOfSpace)

/** The numbers that pages of a space can have. */
export const pageRange = (space: number): { from: number; to: number } => ({
  from: space * pagesOfSpace,
  to: space * pagesOfSpace + pagesOfSpace - 1,
})

export const entryNumber = (page: number, entry: number): number => page * entryLimit + entry

/** The space of an entry. */
export const spaceOf = (entry: number): number => Math.floor(entry / (pagesOfSpace * entryLimit))

export const fitsSpace = (space: number): boolean => space < spaces

/** `count` numbers for new pages of a space: behind the last one used, or where there is none left, between others. */
export function freeNumbers({ space, last, count, used }: FreeNumbers): number[] {
  const { from, to } = pageRange(space)
  const next = last === undefined ? from : last + 1
  if (next + count - 1 <= to) return Array.from({ length: count }, (_, i) => next + i)
  const taken = new Set(used)
  const free: number[] = []
  for (let number = from; number <= to && free.length < count; number++) if (!taken.has(number)) free.push(number)
  if (free.length < count) throw new Error('A space has more pages than the search index can number.')
  return free
}

interface FreeNumbers {
  space: number
  last: number | undefined
  count: number
  /** All numbers in use; needed only when none is left behind the last one. */
  used: readonly number[]
}
