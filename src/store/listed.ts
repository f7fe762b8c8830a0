/** What belongs to something, in the order in which it was made: a page at a time, and how many there are. */
import { sql } from 'kysely'
import type { Connection } from './database.ts'
import { beyond, countAll, type Order, type Page, type PageValues, pageIn, pageValues } from './paging.ts'
import { first, formed } from './query.ts'
import type { Tables } from './tables.ts'

/** The rows of a table whose `owner` column holds an id. */
export function listedBy<T extends keyof Tables>(table: T, owner: keyof Tables[T] & string) {
  const isOwned = (id: string) => sql<boolean>`${sql.ref(owner)} = ${id}`
  const rows = formed((b, p: { id: string } & PageValues, _engine, { order }: { order: Order }) =>
    b
      .selectFrom(table as 'shareLink')
      .selectAll()
      .where(isOwned(p.id))
      .where(beyond({ key: 'createdAt', id: 'id' }, pageIn(p, order)))
      .orderBy('createdAt', order)
      .orderBy('id', order)
      .limit(sql<number>`${p.limit}`),
  )
  const counted = first((b, p: { id: string }) =>
    b
      .selectFrom(table as 'shareLink')
      .select(countAll)
      .where(isOwned(p.id)),
  )
  return {
    list: (db: Connection, id: string, page: Page) =>
      rows(db, { order: page.order }, { id, ...pageValues(page) }) as unknown as Promise<Tables[T][]>,
    count: async (db: Connection, id: string): Promise<number> => (await counted(db, { id }))?.count ?? 0,
  }
}
