/** Pages as the index wants them: cut into sections, with their words. That takes longer than to write them. */
import { type Entry, entryMaker, type PageText, type Piece, piecesOf } from '../../core/search/entries.ts'
import { packShort } from '../packed/short-texts.ts'
import type { TimeSlices } from '../time-slices.ts'

export interface SearchablePage extends PageText {
  pageId: string
  /** Found only by those who ask for hidden pages too. */
  hidden: boolean
}

/** With its entries worked out: that takes longer than to write them, and is done before the transaction where others wait. */
export interface PreparedPage extends SearchablePage {
  entries: readonly PreparedEntry[]
}

export interface PreparedEntry extends Entry {
  /** Its body as it is stored, in hexadecimal digits; nothing where it is stored as it is. */
  packed: string | undefined
}

export async function preparePage(page: SearchablePage, slices: TimeSlices): Promise<PreparedPage> {
  const entries: PreparedEntry[] = []
  const { pieces, entryOf } = entriesOf(page)
  for (const index of pieces.keys()) {
    entries.push(entryOf(index))
    if (slices.isOver) await slices.next()
  }
  return { ...page, entries }
}

/** The sections of a page, and what is written of each. */
export interface Entries {
  pieces: readonly Piece[]
  entryOf: (index: number) => PreparedEntry
}

/** Entries are made one by one as they are asked for, unless they are there already. */
export function entriesOf(page: SearchablePage | PreparedPage): Entries {
  if ('entries' in page) {
    const { entries } = page
    return { pieces: entries, entryOf: (index) => given(entries[index]) }
  }
  const pieces = piecesOf(page)
  const make = entryMaker(page)
  const entryOf = (index: number) => {
    const entry = make(given(pieces[index]))
    const packed = packShort(entry.body)
    return {
      ...entry,
      packed: packed && Buffer.from(packed).toString('hex'),
    }
  }
  return { pieces, entryOf }
}

function given<T>(item: T | undefined): T {
  if (item === undefined) throw new Error('A page has no entry at this place.')
  return item
}
