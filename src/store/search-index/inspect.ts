/** What the index holds, to be held against what it should hold. */
import type { Connection, Statement } from '../database.ts'
import { countAll } from '../paging.ts'
import { all, first } from '../query.ts'
import { entryNumber, pageRange } from './numbers.ts'
import { textColumns, unpackRows } from './rows.ts'

export interface IndexedPage {
  pageId: string
  title: string
  hidden: boolean
  entries: { anchor: string; title: string; body: string }[]
}

const spaceNumber = first((b, p: { spaceId: string }) =>
  b.selectFrom('searchSpace').select('number').where('spaceId', '=', p.spaceId),
)
const pagesAfter = all((b, p: { spaceId: string; after: number }) =>
  b
    .selectFrom('searchPage')
    .selectAll()
    .where('spaceId', '=', p.spaceId)
    .where('number', '>', p.after)
    .orderBy('number')
    .limit(500),
)
const textsBetween = all((b, p: { from: number; to: number }) =>
  b
    .selectFrom('searchText')
    .select(textColumns)
    .where('number', '>=', p.from)
    .where('number', '<', p.to)
    .orderBy('number'),
)

/** The pages of a space as the index has them, in the order of their numbers. */
export async function* indexedPages(db: Connection, spaceId: string): AsyncGenerator<IndexedPage> {
  for (let after = -1; ; ) {
    const pages = await pagesAfter(db, { spaceId, after })
    for (const { number, pageId, title, hidden } of pages) {
      const texts = await textsBetween(db, { from: entryNumber(number, 0), to: entryNumber(number + 1, 0) })
      yield {
        pageId,
        title,
        hidden: hidden !== 0,
        entries: unpackRows(texts).map(({ anchor, title, body }) => ({ anchor, title, body })),
      }
    }
    const last = pages.at(-1)
    if (!last) return
    after = last.number
  }
}

/** How many pages of a space can be found. */
export const countIndexedPages = async (db: Connection, spaceId: string): Promise<number> =>
  (await pageCount(db, { spaceId }))?.count ?? 0

const pageCount = first((b, p: { spaceId: string }) =>
  b.selectFrom('searchPage').select(countAll).where('spaceId', '=', p.spaceId),
)

/** How many sections of a space can be found by their words. */
export async function countIndexed(db: Connection, spaceId: string): Promise<number> {
  const space = await spaceNumber(db, { spaceId })
  if (!space) return 0
  const { from, to } = pageRange(space.number)
  const [row] = await db.all(countEntries[db.engine], [entryNumber(from, 0), entryNumber(to + 1, 0)])
  return Number(row?.count ?? 0)
}

const countEntries: Record<Connection['engine'], Statement> = {
  sqlite: {
    name: 'search_count_entries',
    sql: `select count(*) as "count" from "searchIndex" where rowid >= ? and rowid < ?`,
  },
  postgres: {
    name: 'search_count_entries',
    sql: `select (select count(*) from "searchText" where "words" is not null and "number" >= $1 and "number" < $2)
      + (select count(*) from "searchIndex" where "number" >= $1 and "number" < $2) as "count"`,
  },
}
