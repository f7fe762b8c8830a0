// Statements by hand, on SQLite or PostgreSQL. SQLite answers at once and PostgreSQL later: whoever asks awaits both.
import pg from 'pg'

/** `one` and `all` give rows. */
export const openDatabase = ({ file, url, connections }) => (url ? openPostgres(url, connections) : openSqlite(file))

async function openSqlite(file) {
  const { DatabaseSync } = await import('@photostructure/sqlite')
  const db = new DatabaseSync(file)
  for (const pragma of [
    'busy_timeout = 10000',
    'journal_mode = WAL',
    'synchronous = FULL',
    'foreign_keys = ON',
    'wal_autocheckpoint = 0',
  ])
    db.exec(`PRAGMA ${pragma}`)
  const statement = (sql) => {
    const made = db.prepare(sql)
    return {
      one: (...values) => made.get(...values),
      all: (...values) => made.all(...values),
      run: made.run.bind(made),
    }
  }
  return {
    isPostgres: false,
    statement,
    exec: db.exec.bind(db),
    close: () => db.close(),
  }
}

async function openPostgres(url, max = 10) {
  const pool = new pg.Pool({ connectionString: url, max })
  const names = new Map()
  const nameOf = (sql) => names.get(sql) ?? names.set(sql, `least${names.size}`).get(sql)
  const statement = (sql) => {
    let n = 0
    const text = sql.replaceAll('?', () => `$${++n}`)
    const name = nameOf(sql)
    const rows = async (values) => (await pool.query({ name, text, values })).rows
    return {
      one: async (...values) => (await rows(values))[0],
      all: async (...values) => rows(values),
      run: async (...values) => void (await rows(values)),
    }
  }
  return { isPostgres: true, statement, exec: (sql) => pool.query(sql), close: () => pool.end(), pool }
}
