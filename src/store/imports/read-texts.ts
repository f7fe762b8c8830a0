/** What the files of a space's imports were read as the last time; derived, one row a path. */
import type { Connection } from '../database.ts'
import { all, dynamicRun } from '../query.ts'
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
  for (let at = 0; at < sorted.length; at += 100) {
    const some = sorted.slice(at, at + 100).map((row) => ({ ...row, spaceId }))
    await dynamicRun(tx, (b) =>
      b
        .insertInto('readText')
        .values(some)
        .onConflict((oc) =>
          oc.columns(['spaceId', 'path']).doUpdateSet((eb) => ({
            source: eb.ref('excluded.source'),
            document: eb.ref('excluded.document'),
            page: eb.ref('excluded.page'),
          })),
        ),
    )
  }
}
