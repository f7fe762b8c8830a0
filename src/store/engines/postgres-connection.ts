/** One connection to PostgreSQL: what a transaction works with, and the server's errors in our words. */
import type pg from 'pg'
import type { Caches } from '../../core/caches.ts'
import { ApiError, fail } from '../../core/errors.ts'
import type { Threads } from '../../threads/supervisor.ts'
import type { Connection, Row, Statement, Value } from '../database.ts'
import { isPlanOutdated } from './postgres-pool.ts'
import { Retry } from './retry.ts'
import { type Make, maker } from './row-maker.ts'
import type { Transaction } from './transaction-queue.ts'

/** What all connections of a process share. */
export type Shared = Pick<Connection, 'caches' | 'threads'>

interface Queryable {
  query(config: pg.QueryArrayConfig): Promise<pg.QueryArrayResult<Value[]>>
}

interface KnownMaker {
  names: readonly string[]
  make: Make
}

/** By the names of statements: 1,000 of them. */
const knownMakers = new Map<string, KnownMaker>()

/** The driver's own objects are made key by key. `select *` has more columns when a migration has run since. */
function makerFor({ name }: Statement, fields: readonly pg.FieldDef[]): Make {
  const known = knownMakers.get(name)
  if (known?.names.length === fields.length && fields.every((field, i) => field.name === known.names[i]))
    return known.make
  const names = fields.map((field) => field.name)
  const make = maker(names)
  if (knownMakers.size >= 1000) knownMakers.clear()
  knownMakers.set(name, { names, make })
  return make
}

export class PostgresConnection implements Connection {
  readonly engine = 'postgres'
  readonly caches: Caches
  readonly threads: Threads
  readonly #client: Queryable

  constructor(client: Queryable, { caches, threads }: Shared) {
    this.#client = client
    this.caches = caches
    this.threads = threads
  }

  async all(statement: Statement, values: readonly Value[]): Promise<Row[]> {
    const { rows, fields } = await this.#query(statement, values)
    return rows.length === 0 ? [] : rows.map(makerFor(statement, fields))
  }

  async run(statement: Statement, values: readonly Value[]): Promise<number> {
    return (await this.#query(statement, values)).rowCount ?? 0
  }

  async #query({ name, sql }: Statement, values: readonly Value[]): Promise<pg.QueryArrayResult<Value[]>> {
    try {
      return await this.#client.query({ name, text: sql, values: values as Value[], rowMode: 'array' })
    } catch (error) {
      throw translate(error)
    }
  }
}

/** What a transaction works with, or one of those that share it. */
export class PostgresTransaction extends PostgresConnection implements Transaction {
  readonly committed: (() => void)[] = []
  readonly waitedForOthers: () => number
  /** By rows, or by a statement that the server refused. */
  isSpoiling = false
  readonly #client: Queryable
  #isOver = false

  constructor(client: Queryable, shared: Shared, waitedForOthers: () => number = () => 0) {
    super(client, shared)
    this.#client = client
    this.waitedForOthers = waitedForOthers
  }

  override async all(statement: Statement, values: readonly Value[]): Promise<Row[]> {
    // What begins otherwise may write, and tell of it (`returning`).
    return this.#watch(!statement.sql.startsWith('select'), () => super.all(statement, values))
  }

  override async run(statement: Statement, values: readonly Value[]): Promise<number> {
    return this.#watch(true, () => super.run(statement, values))
  }

  afterCommit(hint: () => void): void {
    this.committed.push(hint)
  }

  part(): PostgresTransaction {
    return new PostgresTransaction(this.#client, this)
  }

  async command(text: string): Promise<void> {
    try {
      await this.#client.query({ text, rowMode: 'array' })
    } catch (error) {
      throw translate(error)
    }
  }

  end(): void {
    this.#isOver = true
  }

  async #watch<T>(writes: boolean, ask: () => Promise<T>): Promise<T> {
    if (this.#isOver) throw new Error('The transaction is over.')
    if (writes) this.isSpoiling = true
    try {
      return await ask()
    } catch (error) {
      this.isSpoiling = true
      throw error
    }
  }
}

/** The same, on another connection: see `isPlanOutdated`. */
export class OutdatedPlan extends Retry {}

export const toError = (error: unknown): Error => (error instanceof Error ? error : new Error(String(error)))

const codeOf = (error: unknown): string => String((error as { code?: unknown } | undefined)?.code ?? '')

/** Whether the server did not answer the statement: what it says of a statement it refused has a code, five characters. */
export const isSilent = (error: unknown): boolean =>
  !/^[0-9A-Z]{5}$/.test(codeOf(error)) || /^(08|57P)/.test(codeOf(error))

/** PostgreSQL's codes for what callers can be told about: appendix A of its manual. */
export function translate(error: unknown): unknown {
  if (error instanceof ApiError || error instanceof Retry || !(error instanceof Error)) return error
  const code = codeOf(error)
  if (isPlanOutdated(error)) return new OutdatedPlan(error.message)
  if (code === '23505') return fail('already_exists')
  if (code === '40001' || code === '40P01') return new Retry(error.message)
  if (code === '53100') return new ApiError('storage_full', { cause: error })
  // The server ended a statement that took too long: it waited for a lock, or the machine is busy.
  if (code === '57014') return fail('overloaded')
  // It is not let in any more, or its database has another name now; the server is a copy that only reads, or its disk fails.
  const shut = /^(28|3D000|25006|58)/.test(code)
  const away = /^(08|57P|25P03|53[23]|ECONN|EPIPE|ENOTFOUND|ENOENT|ETIMEDOUT|EAI_AGAIN|ERR_SOCKET|ERR_STREAM)/.test(
    code,
  )
  if (shut || away || /terminated|timeout|Connection ended|not queryable|closed the connection/i.test(error.message)) {
    return new ApiError('storage_unavailable', { cause: error })
  }
  return error
}
