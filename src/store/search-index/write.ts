/**
 * What the index holds, changed with the content: in the same transaction, for the changed pages only.
 *
 * Many pages are written in batches, with a breath between them: on SQLite statements run on the event loop's thread.
 * Writers of one space come one after the other (`lock` of the transaction): a new page takes the number behind the last one.
 */
import { sql } from 'kysely'
import { type Entry, entryMaker, type PageText, type Piece, piecesOf, vocabularyOf } from '../../core/search/entries.ts'
import type { Connection } from '../database.ts'
import { all, elementsOf, first, oneOf, run } from '../query.ts'
import { TimeSlices } from '../time-slices.ts'
import { stampSpace } from './cached.ts'
import { engineOf } from './engines.ts'
import { entryNumber, fitsSpace, freeNumbers, pageRange } from './numbers.ts'

export interface SearchablePage extends PageText {
  pageId: string
  /** Found only by those who ask for hidden pages too. */
  hidden: boolean
}

/** About how much text, in characters, is indexed before others get a turn. */
const batchLength = 24_000
const batchPages = 200
/** How long the words of entries are worked out at a stretch. */
const sliceMilliseconds = 2

/** Puts pages into the index, in place of what it held of them. */
export async function putPages(tx: Connection, spaceId: string, pages: readonly SearchablePage[]): Promise<void> {
  if (pages.length === 0) return
  const space = await numberOfSpace(tx, spaceId)
  const last = new Map(pages.map((page) => [page.pageId, page]))
  const distinct = [...last.values()]
  for (let i = 0; i < distinct.length; i += batchPages) {
    await putBatch(tx, { spaceId, space }, distinct.slice(i, i + batchPages))
  }
  await stampSpace(tx, spaceId)
}

/** Takes pages out of the index. */
export async function removePages(tx: Connection, spaceId: string, pageIds: readonly string[]): Promise<void> {
  for (let i = 0; i < pageIds.length; i += batchPages) {
    const known = await knownPages(tx, { spaceId, pageIds: JSON.stringify(pageIds.slice(i, i + batchPages)) })
    await forget(tx, known)
    await breath()
  }
  if (pageIds.length > 0) await stampSpace(tx, spaceId)
}

/** Takes all of a space out of the index, when it is gone for good. */
export async function removeSpace(tx: Connection, spaceId: string): Promise<void> {
  const found = await findSpace(tx, { spaceId })
  if (!found) return
  for (;;) {
    const some = await somePages(tx, pageRange(found.number))
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
}

interface Numbered {
  number: number
  page: SearchablePage
  pieces: Piece[]
}

async function putBatch(tx: Connection, { spaceId, space }: Space, pages: readonly SearchablePage[]): Promise<void> {
  const known = await knownPages(tx, { spaceId, pageIds: JSON.stringify(pages.map((page) => page.pageId)) })
  const numbers = new Map(known.map((row) => [row.pageId, row.number]))
  const fresh = pages.filter((page) => !numbers.has(page.pageId))
  // While the known pages still have their numbers: they keep them, and no new page may get one.
  const free = await newNumbers(tx, space, fresh.length)
  await forget(tx, known)
  for (const [i, page] of fresh.entries()) numbers.set(page.pageId, free[i] ?? 0)
  const numbered = pages.map((page) => ({ number: numbers.get(page.pageId) ?? 0, page, pieces: piecesOf(page) }))
  await insertPages(tx, spaceId, numbered)
  for await (const entries of entryBatches(numbered)) {
    await insertTexts(tx, entries)
    await engineOf(tx).insert(
      tx,
      entries.map((entry) => ({ ...entry, spaceId })),
    )
    await insertWords(tx, space, vocabularyOf(entries))
    await settle(tx, entries)
  }
}

/** What was written since the index was last put in order: a short edit leaves its share to the ones after it. */
let unsettled = 0

async function settle(tx: Connection, entries: readonly NumberedEntry[]): Promise<void> {
  const engine = engineOf(tx)
  await breath()
  if (engine.settleLength === Number.POSITIVE_INFINITY) return
  unsettled += entries.reduce((sum, { title, body }) => sum + title.length + body.length, 0)
  while (unsettled >= engine.settleLength) {
    unsettled -= engine.settleLength
    await engine.settle(tx)
    await breath()
  }
}

interface NumberedEntry extends Entry {
  number: number
  hidden: boolean
}

/** The entries of pages, some at a time: a page of a megabyte is many batches, and small pages share one. */
async function* entryBatches(pages: readonly Numbered[]): AsyncGenerator<NumberedEntry[]> {
  const slices = new TimeSlices(sliceMilliseconds)
  let batch: NumberedEntry[] = []
  let length = 0
  for (const { number, page, pieces } of pages) {
    const entryOf = entryMaker(page)
    for (const [i, piece] of pieces.entries()) {
      batch.push({ ...entryOf(piece), number: entryNumber(number, i), hidden: page.hidden })
      length += piece.body.length + piece.title.length + page.title.length
      if (slices.isOver) await slices.next()
      if (length < batchLength) continue
      yield batch
      batch = []
      length = 0
    }
  }
  if (batch.length > 0) yield batch
}

/** Removes pages with their entries; their words stay in the vocabulary until the space goes, and lead nowhere. */
async function forget(tx: Connection, pages: readonly { number: number; entries: number }[]): Promise<void> {
  if (pages.length === 0) return
  const entries = pages.flatMap((page) => Array.from({ length: page.entries }, (_, i) => entryNumber(page.number, i)))
  await engineOf(tx).remove(tx, entries)
  await removeRows(tx, 'searchText', entries)
  await removeRows(
    tx,
    'searchPage',
    pages.map((page) => page.number),
  )
}

const findSpace = first((b, p: { spaceId: string }) =>
  b.selectFrom('searchSpace').select('number').where('spaceId', '=', p.spaceId),
)
const insertSpace = run((b, p: { spaceId: string }) =>
  b
    .insertInto('searchSpace')
    .values({ spaceId: p.spaceId })
    .onConflict((oc) => oc.doNothing()),
)
const removeSpaceNumber = run((b, p: { spaceId: string }) =>
  b.deleteFrom('searchSpace').where('spaceId', '=', p.spaceId),
)
const removeWords = run((b, p: { space: number }) => b.deleteFrom('searchWord').where('space', '=', p.space))

async function numberOfSpace(tx: Connection, spaceId: string): Promise<number> {
  let found = await findSpace(tx, { spaceId })
  if (!found) {
    await insertSpace(tx, { spaceId })
    found = await findSpace(tx, { spaceId })
  }
  if (!found || !fitsSpace(found.number)) throw new Error('There are more spaces than the search index can number.')
  return found.number
}

/** Of these pages, those the index has. */
const knownPages = all((b, p: { spaceId: string; pageIds: string }, engine) =>
  b
    .selectFrom('searchPage')
    .select(['number', 'pageId', 'entries'])
    .where('spaceId', '=', p.spaceId)
    .where(oneOf(sql.ref('pageId'), p.pageIds, engine)),
)

/** Pages that are made from something else: their ids are made of two. */
export const madePages = all((b, p: { spaceId: string }) =>
  b
    .selectFrom('searchPage')
    .select('pageId')
    .where('spaceId', '=', p.spaceId)
    .where(sql<boolean>`"pageId" like '%!_%' escape '!'`),
)

const somePages = all((b, p: { from: number; to: number }) =>
  b
    .selectFrom('searchPage')
    .select(['number', 'entries'])
    .where('number', '>=', p.from)
    .where('number', '<=', p.to)
    .limit(batchPages),
)

const lastNumber = first((b, p: { from: number; to: number }) =>
  b
    .selectFrom('searchPage')
    .select('number')
    .where('number', '>=', p.from)
    .where('number', '<=', p.to)
    .orderBy('number', 'desc')
    .limit(1),
)
const allNumbers = all((b, p: { from: number; to: number }) =>
  b.selectFrom('searchPage').select('number').where('number', '>=', p.from).where('number', '<=', p.to),
)

async function newNumbers(tx: Connection, space: number, count: number): Promise<number[]> {
  if (count === 0) return []
  const range = pageRange(space)
  const last = (await lastNumber(tx, range))?.number
  // Only a space that has had millions of pages looks for numbers that have come free.
  const used = (last ?? 0) + count > range.to ? (await allNumbers(tx, range)).map((row) => row.number) : []
  return freeNumbers({ space, last, count, used })
}

const putPageRows = run((b, p: { spaceId: string; rows: string }, engine) =>
  b
    .insertInto('searchPage')
    .columns(['number', 'spaceId', 'pageId', 'title', 'hidden', 'entries'])
    .expression(
      sql`select cast(value ->> 0 as bigint), cast(${p.spaceId} as text), value ->> 1, value ->> 2,
          cast(value ->> 3 as integer), cast(value ->> 4 as integer) from ${elementsOf(p.rows, engine)}`,
    ),
)

async function insertPages(tx: Connection, spaceId: string, pages: readonly Numbered[]): Promise<void> {
  const rows = pages.map(({ number, page, pieces }) => [
    number,
    page.pageId,
    page.title.replaceAll('\0', ' ').toWellFormed(),
    page.hidden ? 1 : 0,
    pieces.length,
  ])
  await putPageRows(tx, { spaceId, rows: JSON.stringify(rows) })
}

const putTextRows = run((b, p: { rows: string }, engine) =>
  b
    .insertInto('searchText')
    .columns(['number', 'anchor', 'title', 'body'])
    .expression(
      sql`select cast(value ->> 0 as bigint), value ->> 1, value ->> 2, value ->> 3 from ${elementsOf(p.rows, engine)}`,
    ),
)

async function insertTexts(tx: Connection, entries: readonly NumberedEntry[]): Promise<void> {
  const rows = entries.map(({ number, anchor, title, body }) => [number, anchor, title, body])
  await putTextRows(tx, { rows: JSON.stringify(rows) })
}

// SQLite needs the `where` to tell a conflict clause from a join.
const putWordRows = run((b, p: { rows: string }, engine) =>
  b
    .insertInto('searchWord')
    .columns(['space', 'word'])
    .expression(sql`select cast(value ->> 0 as bigint), value ->> 1 from ${elementsOf(p.rows, engine)} where true`)
    .onConflict((oc) => oc.doNothing()),
)

async function insertWords(tx: Connection, space: number, words: readonly string[]): Promise<void> {
  if (words.length > 0) await putWordRows(tx, { rows: JSON.stringify(words.map((word) => [space, word])) })
}

const removal = (table: 'searchText' | 'searchPage') =>
  run((b, p: { numbers: string }, engine) => {
    const list =
      engine === 'sqlite'
        ? sql`select value from json_each(${p.numbers})`
        : sql`select value::bigint from jsonb_array_elements_text(${p.numbers}::jsonb)`
    return b.deleteFrom(table).where(sql<boolean>`"number" in (${list})`)
  })
const removals = { searchText: removal('searchText'), searchPage: removal('searchPage') }

const removeRows = (tx: Connection, table: keyof typeof removals, numbers: readonly number[]): Promise<number> =>
  removals[table](tx, { numbers: JSON.stringify(numbers) })

const breath = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))
