/**
 * PostgreSQL, for several server processes on several hosts.
 *
 * Transactions run at READ COMMITTED; those that name a lock first take an advisory lock of that name, so that what they
 * read stays true until they commit. A deadlock or serialization failure undoes the transaction and runs it again.
 *
 * A connection lost before COMMIT was sent took the transaction with it: `storage_unavailable`, nothing was changed. One
 * lost after it leaves open what happened: `outcome_unknown` (docs/decisions/0026-outcome-unknown.md).
 *
 * What is `derived` (steps of an index, say) gives way: its statements begin when no other statement or transaction of this
 * process is under way, since all of them want the same processors and the same log.
 */
import { setTimeout as sleep, setImmediate as yieldLoop } from 'node:timers/promises'
import pg from 'pg'
import type { Caches } from '../../core/caches.ts'
import { ApiError, fail } from '../../core/errors.ts'
import type { Threads } from '../../threads/supervisor.ts'
import type { Connection, Database, DatabaseOptions, Row, Statement, TransactionOptions, Value } from '../database.ts'
import { isPlanOutdated, PostgresPool } from './postgres-pool.ts'
import { Precedence } from './precedence.ts'

const attempts = 8

/** How long all statements of a derived transaction together wait for others. */
export const derivedPatience = 60

/** A server that takes longer than this to say anything is not ready. */
const checkMilliseconds = 1500

// Counts arrive as 64-bit integers, which pg hands over as text; ours stay far below 2^53.
const types: pg.CustomTypesConfig = {
  getTypeParser: (oid: number, format?: 'text' | 'binary') =>
    oid === pg.types.builtins.INT8 || oid === pg.types.builtins.NUMERIC
      ? Number
      : pg.types.getTypeParser(oid, format as 'text'),
}

export async function openPostgres({
  location,
  caches,
  threads,
  poolSize = 10,
  patient = false,
}: DatabaseOptions & Shared): Promise<Database> {
  return new PostgresDatabase(new PostgresPool({ location, poolSize, types, patient }), { caches, threads })
}

/** What all connections of a process share. */
type Shared = Pick<Connection, 'caches' | 'threads'>

interface Queryable {
  query(config: pg.QueryConfig): Promise<pg.QueryResult<Row>>
}

class PostgresConnection implements Connection {
  readonly engine = 'postgres'
  readonly caches: Caches
  readonly threads: Threads
  readonly #client: Queryable
  #isOver = false

  constructor(client: Queryable, { caches, threads }: Shared) {
    this.#client = client
    this.caches = caches
    this.threads = threads
  }

  /** Work that was not waited for would land in the transaction of whoever has the connection next: it is refused. */
  end(): void {
    this.#isOver = true
  }

  async all(statement: Statement, values: readonly Value[]): Promise<Row[]> {
    return (await this.#query(statement, values)).rows
  }

  async run(statement: Statement, values: readonly Value[]): Promise<number> {
    return (await this.#query(statement, values)).rowCount ?? 0
  }

  async #query(statement: Statement, values: readonly Value[]): Promise<pg.QueryResult<Row>> {
    if (this.#isOver) throw new Error('The transaction is over.')
    try {
      return await this.#client.query({ name: statement.name, text: statement.sql, values: values as Value[] })
    } catch (error) {
      throw translate(error)
    }
  }
}

class PostgresDatabase extends PostgresConnection implements Database {
  readonly slow: Connection = this
  readonly #pool: PostgresPool
  /** The last transaction that waits for each lock. */
  readonly #queues = new Map<string, Promise<void>>()
  /** The question for the version that is under way. */
  #asking: Asking | undefined

  readonly #precedence: Precedence

  constructor(pool: PostgresPool, shared: Shared) {
    const precedence = new Precedence()
    super({ query: (config) => precedence.first(() => pool.query<Row>(config)) }, shared)
    this.#pool = pool
    this.#precedence = precedence
  }

  transaction<T>(work: (tx: Connection) => Promise<T>, options: TransactionOptions = {}): Promise<T> {
    const { lock } = options
    return lock === undefined ? this.#retry(work, options) : this.#queue(lock, () => this.#retry(work, options))
  }

  /**
   * Those who wait for one lock in this process wait here, not at the database with a connection in hand: a hundred writers of
   * one space take one connection, and everyone else finds the pool free.
   */
  async #queue<T>(lock: string, work: () => Promise<T>): Promise<T> {
    const before = this.#queues.get(lock)
    let done = () => {}
    const mine = new Promise<void>((resolve) => {
      done = resolve
    })
    this.#queues.set(lock, mine)
    await before
    try {
      return await work()
    } finally {
      done()
      if (this.#queues.get(lock) === mine) this.#queues.delete(lock)
    }
  }

  async #retry<T>(work: (tx: Connection) => Promise<T>, options: TransactionOptions): Promise<T> {
    for (let attempt = 1, outdated = 0; ; attempt++) {
      try {
        return await this.#attempt(work, options)
      } catch (error) {
        // Each connection of the pool may have old plans; those do not count as attempts.
        if (error instanceof OutdatedPlan && outdated++ < 500) {
          attempt--
          continue
        }
        if (!(error instanceof Retry) || attempt === attempts) throw error instanceof Retry ? fail('conflict') : error
        await sleep(Math.random() * 5 * 2 ** attempt)
      }
    }
  }

  snapshot<T>(work: (moment: Connection) => Promise<T>): Promise<T> {
    return this.#attempt(work, { unhurried: true }, 'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY')
  }

  #attempt<T>(work: (tx: Connection) => Promise<T>, options: TransactionOptions, begin = 'BEGIN'): Promise<T> {
    const { unhurried = false, derived = false } = options
    const attempt = () => this.#run(work, options, begin)
    return unhurried || derived ? attempt() : this.#precedence.first(attempt)
  }

  async #run<T>(
    work: (tx: Connection) => Promise<T>,
    { lock, unhurried = false, derived = false }: TransactionOptions,
    begin: string,
  ): Promise<T> {
    const { giveWay, waited } = this.#precedence.patience(derived ? derivedPatience : 0)
    await giveWay()
    const client = await this.#connect()
    const query = async (config: pg.QueryConfig | string) => {
      await giveWay()
      return this.#pool.watch(() => client.query<Row>(unhurried ? withoutDeadline(config) : config))
    }
    const committed: (() => void)[] = []
    const tx = Object.assign(new PostgresConnection({ query }, this), {
      afterCommit: (hint: () => void) => void committed.push(hint),
      waitedForOthers: waited,
    })
    let isCommitSent = false
    let lost: Error | undefined
    try {
      await query(openingOf(begin, { lock, unhurried, derived }))
      const result = await work(tx)
      tx.end()
      isCommitSent = true
      await query('COMMIT')
      for (const hint of committed) hint()
      return result
    } catch (error) {
      tx.end()
      if (error instanceof OutdatedPlan) lost = error
      else lost = isCommitSent && isSilent(error) ? toError(error) : await this.#undo(query)
      throw lost && isCommitSent ? fail('outcome_unknown') : translate(error)
    } finally {
      // A connection that could not even roll back is thrown away, not handed to the next caller.
      client.release(lost)
    }
  }

  /** Rolls back; the error when the connection is gone. */
  async #undo(query: (sql: string) => Promise<unknown>): Promise<Error | undefined> {
    try {
      await query('ROLLBACK')
      return undefined
    } catch (failure) {
      return toError(failure)
    }
  }

  commitVersion(): undefined {
    return undefined
  }

  /**
   * Which transactions can be seen: two equal snapshots see the same rows. Whoever asks while a question is under way waits
   * for the next, which is sent after they asked.
   */
  readCommitVersion(): Promise<string> {
    const asking = this.#asking
    if (!asking) return this.#beginCommitVersion()
    if (!asking.isSent) return asking.now
    asking.next ??= asking.now.then(
      () => this.#nextCommitVersion(asking),
      () => this.#nextCommitVersion(asking),
    )
    return asking.next
  }

  #nextCommitVersion(before: Asking): Promise<string> {
    if (this.#asking === before) this.#asking = undefined
    return this.readCommitVersion()
  }

  #beginCommitVersion(): Promise<string> {
    // Sent when this turn of the event loop is over, for all who ask in it.
    const now = yieldLoop().then(async () => {
      asked.isSent = true
      return String((await this.all(snapshotSeen, []))[0]?.seen)
    })
    const asked: Asking = { now, next: undefined, isSent: false }
    this.#asking = asked
    const done = () => {
      if (this.#asking === asked) this.#asking = undefined
    }
    now.then(done, done)
    return now
  }

  async script(sql: string): Promise<void> {
    await this.#pool.query(sql)
  }

  async check(): Promise<void> {
    const late = sleep(checkMilliseconds, 'late' as const, { ref: false })
    try {
      if ((await Promise.race([this.#pool.query('select 1'), late])) === 'late') throw fail('storage_unavailable')
    } catch (error) {
      throw translate(error)
    }
  }

  async close(): Promise<void> {
    await this.#pool.end()
    await this.threads.close()
  }

  async #connect(): Promise<pg.PoolClient> {
    try {
      return await this.#pool.connect()
    } catch (error) {
      throw translate(error)
    }
  }
}

interface Asking {
  now: Promise<string>
  isSent: boolean
  next: Promise<string> | undefined
}

const snapshotSeen: Statement = { name: 'snapshot_seen', sql: 'select txid_current_snapshot()::text as seen' }

/** All that a transaction begins with, in one message: on a busy machine each answer is waited for some milliseconds. */
function openingOf(begin: string, { lock, unhurried, derived }: TransactionOptions): string {
  const statements = [begin]
  if (unhurried) statements.push('SET LOCAL statement_timeout = 0', 'SET LOCAL idle_in_transaction_session_timeout = 0')
  if (derived) statements.push('SET LOCAL synchronous_commit = off')
  if (lock !== undefined)
    statements.push(`select pg_advisory_xact_lock(hashtextextended(${pg.escapeLiteral(lock)}, 0))`)
  return statements.join('; ')
}

/** The client's own limit, which the pool sets, counts for each statement by itself. */
const withoutDeadline = (config: pg.QueryConfig | string): pg.QueryConfig & { query_timeout: number } => ({
  ...(typeof config === 'string' ? { text: config } : config),
  query_timeout: 2 ** 31 - 1,
})

/** The transaction met another and was undone: it can run again from the start. */
class Retry extends Error {}

/** The same, on another connection: see `isPlanOutdated`. */
class OutdatedPlan extends Retry {}

const toError = (error: unknown): Error => (error instanceof Error ? error : new Error(String(error)))

const codeOf = (error: unknown): string => String((error as { code?: unknown } | undefined)?.code ?? '')

/** Whether the server did not answer the statement: what it says of a statement it refused has a code, five characters. */
const isSilent = (error: unknown): boolean => !/^[0-9A-Z]{5}$/.test(codeOf(error)) || /^(08|57P)/.test(codeOf(error))

/** PostgreSQL's codes for what callers can be told about: appendix A of its manual. */
function translate(error: unknown): unknown {
  if (error instanceof ApiError || error instanceof Retry || !(error instanceof Error)) return error
  const code = codeOf(error)
  if (isPlanOutdated(error)) return new OutdatedPlan(error.message)
  if (code === '23505') return fail('already_exists')
  if (code === '40001' || code === '40P01') return new Retry(error.message)
  if (code === '53100') return fail('storage_full')
  // The server ended a statement that took too long: it waited for a lock, or the machine is busy.
  if (code === '57014') return fail('overloaded')
  const away = /^(08|57P|25P03|53[23]|ECONN|EPIPE|ENOTFOUND|ENOENT|ETIMEDOUT|EAI_AGAIN|ERR_SOCKET|ERR_STREAM)/.test(
    code,
  )
  if (away || /terminated|timeout|Connection ended|not queryable|closed the connection/i.test(error.message)) {
    return fail('storage_unavailable')
  }
  return error
}
