/** What the database holds, as one hash for each table: equal before and after means that nothing was written. */
import { createHash } from 'node:crypto'
import type { Database, Row, Statement } from '../../src/store/database.ts'

export type Snapshot = ReadonlyMap<string, string>

/** Notes that any request may leave: when a token was last used, how often somebody guessed, and that they guessed wrong. */
const ignored: Record<string, readonly string[]> = { apiToken: ['lastUsedAt'], session: ['lastUsedAt'] }
const ignoredTables: readonly string[] = ['signinGuess']

const isNote = (table: string, { kind }: Row): boolean => table === 'job' && kind === 'refused-sign-in'

export async function snapshotOf(db: Database): Promise<Snapshot> {
  const names = (await tablesOf(db)).filter((name) => !ignoredTables.includes(name))
  // Inside a transaction, so that on both engines the tables are of one moment.
  return db.transaction(async (tx) => {
    const tables = new Map<string, string>()
    for (const name of names) {
      const rows = (await tx.all(statement(`select * from "${name}"`), [])).filter((row) => !isNote(name, row))
      tables.set(name, hashOf(rows.map((row) => textOf(row, ignored[name] ?? [])).sort()))
    }
    return tables
  })
}

/** The tables that differ. */
export const changed = (before: Snapshot, after: Snapshot): string[] =>
  [...after.keys()].filter((name) => before.get(name) !== after.get(name)).sort()

async function tablesOf(db: Database): Promise<string[]> {
  const sql =
    db.engine === 'sqlite'
      ? `select name from sqlite_master where type = 'table' and name not like 'sqlite_%' and sql not like 'CREATE VIRTUAL%'`
      : `select tablename as name from pg_tables where schemaname = 'public'`
  return (await db.all(statement(sql), [])).map((row) => String(row.name))
}

const statement = (sql: string): Statement => ({
  sql,
  name: `test_${createHash('sha1').update(sql).digest('base64url')}`,
})

const textOf = (row: Row, without: readonly string[]): string =>
  JSON.stringify(
    Object.entries(row)
      .filter(([name]) => !without.includes(name))
      .map(([name, value]) => [name, value instanceof Uint8Array ? Buffer.from(value).toString('base64') : value]),
  )

const hashOf = (lines: readonly string[]): string => createHash('sha1').update(lines.join('\n')).digest('base64url')
