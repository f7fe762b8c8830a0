// What a database holds, in bytes: by table with its indexes, and in all.
import { join } from 'node:path'
import { DatabaseSync } from '@photostructure/sqlite'
import pg from 'pg'

const parts = [
  ['documents', /^(document|spaceDocument|printed)/],
  ['links', /^link/],
  ['search', /^search/],
  ['tree', /^(treeNode|revision|slugAlias)/],
]

/** @returns {Promise<{ total: number, parts: Record<string, number> }>} */
export async function storedBytes({ folder, url }) {
  const tables = url ? await tablesOfPostgres(url) : tablesOfSqlite(join(folder, 'lectern.db'))
  const found = Object.fromEntries(parts.map(([name]) => [name, 0]))
  for (const [table, bytes] of tables) {
    const part = parts.find(([, pattern]) => pattern.test(table))
    if (part) found[part[0]] += bytes
  }
  // The bytes of files are their own; on PostgreSQL they lie in the database too.
  const rows = tables.filter(([table]) => !/^blob/.test(table))
  return { total: rows.reduce((sum, [, bytes]) => sum + bytes, 0), parts: found }
}

function tablesOfSqlite(file) {
  const db = new DatabaseSync(file)
  db.exec('pragma wal_checkpoint(truncate)')
  const rows = db
    .prepare(
      `select coalesce(m.tbl_name, s.name) as name, sum(s.pgsize) as bytes from dbstat s
       left join sqlite_schema m on m.name = s.name group by 1`,
    )
    .all()
  db.close()
  return rows.map(({ name, bytes }) => [name, bytes])
}

async function tablesOfPostgres(url) {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query('vacuum analyze')
  const { rows } = await client.query(
    `select relname as name, pg_total_relation_size(c.oid)::float8 as bytes from pg_class c
     join pg_namespace n on n.oid = c.relnamespace where n.nspname = 'public' and c.relkind = 'r'`,
  )
  await client.end()
  return rows.map(({ name, bytes }) => [name, bytes])
}
