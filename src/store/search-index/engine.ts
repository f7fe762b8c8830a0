/** What differs between the two engines of the index: how entries are kept, and how an expression is said. */
import type { Expression } from '../../core/search/plan.ts'
import type { Connection } from '../database.ts'
import type { Piece } from '../sql-text.ts'

export interface IndexedEntry {
  number: number
  spaceId: string
  hidden: boolean
  words: readonly string[]
  marks: readonly string[]
}

export interface Scope {
  /** The spaces searched; at least one. */
  spaces: readonly string[]
  includeHidden: boolean
}

export interface IndexEngine {
  insert(tx: Connection, entries: readonly IndexedEntry[]): Promise<void>
  remove(tx: Connection, numbers: readonly number[]): Promise<void>
  /** A small step of putting the index in order, to be taken for every few thousand characters written. */
  settle(tx: Connection): Promise<void>
  /** For how many characters a step is taken; none are taken where it is infinite. */
  settleLength: number
  /**
   * A query of one column "number": entries that match, no more than `most` of them, and no look at any when that is 0.
   * It may read the CTE "within": the column "number" of the spaces searched.
   */
  matching(expression: Expression, scope: Scope, most: Piece): Piece
}

/** A mark of pages that are hidden. */
export const hiddenMark = '@'

/** For the gap between places that no phrase crosses. */
export const gap = '~'
