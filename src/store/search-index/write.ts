/**
 * What the index holds, changed with the content: in the same transaction, for the changed sections of changed pages only.
 * A section that says what it said, under the same title and in the same place of its page, is not written again: an edit of
 * one paragraph of a long page is one section of it.
 *
 * Many pages are written in batches, with a breath between them: on SQLite statements run on the event loop's thread.
 * Writers of one space come one after the other (`lock` of the transaction): a new page takes the number behind the last one.
 */
import { sql } from 'kysely'
import { type Entry, entryMaker, type PageText, type Piece, piecesOf, vocabularyOf } from '../../core/search/entries.ts'
import type { Connection, EngineName } from '../database.ts'
import { packShort } from '../packed/short-texts.ts'
import { all, elementsOf, first, fromHex, oneOf, run } from '../query.ts'
import { TimeSlices } from '../time-slices.ts'
import { stampSpace } from './cached.ts'
import { engineOf } from './engines.ts'
import { unpackRows } from './inspect.ts'
import { entryNumber, fitsSpace, freeNumbers, pageRange } from './numbers.ts'

export interface SearchablePage extends PageText {
  pageId: string
  /** Found only by those who ask for hidden pages too. */
  hidden: boolean
}

/** With its entries worked out: that takes longer than to write them, and is done before the transaction where others wait. */
export interface PreparedPage extends SearchablePage {
  entries: readonly PreparedEntry[]
}

interface PreparedEntry extends Entry {
  vocabulary: readonly string[]
  /** Its body as it is stored, in hexadecimal digits; nothing where it is stored as it is. */
  packed: string | undefined
}

export async function preparePage(page: SearchablePage, slices: TimeSlices): Promise<PreparedPage> {
  const entries: PreparedEntry[] = []
  const { pieces, entryOf } = entriesOf(page)
  for (const place of pieces.keys()) {
    entries.push(entryOf(place))
    if (slices.isOver) await slices.next()
  }
  return { ...page, entries }
}

/**
 * Words that the vocabulary of a space is known to have, so that they need not be looked for again: pages of one space use
 * mostly the same ones. They stay there until the space goes, and one that comes back has another number.
 */
export class KnownWords {
  #space: number | undefined
  #words = new Set<string>()

  has(space: number, word: string): boolean {
    return space === this.#space && this.#words.has(word)
  }

  add(space: number, words: readonly string[]): void {
    if (space !== this.#space || this.#words.size > mostKnownWords) this.#words = new Set()
    this.#space = space
    for (const word of words) this.#words.add(word)
  }
}

const mostKnownWords = 100_000

/** About how much text, in characters, is indexed before others get a turn. */
const batchLength = 24_000
const batchPages = 200
/** How long the words of entries are worked out at a stretch. */
const sliceMilliseconds = 2

export interface Putting {
  known?: KnownWords
  /** How long it holds the event loop at a stretch: the longer, the shorter others wait for the transaction. */
  milliseconds?: number
}

/** Puts pages into the index, in place of what it held of them. */
export async function putPages(
  tx: Connection,
  spaceId: string,
  pages: readonly (SearchablePage | PreparedPage)[],
  { known = new KnownWords(), milliseconds = sliceMilliseconds }: Putting = {},
): Promise<void> {
  if (pages.length === 0) return
  const space = await numberOfSpace(tx, spaceId)
  const slices = new TimeSlices(milliseconds)
  const last = new Map(pages.map((page) => [page.pageId, page]))
  const distinct = [...last.values()]
  for (let i = 0; i < distinct.length; i += batchPages) {
    await putBatch(tx, { spaceId, space, known, slices }, distinct.slice(i, i + batchPages))
  }
  await settle(tx, slices)
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
  known: KnownWords
  slices: TimeSlices
}

interface Numbered {
  number: number
  page: SearchablePage
  pieces: readonly Piece[]
  entryOf: (place: number) => PreparedEntry
}

/** Entries are made one by one as they are asked for, unless they are there already. */
function entriesOf(page: SearchablePage | PreparedPage): Pick<Numbered, 'pieces' | 'entryOf'> {
  if ('entries' in page) {
    const { entries } = page
    return { pieces: entries, entryOf: (place) => given(entries[place]) }
  }
  const pieces = piecesOf(page)
  const make = entryMaker(page)
  const entryOf = (place: number) => {
    const entry = make(given(pieces[place]))
    const packed = packShort(entry.body)
    return {
      ...entry,
      vocabulary: vocabularyOf([entry]),
      packed: packed && Buffer.from(packed).toString('hex'),
    }
  }
  return { pieces, entryOf }
}

function given<T>(item: T | undefined): T {
  if (item === undefined) throw new Error('A page has no entry at this place.')
  return item
}

async function putBatch(
  tx: Connection,
  { spaceId, space, known: knownWords, slices }: Space,
  pages: readonly (SearchablePage | PreparedPage)[],
): Promise<void> {
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
  for await (const entries of entryBatches(numbered, kept, slices)) {
    await insertTexts(tx, entries)
    await engineOf(tx).insert(
      tx,
      entries.map((entry) => ({ ...entry, spaceId })),
    )
    const words = new Set(
      entries.flatMap(({ vocabulary }) => vocabulary.filter((word) => !knownWords.has(space, word))),
    )
    // Sorted, so that two writers take rows in one order.
    await insertWords(tx, space, [...words].sort())
    tx.afterCommit?.(() => knownWords.add(space, [...words]))
    unsettled += entries.reduce((sum, { title, body }) => sum + title.length + body.length, 0)
    await slices.next()
    if (!engineOf(tx).settlesWhole) await settle(tx, slices)
  }
}

/** Characters written since the index was last put in order: a short edit leaves its share to the ones after it. */
let unsettled = 0

async function settle(tx: Connection, slices: TimeSlices): Promise<void> {
  const { settleLength, settlesWhole } = engineOf(tx)
  while (unsettled >= settleLength) {
    unsettled = settlesWhole ? 0 : unsettled - settleLength
    await engineOf(tx).settle(tx)
    await slices.next()
  }
}

interface NumberedEntry extends PreparedEntry {
  number: number
  hidden: boolean
}

/** The entries of pages, some at a time: a page of a megabyte is many batches, and small pages share one. */
async function* entryBatches(
  pages: readonly Numbered[],
  kept: ReadonlySet<number>,
  slices: TimeSlices,
): AsyncGenerator<NumberedEntry[]> {
  let batch: NumberedEntry[] = []
  let length = 0
  for (const { number: pageNumber, page, pieces, entryOf } of pages) {
    for (const place of pieces.keys()) {
      const number = entryNumber(pageNumber, place)
      if (kept.has(number)) continue
      const entry = entryOf(place)
      batch.push({ ...entry, number, hidden: page.hidden })
      length += entry.body.length + entry.title.length + page.title.length
      if (slices.isOver) await slices.next()
      if (length < batchLength) continue
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
  pages: readonly (Numbered & { entries: number })[],
  slices: TimeSlices,
): Promise<ReadonlySet<number>> {
  const kept = new Set<number>()
  const wanted = new Map<number, Piece>()
  for (const { number, pieces, entries } of pages)
    for (const [place, piece] of pieces.slice(0, entries).entries()) wanted.set(entryNumber(number, place), piece)
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
    .select(['number', 'pageId', 'entries', 'title', 'hidden'])
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
    storedTitle(page),
    page.hidden ? 1 : 0,
    pieces.length,
  ])
  await putPageRows(tx, { spaceId, rows: JSON.stringify(rows) })
}

/** Without what a database cannot keep as text. */
const storedTitle = ({ title }: SearchablePage): string => title.replaceAll('\0', ' ').toWellFormed()

const putTextRows = run((b, p: { rows: string }, engine) =>
  b
    .insertInto('searchText')
    .columns(['number', 'anchor', 'title', 'body', 'packed'])
    .expression(
      sql`select cast(value ->> 0 as bigint), value ->> 1, value ->> 2, value ->> 3, ${fromHex(sql`value ->> 4`, engine)}
          from ${elementsOf(p.rows, engine)}`,
    ),
)

async function insertTexts(tx: Connection, entries: readonly NumberedEntry[]): Promise<void> {
  const rows = entries.map(({ number, anchor, title, body, packed }) =>
    packed === undefined ? [number, anchor, title, body, null] : [number, anchor, title, '', packed],
  )
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

const isNumberIn = (numbers: string, engine: EngineName) =>
  engine === 'sqlite'
    ? sql<boolean>`"number" in (select value from json_each(${numbers}))`
    : sql<boolean>`"number" in (select value::bigint from jsonb_array_elements_text(${numbers}::jsonb))`

const textsOf = all((b, p: { numbers: string }, engine) =>
  b.selectFrom('searchText').selectAll().where(isNumberIn(p.numbers, engine)),
)

const removal = (table: 'searchText' | 'searchPage') =>
  run((b, p: { numbers: string }, engine) => b.deleteFrom(table).where(isNumberIn(p.numbers, engine)))
const removals = { searchText: removal('searchText'), searchPage: removal('searchPage') }

const removeRows = (tx: Connection, table: keyof typeof removals, numbers: readonly number[]): Promise<number> =>
  removals[table](tx, { numbers: JSON.stringify(numbers) })

const breath = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))
