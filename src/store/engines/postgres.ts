/**
 * PostgreSQL, for several server processes on several hosts.
 *
 * Transactions run at READ COMMITTED; those that name a lock first take an advisory lock of that name, so that what they
 * read stays true until they commit. A deadlock or serialization failure undoes the transaction and runs it again. Those
 * that wait for each other in this process wait here (transaction-queue.ts), not at the database with a connection in
 * hand: a hundred writers of one space take one connection, and everyone else finds the pool free.
 *
 * A connection lost before COMMIT was sent took the transaction with it: `storage_unavailable`, nothing was changed. One
 * lost after it leaves open what happened: `outcome_unknown` (docs/decisions/0026-outcome-unknown.md).
 *
 * What is `derived` (steps of an index, say) gives way: its statements begin when no other statement or transaction of this
 * process is under way, since all of them want the same processors and the same log.
 */
import { setTimeout as sleep, setImmediate as yieldLoop } from 'node:timers/promises'
import pg from 'pg'
import { ApiError, fail } from '../../core/errors.ts'
import type { Connection, Database, DatabaseOptions, Statement, TransactionOptions, Value } from '../database.ts'
import {
  isSilent,
  OutdatedPlan,
  PostgresConnection,
  PostgresTransaction,
  type Shared,
  toError,
  translate,
} from './postgres-connection.ts'
import { PostgresPool } from './postgres-pool.ts'
import { Precedence } from './precedence.ts'
import { Retry } from './retry.ts'
import { TransactionQueue } from './transaction-queue.ts'

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

class PostgresDatabase extends PostgresConnection implements Database {
  readonly slow: Connection = this
  readonly #pool: PostgresPool
  /** By what those that wait for each other name. */
  readonly #queues = new Map<string, TransactionQueue>()
  /** The question for the version that is under way. */
  #asking: Asking | undefined

  readonly #precedence: Precedence

  constructor(pool: PostgresPool, shared: Shared) {
    const precedence = new Precedence()
    super({ query: (config) => precedence.first(() => pool.query<Value[]>(config)) }, shared)
    this.#pool = pool
    this.#precedence = precedence
  }

  transaction<T>(work: (tx: Connection) => Promise<T>, options: TransactionOptions = {}): Promise<T> {
    const { lock, beside, together } = options
    // Who shares a transaction has all of its locks.
    if (lock !== undefined)
      return this.#wait(beside === undefined ? `lock ${lock}` : `lock ${lock} beside ${beside}`, work, options)
    if (together !== undefined) return this.#wait(`together ${together}`, work, options)
    return this.#retry(work, options)
  }

  #wait<T>(name: string, work: (tx: Connection) => Promise<T>, options: TransactionOptions): Promise<T> {
    const known = this.#queues.get(name)
    if (known) return known.add(work, options)
    const queue = new TransactionQueue({
      attempt: (shared, of) => this.#attempt(shared, of),
      alone: (one, of) => this.#retry(one, of),
    })
    this.#queues.set(name, queue)
    const done = queue.add(work, options)
    this.#workOff(name, queue)
    return done
  }

  async #workOff(name: string, queue: TransactionQueue): Promise<void> {
    while (queue.length > 0) await queue.carryNext()
    this.#queues.delete(name)
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

  #attempt<T>(work: (tx: PostgresTransaction) => Promise<T>, options: TransactionOptions, begin = 'BEGIN'): Promise<T> {
    const { unhurried = false, derived = false } = options
    const attempt = () => this.#run(work, options, begin)
    return unhurried || derived ? attempt() : this.#precedence.first(attempt)
  }

  async #run<T>(
    work: (tx: PostgresTransaction) => Promise<T>,
    { lock, beside, unhurried = false, derived = false }: TransactionOptions,
    begin: string,
  ): Promise<T> {
    const { giveWay, waited } = this.#precedence.patience(derived ? derivedPatience : 0)
    await giveWay()
    const client = await this.#connect()
    const query = async (config: pg.QueryArrayConfig) => {
      await giveWay()
      return this.#pool.watch(() => client.query<Value[]>(unhurried ? withoutDeadline(config) : config))
    }
    const tx = new PostgresTransaction({ query }, this, waited)
    let isCommitSent = false
    let lost: Error | undefined
    try {
      await query(command(openingOf(begin, { lock, beside, unhurried, derived })))
      const result = await work(tx)
      tx.end()
      isCommitSent = true
      await query(command('COMMIT'))
      for (const hint of tx.committed) hint()
      return result
    } catch (error) {
      tx.end()
      if (error instanceof OutdatedPlan) lost = error
      else lost = isCommitSent && isSilent(error) ? toError(error) : await this.#undo(query)
      throw lost && isCommitSent ? new ApiError('outcome_unknown', { cause: error }) : translate(error)
    } finally {
      // A connection that could not even roll back is thrown away, not handed to the next caller.
      client.release(lost)
    }
  }

  /** Rolls back; the error when the connection is gone. */
  async #undo(query: (config: pg.QueryArrayConfig) => Promise<unknown>): Promise<Error | undefined> {
    try {
      await query(command('ROLLBACK'))
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
    await this.#pool.query(command(sql))
  }

  async check(): Promise<void> {
    const late = sleep(checkMilliseconds, 'late' as const, { ref: false })
    try {
      if ((await Promise.race([this.#pool.query(command('select 1')), late])) === 'late')
        throw fail('storage_unavailable')
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
function openingOf(begin: string, { lock, beside, unhurried, derived }: TransactionOptions): string {
  const statements = [begin]
  if (unhurried) statements.push('SET LOCAL statement_timeout = 0', 'SET LOCAL idle_in_transaction_session_timeout = 0')
  if (derived) statements.push('SET LOCAL synchronous_commit = off')
  if (lock !== undefined) statements.push(`select pg_advisory_xact_lock(${numberOf(lock)})`)
  if (beside !== undefined) statements.push(`select pg_advisory_xact_lock_shared(${numberOf(beside)})`)
  return statements.join('; ')
}

const numberOf = (lock: string): string => `hashtextextended(${pg.escapeLiteral(lock)}, 0)`

/** Statements whose answer is of no interest. */
const command = (text: string): pg.QueryArrayConfig => ({ text, rowMode: 'array' })

/** The client's own limit, which the pool sets, counts for each statement by itself. */
const withoutDeadline = (config: pg.QueryArrayConfig): pg.QueryArrayConfig & { query_timeout: number } => ({
  ...config,
  query_timeout: 2 ** 31 - 1,
})
