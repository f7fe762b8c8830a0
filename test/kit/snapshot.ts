/** What the database holds, as one hash for each table: equal before and after means that nothing was written. */
import { createHash } from 'node:crypto'
import type { Database, Row, Statement } from '../../src/store/database.ts'

export type Snapshot = ReadonlyMap<string, string>

/**
 * Notes that any request may leave: when a token was last used, how often somebody guessed, and that they guessed wrong. And what
 * follows from other writes by triggers.
 */
const ignored: Record<string, readonly string[]> = { apiToken: ['lastUsedAt'], session: ['lastUsedAt'] }
const ignoredTables: readonly string[] = ['signinGuess', 'rowVersion']
const ignoredJob = 'refused-sign-in'

export async function snapshotOf(db: Database): Promise<Snapshot> {
  return db.engine === 'sqlite' ? readSqlite(db) : readPostgres(db)
}

/** The tables that differ. */
export const changed = (before: Snapshot, after: Snapshot): string[] =>
  [...after.keys()].filter((name) => before.get(name) !== after.get(name)).sort()

/** The last snapshot of each database with the mark it was taken at: while the mark stands, nothing was committed. */
const latest = new WeakMap<Database, { mark: number | undefined; snapshot: Snapshot }>()

async function readSqlite(db: Database): Promise<Snapshot> {
  const known = latest.get(db)
  if (known && known.mark === db.commitVersion()) return known.snapshot
  const names = await namesOf(
    db,
    `select name from sqlite_master where type = 'table' and name not like 'sqlite_%' and sql not like 'CREATE VIRTUAL%'`,
  )
  // Inside a transaction, so that the tables are of one moment.
  const snapshot = await db.transaction(async (tx) => {
    const tables = new Map<string, string>()
    for (const name of names) {
      const rows = await tx.all(statement(`select * from "${name}"`), [])
      const kept = name === 'job' ? rows.filter(({ kind }) => kind !== ignoredJob) : rows
      tables.set(name, hashOf(kept.map((row) => textOf(row, ignored[name] ?? [])).sort()))
    }
    return tables
  })
  latest.set(db, { mark: db.commitVersion(), snapshot })
  return snapshot
}

/** One statement sees one moment, and PostgreSQL hashes where the rows are. */
async function readPostgres(db: Database): Promise<Snapshot> {
  const names = await namesOf(db, `select tablename as name from pg_tables where schemaname = 'public'`)
  const parts = names.map((name) => {
    const without = (ignored[name] ?? []).map((column) => ` - '${column}'`).join('')
    const row = `md5(${without === '' ? 't::text' : `(to_jsonb(t)${without})::text`})`
    const where = name === 'job' ? `where t.kind <> '${ignoredJob}'` : ''
    return `select '${name}' as name, md5(string_agg(${row}, '' order by ${row})) as hash from "${name}" t ${where}`
  })
  const rows = await db.all(statement(parts.join(' union all ')), [])
  return new Map(rows.map(({ name, hash }) => [String(name), String(hash)]))
}

const namesOf = async (db: Database, sql: string): Promise<string[]> =>
  (await db.all(statement(sql), [])).map((row) => String(row.name)).filter((name) => !ignoredTables.includes(name))

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
