/**
 * Whole tables, whatever they hold: read page by page, written back, counted. For backups, restores and the mover.
 *
 * Columns and primary keys are read from the database itself, so that a backup can be taken before an upgrade has run, by
 * code that is newer than the tables.
 */
import type { Connection, Row, Value } from '../database.ts'
import { textOfDocument } from '../packed/document-text.ts'
import { isOwnTable, tableList } from './table-list.ts'

export interface Table {
  name: string
  columns: readonly string[]
  /** Columns of the primary key, in its order. */
  key: readonly string[]
  /** Its rows may be packed (store/packed/pack.ts); outside the database they never are. */
  isPacked: boolean
  /** The columns that say so. */
  packing: readonly string[]
}

/** Pages hold about this many bytes, whether rows are short or whole documents. */
const pageBytes = 2 * 1024 * 1024
const firstPage = 200
const longestPage = 2000

/** The most values that one statement may carry on both engines. */
const statementValues = 30_000

const names = {
  sqlite: `select "name" from "sqlite_master" where "type" = 'table' and "name" not like 'sqlite_%' order by "name"`,
  postgres: `select "table_name" as "name" from "information_schema"."tables"
    where "table_schema" = current_schema() and "table_type" = 'BASE TABLE' order by "table_name"`,
}

const columnsOf = {
  sqlite: (name: string) => `select "name", "pk" from pragma_table_info(${text(name)}) order by "cid"`,
  postgres: (
    name: string,
  ) => `select a."attname" as "name", coalesce(array_position(i."indkey"::int2[], a."attnum") + 1, 0) as "pk"
    from "pg_attribute" a left join "pg_index" i on i."indrelid" = a."attrelid" and i."indisprimary"
    where a."attrelid" = ${text(quote(name))}::regclass and a."attnum" > 0 and not a."attisdropped" order by a."attnum"`,
}

/** All tables of the database but the note of the migrations. */
export async function listTables(db: Connection): Promise<string[]> {
  const rows = await db.all({ sql: names[db.engine], name: '' }, [])
  return rows.map((row) => String(row.name)).filter(isOwnTable)
}

/** The tables that a backup carries, in the order in which they can be filled; throws when the database has one unknown to us. */
export async function archivedTables(db: Connection): Promise<Table[]> {
  const present = new Set(await listTables(db))
  const unknown = [...present].filter((name) => !(name in tableList))
  if (unknown.length > 0) {
    throw new UnknownTables(`The database holds tables that Lectern does not know: ${unknown.join(', ')}.`)
  }
  const tables: Table[] = []
  for (const [name, content] of Object.entries(tableList)) {
    if (content === 'rows' && present.has(name)) tables.push(await describeTable(db, name))
  }
  return tables
}

class UnknownTables extends Error {
  override name = 'UnknownTables'
}

async function describeTable(db: Connection, name: string): Promise<Table> {
  const columns = await db.all({ sql: columnsOf[db.engine](name), name: '' }, [])
  const key = columns.filter(({ pk }) => Number(pk) > 0).sort((a, b) => Number(a.pk) - Number(b.pk))
  const all = columns.map((column) => String(column.name))
  const isPacked = packedTables.has(name) && all.includes('packed')
  return {
    name,
    columns: isPacked ? all.filter((column) => !ofPacking.includes(column)) : all,
    packing: isPacked ? ofPacking.filter((column) => all.includes(column)) : [],
    key: key.map((column) => String(column.name)),
    isPacked,
  }
}

const packedTables: ReadonlySet<string> = new Set(['treeNode', 'document'])

/** All rows in the order of the primary key, a page at a time. */
export async function* readPages(db: Connection, table: Table): AsyncGenerator<Row[]> {
  const columns = [...table.columns, ...table.packing].map(quote).join(', ')
  const key = table.key.map(quote).join(', ')
  let limit = firstPage
  let last: Row | undefined
  for (;;) {
    const after = last ? `where (${key}) > (${parameters(db, table.key.length)})` : ''
    const sql = `select ${columns} from ${quote(table.name)} ${after} order by ${key} limit ${limit}`
    const rows = await db.all({ sql, name: '' }, valuesOf(last, last ? table.key : []))
    const page = table.isPacked ? await Promise.all(rows.map((row) => unpacked(db, row))) : rows
    if (page.length > 0) yield page
    if (page.length < limit) return
    last = page.at(-1)
    const each = page.reduce((sum, row) => sum + sizeOf(row), 0) / page.length
    limit = Math.max(1, Math.min(longestPage, Math.floor(pageBytes / each)))
  }
}

async function unpacked(db: Connection, { packed = null, base = null, ...row }: Row): Promise<Row> {
  if (!(packed instanceof Uint8Array)) return row
  const stored = { value: String(row.value), packed, base: base === null ? null : String(base) }
  return { ...row, value: await textOfDocument(db, stored) }
}

/** Columns that say how a row is stored, not what it holds. */
const ofPacking = ['packed', 'base']

export async function insertRows(tx: Connection, table: Table, rows: readonly Row[]): Promise<void> {
  const columns = table.columns
  const step = Math.max(1, Math.floor(Math.min(500, statementValues / columns.length)))
  for (let start = 0; start < rows.length; start += step) {
    const some = rows.slice(start, start + step)
    const tuples = some.map((_, index) => `(${parameters(tx, columns.length, index * columns.length)})`).join(', ')
    const sql = `insert into ${quote(table.name)} (${columns.map(quote).join(', ')}) values ${tuples}`
    await tx.run(
      { sql, name: '' },
      some.flatMap((row) => valuesOf(row, columns)),
    )
  }
}

export async function countRows(db: Connection, name: string): Promise<number> {
  const [row] = await db.all({ sql: `select count(*) as "count" from ${quote(name)}`, name: '' }, [])
  return Number(row?.count ?? 0)
}

/** The first table that holds rows, if any. Files alone do not count: they come first, and are found by nobody without rows. */
export async function firstFilled(db: Connection): Promise<string | undefined> {
  const present = await listTables(db)
  const files = Object.entries(tableList).flatMap(([name, content]) => (content === 'files' ? [name] : []))
  for (const name of present.filter((table) => !files.includes(table))) {
    if ((await db.all({ sql: `select 1 as "one" from ${quote(name)} limit 1`, name: '' }, [])).length > 0) return name
  }
  return undefined
}

/** What the engine finds wrong with its own files. PostgreSQL looks after itself. */
export async function findDamage(db: Connection): Promise<string[]> {
  if (db.engine !== 'sqlite') return []
  const integrity = await db.all({ sql: 'PRAGMA integrity_check(20)', name: '' }, [])
  const orphans = await db.all({ sql: 'PRAGMA foreign_key_check', name: '' }, [])
  return [
    ...integrity.map((row) => String(row.integrity_check)).filter((line) => line !== 'ok'),
    ...orphans.slice(0, 20).map((row) => `A row of ${row.table} refers to a row of ${row.parent} that is not there.`),
  ]
}

const quote = (name: string): string => `"${name.replaceAll('"', '""')}"`
const text = (value: string): string => `'${value.replaceAll("'", "''")}'`

const parameters = (db: Connection, count: number, from = 0): string =>
  Array.from({ length: count }, (_, index) => (db.engine === 'postgres' ? `$${from + index + 1}` : '?')).join(', ')

const valuesOf = (row: Row | undefined, columns: readonly string[]): Value[] =>
  columns.map((column) => row?.[column] ?? null)

const sizeOf = (row: Row): number =>
  Object.values(row).reduce<number>(
    (sum, value) => sum + (typeof value === 'string' || value instanceof Uint8Array ? value.length : 8),
    16,
  )
