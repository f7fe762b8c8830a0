/** The rows of the index: spaces and pages under their numbers, the sections of pages, and words. */
import { sql } from 'kysely'
import type { Connection, EngineName } from '../database.ts'
import { unpackShort } from '../packed/short-texts.ts'
import { all, elementsOf, first, fromHex, oneOf, run } from '../query.ts'
import type { SearchTextTable } from '../tables.ts'
import { fitsSpace, freeNumbers, pageRange } from './numbers.ts'
import type { Entries, PreparedEntry, SearchablePage } from './prepare.ts'

export interface NumberedPage extends Entries {
  number: number
  page: SearchablePage
}

export interface NumberedEntry extends PreparedEntry {
  number: number
  hidden: boolean
}

export const findSpace = first((b, p: { spaceId: string }) =>
  b.selectFrom('searchSpace').select('number').where('spaceId', '=', p.spaceId),
)
const insertSpace = run((b, p: { spaceId: string }) =>
  b
    .insertInto('searchSpace')
    .values({ spaceId: p.spaceId })
    .onConflict((oc) => oc.doNothing()),
)
export const removeSpaceNumber = run((b, p: { spaceId: string }) =>
  b.deleteFrom('searchSpace').where('spaceId', '=', p.spaceId),
)
export const removeWords = run((b, p: { space: number }) => b.deleteFrom('searchWord').where('space', '=', p.space))

export async function numberOfSpace(tx: Connection, spaceId: string): Promise<number> {
  let found = await findSpace(tx, { spaceId })
  if (!found) {
    await insertSpace(tx, { spaceId })
    found = await findSpace(tx, { spaceId })
  }
  if (!found || !fitsSpace(found.number)) throw new Error('There are more spaces than the search index can number.')
  return found.number
}

/** Of these pages, those the index has. */
export const knownPages = all((b, p: { spaceId: string; pageIds: string }, engine) =>
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

export const isMadeId = (pageId: string): boolean => pageId.includes('_')

export const findSearchPage = first((b, p: { spaceId: string; pageId: string }) =>
  b.selectFrom('searchPage').select('pageId').where('spaceId', '=', p.spaceId).where('pageId', '=', p.pageId),
)

export const somePages = all((b, p: { from: number; to: number; limit: number }) =>
  b
    .selectFrom('searchPage')
    .select(['number', 'entries'])
    .where('number', '>=', p.from)
    .where('number', '<=', p.to)
    .limit(p.limit),
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

export async function newNumbers(tx: Connection, space: number, count: number): Promise<number[]> {
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

export async function insertPages(tx: Connection, spaceId: string, pages: readonly NumberedPage[]): Promise<void> {
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
export const storedTitle = ({ title }: SearchablePage): string => title.replaceAll('\0', ' ').toWellFormed()

const putTextRows = run((b, p: { rows: string }, engine) =>
  b
    .insertInto('searchText')
    .columns(['number', 'anchor', 'title', 'body', 'packed'])
    .expression(
      sql`select cast(value ->> 0 as bigint), value ->> 1, value ->> 2, value ->> 3, ${fromHex(sql`value ->> 4`, engine)}
          from ${elementsOf(p.rows, engine)}`,
    ),
)

export async function insertTexts(tx: Connection, entries: readonly NumberedEntry[]): Promise<void> {
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

export async function insertWords(tx: Connection, space: number, words: readonly string[]): Promise<void> {
  if (words.length > 0) await putWordRows(tx, { rows: JSON.stringify(words.map((word) => [space, word])) })
}

const isNumberIn = (numbers: string, engine: EngineName) =>
  engine === 'sqlite'
    ? sql<boolean>`"number" in (select value from json_each(${numbers}))`
    : sql<boolean>`"number" = any(array(select value::bigint from jsonb_array_elements_text(${numbers}::jsonb)))`

/** Sections as they were given, however they are stored. */
export function unpackRows<T extends Pick<SearchTextTable, 'body' | 'packed'>>(
  rows: readonly T[],
): Omit<T, 'packed'>[] {
  const bodies = unpackShort(rows.flatMap(({ packed }) => packed ?? []))
  let next = 0
  return rows.map(({ packed, ...row }) => (packed === null ? row : { ...row, body: bodies[next++] ?? '' }))
}

/** Without the words, which only PostgreSQL has here. */
export const textColumns = ['number', 'anchor', 'title', 'body', 'packed'] as const

export const textsOf = all((b, p: { numbers: string }, engine) =>
  b.selectFrom('searchText').select(textColumns).where(isNumberIn(p.numbers, engine)),
)

const removal = (table: 'searchText' | 'searchPage') =>
  run((b, p: { numbers: string }, engine) => b.deleteFrom(table).where(isNumberIn(p.numbers, engine)))
const removals = { searchText: removal('searchText'), searchPage: removal('searchPage') }

export const removeRows = (tx: Connection, table: keyof typeof removals, numbers: readonly number[]): Promise<number> =>
  removals[table](tx, { numbers: JSON.stringify(numbers) })
