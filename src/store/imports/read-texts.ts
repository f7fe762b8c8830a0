/** What the files of a space's imports were read as the last time; derived, one row a path. */
import { sql } from 'kysely'
import type { Connection } from '../database.ts'
import { all, elementsOf, run } from '../query.ts'
import type { ReadTextTable } from '../tables.ts'

export type ReadTextRow = Omit<ReadTextTable, 'spaceId'>

const ofSpace = all((b, p: { spaceId: string }) =>
  b.selectFrom('readText').select(['path', 'source', 'document', 'page']).where('spaceId', '=', p.spaceId),
)

export const readTextsOf = async (db: Connection, spaceId: string): Promise<Map<string, ReadTextRow>> =>
  new Map((await ofSpace(db, { spaceId })).map((row) => [row.path, row]))

/** In the order of their paths, so that two who store the same do not lock crosswise. */
export async function putReadTexts(tx: Connection, spaceId: string, rows: readonly ReadTextRow[]): Promise<void> {
  const sorted = [...rows].sort((a, b) => (a.path < b.path ? -1 : 1))
  const values = sorted.map(({ path, source, document, page }) => [path, source, document, page])
  await put(tx, { spaceId, rows: JSON.stringify(values) })
}

// SQLite needs the `where` to tell a conflict clause from a join.
const put = run((b, p: { spaceId: string; rows: string }, engine) =>
  b
    .insertInto('readText')
    .columns(['spaceId', 'path', 'source', 'document', 'page'])
    .expression(
      sql`select cast(${p.spaceId} as text), value ->> 0, value ->> 1, value ->> 2, value ->> 3
          from ${elementsOf(p.rows, engine)} where true`,
    )
    .onConflict((oc) =>
      oc.columns(['spaceId', 'path']).doUpdateSet((eb) => ({
        source: eb.ref('excluded.source'),
        document: eb.ref('excluded.document'),
        page: eb.ref('excluded.page'),
      })),
    ),
)
