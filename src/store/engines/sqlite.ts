/**
 * SQLite: one file, WAL, synced at every commit.
 *
 * One connection writes, another reads; both on this thread, because most statements take microseconds. Questions that
 * may take long go to a thread with a connection of its own, and so does the checkpoint of the log.
 *
 * Transactions wait here and share commits (transaction-queue.ts). Each commit is synced, whatever it holds: what one left
 * to be written later, the next would wait for.
 *
 * What is `derived` (steps of an index, say) gives way: it has a commit to itself, so that nobody shares its work and its
 * bytes, and begins only when nobody else waits. Where somebody always does, its turn comes after a few commits of theirs.
 */
import { mkdirSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Caches } from '../../core/caches.ts'
import { fail } from '../../core/errors.ts'
import type { Threads } from '../../threads/supervisor.ts'
import type { Connection, Database, DatabaseOptions, Row, Statement, TransactionOptions, Value } from '../database.ts'
import { ReaderThread } from '../reader.ts'
import { Handle, pragmas, SqliteTransaction, translate } from './sqlite-connection.ts'
import { TransactionQueue } from './transaction-queue.ts'

/** After so many commits of others a derived transaction that waits gets its turn. */
export const commitsBeforeDerived = 8

const checkpointBytes = 4 * 1024 * 1024
const checkpointForcedBytes = 64 * 1024 * 1024
const forcedEveryMilliseconds = 2000
const sizedEveryMilliseconds = 20

type SqliteOptions = DatabaseOptions & Pick<Connection, 'caches' | 'threads'>

export async function openSqlite({ location, ...others }: SqliteOptions): Promise<Database> {
  mkdirSync(dirname(location), { recursive: true })
  return new SqliteDatabase(location, others)
}

/** How long a transaction waits for another process to end its own; that of a command so many times as long. */
const longestWait = 10_000
const patience = 30

/** Of the writer, which waits by itself: SQLite would wait on the event loop's thread. */
const noWaiting = 'PRAGMA busy_timeout = 0'

class SqliteDatabase implements Database {
  readonly engine = 'sqlite'
  readonly caches: Caches
  readonly threads: Threads
  readonly slow: Connection
  readonly #location: string
  readonly #waitMilliseconds: number
  readonly #isPatient: boolean
  readonly #writer: Handle
  readonly #reader: Handle
  readonly #thread: ReaderThread
  readonly #queue = this.#newQueue()
  readonly #derived = this.#newQueue()
  /** Commits of others since a derived transaction began to wait, or since the last one of them. */
  #givenWay = 0
  #running: Promise<void> | undefined
  #closed = false
  #forcedAt = 0
  #sizedAt = 0

  constructor(
    location: string,
    { caches, threads, waitMilliseconds = longestWait, patient = false }: Omit<SqliteOptions, 'location'>,
  ) {
    this.#waitMilliseconds = waitMilliseconds * (patient ? patience : 1)
    this.#isPatient = patient
    this.#location = location
    this.caches = caches
    this.threads = threads
    this.#writer = new Handle(location)
    this.#writer.db.exec('PRAGMA journal_mode = WAL')
    this.#writer.db.exec('PRAGMA synchronous = FULL')
    this.#writer.db.exec('PRAGMA foreign_keys = ON')
    this.#writer.db.exec('PRAGMA wal_autocheckpoint = 0')
    this.#writer.db.exec(noWaiting)
    this.#reader = new Handle(location)
    this.#reader.db.exec('PRAGMA query_only = ON')
    this.#thread = new ReaderThread(threads, location)
    this.slow = {
      engine: 'sqlite',
      caches,
      threads,
      all: (statement, values) => this.#thread.all(statement, values),
      run: () => Promise.reject(new Error('The slow connection only reads.')),
      searchAside: (request) => this.#thread.search(request),
    }
  }

  async all(statement: Statement, values: readonly Value[]): Promise<Row[]> {
    return this.#reader.all(statement, values)
  }

  run(statement: Statement, values: readonly Value[]): Promise<number> {
    return this.transaction((tx) => tx.run(statement, values))
  }

  transaction<T>(work: (tx: Connection) => Promise<T>, options: TransactionOptions = {}): Promise<T> {
    if (this.#closed) return Promise.reject(fail('storage_unavailable'))
    const done = (options.derived ? this.#derived : this.#queue).add(work, options)
    this.#running ??= this.#drain()
    return done
  }

  async snapshot<T>(work: (moment: Connection) => Promise<T>): Promise<T> {
    const handle = new Handle(this.#location)
    handle.db.exec('PRAGMA query_only = ON')
    handle.db.exec('BEGIN')
    try {
      return await work({
        engine: 'sqlite',
        caches: this.caches,
        threads: this.threads,
        all: async (statement, values) => handle.all(statement, values),
        run: () => Promise.reject(new Error('A snapshot only reads.')),
      })
    } finally {
      // Closing waits for statements that are not collected yet; the moment must not stay open for as long.
      handle.db.exec('ROLLBACK')
      handle.db.close()
    }
  }

  /** Another number after each commit of any other connection, and this one never writes. To ask takes as long as to read a row. */
  commitVersion(): number {
    return Number(this.#reader.statement('PRAGMA data_version').value())
  }

  async readCommitVersion(): Promise<number> {
    return this.commitVersion()
  }

  async script(sql: string): Promise<void> {
    for (const pragma of pragmas) this.#writer.db.exec(pragma)
    try {
      this.#writer.db.exec(sql)
    } finally {
      this.#writer.db.exec(noWaiting)
    }
  }

  async check(): Promise<void> {
    try {
      this.#reader.db.prepare('select 1').get()
    } catch (error) {
      throw translate(error)
    }
  }

  async close(): Promise<void> {
    this.#closed = true
    await this.#running
    await this.#thread.close()
    await this.threads.close()
    this.#reader.db.close()
    try {
      this.#writer.db.exec('PRAGMA wal_checkpoint(TRUNCATE)')
    } finally {
      this.#writer.db.close()
    }
  }

  async #drain(): Promise<void> {
    // Requests that arrived in the same turn of the event loop join the same commit.
    await new Promise(setImmediate)
    while (this.#isAwaited) {
      await this.#nextQueue().carryNext()
      // A long queue is worked off in many turns of the event loop, so that whoever only reads is answered between.
      if (this.#isAwaited) await new Promise(setImmediate)
    }
    this.#running = undefined
    this.#checkpoint()
  }

  get #isAwaited(): boolean {
    return this.#queue.length + this.#derived.length > 0
  }

  #nextQueue(): TransactionQueue {
    const mustGiveWay = this.#queue.length > 0 && this.#givenWay < commitsBeforeDerived
    if (this.#derived.length === 0 || mustGiveWay) {
      this.#givenWay = this.#derived.length === 0 ? 0 : this.#givenWay + 1
      return this.#queue
    }
    this.#givenWay = 0
    return this.#derived
  }

  #newQueue(): TransactionQueue {
    const attempt = <T>(work: (tx: SqliteTransaction) => Promise<T>) => this.#attempt(work)
    return new TransactionQueue({ attempt, alone: attempt })
  }

  async #attempt<T>(work: (tx: SqliteTransaction) => Promise<T>): Promise<T> {
    const tx = new SqliteTransaction(this.#writer, this)
    try {
      await this.#begin()
      const value = await work(tx)
      this.#exec('COMMIT')
      for (const hint of tx.committed) hint()
      return value
    } catch (error) {
      this.#rollback()
      throw translate(error)
    } finally {
      tx.end()
    }
  }

  /** Another process may be writing: the command line beside a server, say. */
  async #begin(): Promise<void> {
    const until = performance.now() + this.#waitMilliseconds
    for (;;) {
      try {
        this.#exec('BEGIN IMMEDIATE')
        return
      } catch (error) {
        if (!isBusy(error) || performance.now() > until) throw error
      }
      await sleep(2 + Math.random() * 8)
    }
  }

  #exec(sql: string): void {
    this.#writer.statement(sql).run([])
  }

  #rollback(): void {
    try {
      this.#writer.db.exec('ROLLBACK')
    } catch {
      // There is none to roll back when the engine already did.
    }
  }

  #checkpoint(): void {
    // Asking for the size costs as much as a small transaction.
    if (performance.now() < this.#sizedAt + sizedEveryMilliseconds) return
    this.#sizedAt = performance.now()
    const size = statSync(`${this.#location}-wal`, { throwIfNoEntry: false })?.size ?? 0
    if (size < checkpointBytes || this.#closed) return
    if (size < checkpointForcedBytes && this.#isPatient) this.#checkpointHere()
    else if (size < checkpointForcedBytes) this.#thread.checkpoint()
    else if (performance.now() > this.#forcedAt + forcedEveryMilliseconds) {
      this.#forcedAt = performance.now()
      this.#thread.checkpoint('restart')
    }
  }

  /** A command has nobody who waits for its event loop: starting a thread would cost more than what it does. */
  #checkpointHere(): void {
    try {
      this.#writer.db.exec('PRAGMA wal_checkpoint(PASSIVE)')
    } catch {
      // Another process is at it, or in the way: the log is as good as it was, and the next commit asks again.
    }
  }
}

const isBusy = (error: unknown): boolean =>
  error instanceof Error &&
  (((error as { errcode?: number }).errcode ?? 0) % 256 === 5 || /database is locked/.test(error.message))
