/** What differs between the two engines of the index: how entries are kept, and how a question is put. */
import type { Connection } from '../database.ts'
import type { Found, Question } from './question.ts'
import type { NumberedEntry } from './rows.ts'

export interface IndexedEntry extends NumberedEntry {
  spaceId: string
}

export interface SearchedSpaces {
  /** The spaces searched; at least one. */
  spaces: readonly string[]
  includeHidden: boolean
}

export interface IndexEngine {
  /** Writes entries with their texts. */
  insert(tx: Connection, entries: readonly IndexedEntry[]): Promise<void>
  /** Takes away entries; their texts are removed by the caller. */
  remove(tx: Connection, numbers: readonly number[]): Promise<void>
  /** Puts the index in order, wholly or by a small step. */
  settle(tx: Connection): Promise<void>
  /** For how many characters written that is done. */
  settleLength: number
  /** Whether once is enough for all that was written, so that it is best done after the last of it. */
  settlesWhole: boolean
  /** One small step of merging the index into one part, where it has parts: whether there is more to do. */
  mergeStep?(tx: Connection, options: { isFirst: boolean }): Promise<boolean>
  ask(db: Connection, question: Question): Promise<Found>
}

/** The tag of pages that are hidden. */
export const hiddenTag = '@'

/** For the gap between places that no phrase crosses. */
export const gap = '~'
