/**
 * What the index holds, changed with the content: in the same transaction, for the changed sections of changed pages only.
 * A section that says what it said, under the same title and in the same place of its page, is not written again: an edit of
 * one paragraph of a long page is one section of it.
 *
 * Many pages are written in batches, with a breath between them: on SQLite statements run on the event loop's thread.
 * Writers of one space come one after the other (`lock` of the transaction): a new page takes the number behind the last one.
 */
import type { Caches } from '../../core/caches.ts'
import { type Piece, vocabularyOf } from '../../core/search/entries.ts'
import type { Connection } from '../database.ts'
import { TimeSlices } from '../time-slices.ts'
import { stampSpace } from './cached.ts'
import { engineOf } from './engines.ts'
import { KnownWords } from './known-words.ts'
import { entryNumber, pageRange } from './numbers.ts'
import { entriesOf, type PreparedPage, type SearchablePage } from './prepare.ts'
import {
  findSpace,
  insertPages,
  insertWords,
  knownPages,
  type NumberedEntry,
  type NumberedPage,
  newNumbers,
  numberOfSpace,
  removeRows,
  removeSpaceNumber,
  removeWords,
  somePages,
  storedTitle,
  textsOf,
  unpackRows,
} from './rows.ts'

/** About how much text, in characters, is indexed before others get a turn. */
const batchLength = 24_000
/**
 * The same for whoever puts in many pages and holds the event loop for as long as that takes. On SQLite any statement of several
 * rows makes FTS5 write what was put in before as a part of its own: the fewer of them, the fewer parts there are to merge.
 */
const longBatchLength = 500_000
const batchPages = 200
/** How long the words of entries are worked out at a stretch. */
const sliceMilliseconds = 2

export interface Putting {
  known?: KnownWords
  /** How long it holds the event loop at a stretch: the longer, the shorter others wait for the transaction. */
  milliseconds?: number
  /** Whoever puts in many pages one step after the other puts the index in order themselves, now and then (merge.ts). */
  leavesOrder?: boolean
}

/** Puts pages into the index, in place of what it held of them. */
export async function putPages(
  tx: Connection,
  spaceId: string,
  pages: readonly (SearchablePage | PreparedPage)[],
  { known = new KnownWords(), milliseconds = sliceMilliseconds, leavesOrder = false }: Putting = {},
): Promise<void> {
  if (pages.length === 0) return
  const space = await numberOfSpace(tx, spaceId)
  const slices = new TimeSlices(milliseconds)
  const last = new Map(pages.map((page) => [page.pageId, page]))
  const distinct = [...last.values()]
  let written = 0
  for (let i = 0; i < distinct.length; i += batchPages) {
    written += await putBatch(tx, { spaceId, space, known, slices, leavesOrder }, distinct.slice(i, i + batchPages))
  }
  if (!leavesOrder) await settle(tx, slices)
  await stampSpace(tx, spaceId, written)
}

/** Takes pages out of the index. */
export async function removePages(tx: Connection, spaceId: string, pageIds: readonly string[]): Promise<void> {
  for (let i = 0; i < pageIds.length; i += batchPages) {
    const known = await knownPages(tx, { spaceId, pageIds: JSON.stringify(pageIds.slice(i, i + batchPages)) })
    await forget(tx, known)
    await breath()
  }
  if (pageIds.length > 0) await stampSpace(tx, spaceId, 0)
}

/** Takes all of a space out of the index, when it is gone for good. */
export async function removeSpace(tx: Connection, spaceId: string): Promise<void> {
  const found = await findSpace(tx, { spaceId })
  if (!found) return
  for (;;) {
    const some = await somePages(tx, { ...pageRange(found.number), limit: batchPages })
    if (some.length === 0) break
    await forget(tx, some)
    await breath()
  }
  await removeWords(tx, { space: found.number })
  await removeSpaceNumber(tx, { spaceId })
}

interface Space {
  spaceId: string
  space: number
  known: KnownWords
  slices: TimeSlices
  leavesOrder: boolean
}

/** How many sections it wrote. */
async function putBatch(
  tx: Connection,
  { spaceId, space, known: knownWords, slices, leavesOrder }: Space,
  pages: readonly (SearchablePage | PreparedPage)[],
): Promise<number> {
  const before = await knownPages(tx, { spaceId, pageIds: JSON.stringify(pages.map((page) => page.pageId)) })
  const known = new Map(before.map((row) => [row.pageId, row]))
  const fresh = pages.filter((page) => !known.has(page.pageId))
  // While the known pages still have their numbers: they keep them, and no new page may get one.
  const free = await newNumbers(tx, space, fresh.length)
  const numbers = new Map([
    ...before.map((row) => [row.pageId, row.number] as const),
    ...fresh.map((page, i) => [page.pageId, free[i] ?? 0] as const),
  ])
  const numbered = pages.map((page) => ({ number: numbers.get(page.pageId) ?? 0, page, ...entriesOf(page) }))
  const kept = await keptEntries(
    tx,
    numbered.flatMap((page) => {
      const row = known.get(page.page.pageId)
      return row && saysTheSame(row, page.page) ? [{ ...page, entries: row.entries }] : []
    }),
    slices,
  )
  await forget(tx, before, kept)
  await insertPages(tx, spaceId, numbered)
  let written = 0
  const length = leavesOrder ? longBatchLength : batchLength
  for await (const entries of entryBatches(numbered, { kept, slices, length })) {
    written += entries.length
    await engineOf(tx).insert(
      tx,
      entries.map((entry) => ({ ...entry, spaceId })),
    )
    const words = vocabularyOf(entries, (word) => knownWords.has(space, word))
    await insertWords(tx, space, words)
    tx.afterCommit?.(() => knownWords.add(space, words))
    await slices.next()
    if (leavesOrder) continue
    unsettledIn(tx).characters += entries.reduce((sum, { title, body }) => sum + title.length + body.length, 0)
    if (!engineOf(tx).settlesWhole) await settle(tx, slices)
  }
  return written
}

/** Characters written since the index of a database was last put in order: a short edit leaves its share to the ones after it. */
const unsettled = new WeakMap<Caches, { characters: number }>()

function unsettledIn({ caches }: Connection): { characters: number } {
  const known = unsettled.get(caches) ?? { characters: 0 }
  unsettled.set(caches, known)
  return known
}

async function settle(tx: Connection, slices: TimeSlices): Promise<void> {
  const { settleLength, settlesWhole } = engineOf(tx)
  const written = unsettledIn(tx)
  while (written.characters >= settleLength) {
    written.characters = settlesWhole ? 0 : written.characters - settleLength
    await engineOf(tx).settle(tx)
    await slices.next()
  }
}

/** The entries of pages, some at a time: a page of a megabyte is many batches, and small pages share one. */
async function* entryBatches(
  pages: readonly NumberedPage[],
  { kept, slices, length: wanted }: { kept: ReadonlySet<number>; slices: TimeSlices; length: number },
): AsyncGenerator<NumberedEntry[]> {
  let batch: NumberedEntry[] = []
  let length = 0
  for (const { number: pageNumber, page, pieces, entryOf } of pages) {
    for (const index of pieces.keys()) {
      const number = entryNumber(pageNumber, index)
      if (kept.has(number)) continue
      const entry = entryOf(index)
      batch.push({ ...entry, number, hidden: page.hidden })
      length += entry.body.length + entry.title.length + page.title.length
      if (slices.isOver) await slices.next()
      if (length < wanted) continue
      yield batch
      batch = []
      length = 0
    }
  }
  if (batch.length > 0) yield batch
}

type KnownPage = Awaited<ReturnType<typeof knownPages>>[number]

/** Whether every entry of the page would carry what it carries. */
const saysTheSame = (row: KnownPage, page: SearchablePage): boolean =>
  row.title === storedTitle(page) && (row.hidden !== 0) === page.hidden

/** How many entries are held against the stored ones at once. */
const comparedAtOnce = 100

/** The numbers under which the index has the very section that is to stand there. */
async function keptEntries(
  tx: Connection,
  pages: readonly (NumberedPage & { entries: number })[],
  slices: TimeSlices,
): Promise<ReadonlySet<number>> {
  const kept = new Set<number>()
  const wanted = new Map<number, Piece>()
  for (const { number, pieces, entries } of pages)
    for (const [index, piece] of pieces.slice(0, entries).entries()) wanted.set(entryNumber(number, index), piece)
  const numbers = [...wanted.keys()]
  for (let i = 0; i < numbers.length; i += comparedAtOnce) {
    const rows = await textsOf(tx, { numbers: JSON.stringify(numbers.slice(i, i + comparedAtOnce)) })
    for (const { number, anchor, title, body } of unpackRows(rows)) {
      const piece = wanted.get(number)
      if (piece?.anchor === anchor && piece.title === title && piece.body === body) kept.add(number)
    }
    await slices.next()
  }
  return kept
}

/** Removes pages with their entries, but for those to be kept; their words stay in the vocabulary until the space goes, and lead nowhere. */
async function forget(
  tx: Connection,
  pages: readonly { number: number; entries: number }[],
  kept: ReadonlySet<number> = new Set(),
): Promise<void> {
  if (pages.length === 0) return
  const entries = pages.flatMap((page) => Array.from({ length: page.entries }, (_, i) => entryNumber(page.number, i)))
  await removeEntries(
    tx,
    entries.filter((number) => !kept.has(number)),
  )
  await removeRows(
    tx,
    'searchPage',
    pages.map((page) => page.number),
  )
}

async function removeEntries(tx: Connection, numbers: readonly number[]): Promise<void> {
  if (numbers.length === 0) return
  await engineOf(tx).remove(tx, numbers)
  await removeRows(tx, 'searchText', numbers)
}

const breath = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))
