/** One connection to SQLite: its prepared statements, its errors in our words, and what a transaction works with. */
import { DatabaseSync, type DatabaseSyncInstance } from '@photostructure/sqlite'
import type { Caches } from '../../core/caches.ts'
import { ApiError, fail } from '../../core/errors.ts'
import type { Threads } from '../../threads/supervisor.ts'
import type { Connection, Row, Statement, Value } from '../database.ts'
import { Prepared } from './prepared.ts'
import type { Transaction } from './transaction-queue.ts'

export const pragmas = ['PRAGMA busy_timeout = 10000', 'PRAGMA cache_size = -16000', 'PRAGMA temp_store = MEMORY']

/** One connection with its prepared statements. */
export class Handle {
  readonly db: DatabaseSyncInstance
  readonly #statements = new Map<string, Prepared>()

  constructor(location: string) {
    this.db = new DatabaseSync(location)
    for (const pragma of pragmas) this.db.exec(pragma)
  }

  statement(sql: string): Prepared {
    const known = this.#statements.get(sql)
    if (known) return known
    // Only queries with optional filters vary; a bound keeps a hostile mix of them from filling memory.
    if (this.#statements.size >= 1000) this.#statements.clear()
    const statement = new Prepared(this.db, sql)
    this.#statements.set(sql, statement)
    return statement
  }

  all(statement: Statement, values: readonly Value[]): Row[] {
    try {
      return this.statement(statement.sql).all(values)
    } catch (error) {
      throw translate(error)
    }
  }

  run(statement: Statement, values: readonly Value[]): number {
    try {
      return this.statement(statement.sql).run(values)
    } catch (error) {
      throw translate(error)
    }
  }
}

/** What a transaction works with, or one of those that share it. */
export class SqliteTransaction implements Transaction {
  readonly engine = 'sqlite'
  readonly caches: Caches
  readonly threads: Threads
  readonly committed: (() => void)[] = []
  isSpoiling = false
  readonly #writer: Handle
  #isOver = false

  constructor(writer: Handle, { caches, threads }: Pick<Connection, 'caches' | 'threads'>) {
    this.#writer = writer
    this.caches = caches
    this.threads = threads
  }

  async all(statement: Statement, values: readonly Value[]): Promise<Row[]> {
    this.#refuseLate()
    // What begins otherwise may write, and tell of it (`returning`).
    if (!statement.sql.startsWith('select')) this.isSpoiling = true
    return this.#writer.all(statement, values)
  }

  async run(statement: Statement, values: readonly Value[]): Promise<number> {
    this.#refuseLate()
    this.isSpoiling = true
    return this.#writer.run(statement, values)
  }

  afterCommit(hint: () => void): void {
    this.committed.push(hint)
  }

  part(): SqliteTransaction {
    return new SqliteTransaction(this.#writer, this)
  }

  async command(sql: string): Promise<void> {
    this.#writer.run({ sql, name: '' }, [])
  }

  end(): void {
    this.#isOver = true
  }

  #refuseLate(): void {
    if (this.#isOver) throw new Error('The transaction is over.')
  }
}

/** SQLite's numbers for what callers can be told about: https://sqlite.org/rescode.html. */
export function translate(error: unknown): unknown {
  if (error instanceof ApiError || !(error instanceof Error)) return error
  const number = (error as { errcode?: number }).errcode
  const message = error.message
  if (number === 2067 || number === 1555 || /UNIQUE constraint failed/.test(message)) return fail('already_exists')
  const primary = number === undefined ? undefined : number & 0xff
  if (primary === 13 || /database or disk is full/.test(message)) return new ApiError('storage_full', { cause: error })
  // Busy, locked, read-only, an error of the disk, no file to be opened.
  const isAway = primary !== undefined && [5, 6, 8, 10, 14].includes(primary)
  if (isAway || /database is locked|readonly database|disk I\/O error|unable to open database file/.test(message))
    return new ApiError('storage_unavailable', { cause: error })
  return error
}
