/**
 * SQLite: one file, WAL, synced at every commit.
 *
 * One connection writes, another reads; both on this thread, because most statements take microseconds. Questions that
 * may take long go to a thread with a connection of its own, and so does the checkpoint of the log.
 *
 * Group commit: transactions that wait at the same time share one BEGIN … COMMIT, so that 64 writers cost one sync instead
 * of 64. Each is still all-or-nothing for itself, and none is acknowledged before the shared commit is on disk, whatever it
 * is: what one left to be written later, the next would wait for. A savepoint around each would cost a small one a third
 * of its statements, because SQLite copies every page that is written behind it. So there is none: when one fails that
 * has written, the shared transaction is rolled back, and the others run again, for a while with savepoints.
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

/** How many transactions and how much time one shared commit may gather before the others wait for the next. */
const batchLimit = 128
const batchMilliseconds = 20
/** For so long after one that had written failed beside others, each has a savepoint: where one fails, more do. */
const carefulMilliseconds = 1000
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

interface Waiting {
  work: (tx: Connection) => Promise<unknown>
  resolve: (value: unknown) => void
  reject: (error: unknown) => void
}

/** One that has run, and waits for the shared commit. */
interface Done {
  waiting: Waiting
  tx: SqliteTransaction
  value: unknown
}

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
  #queue: Waiting[] = []
  #derived: Waiting[] = []
  /** Commits of others since a derived transaction began to wait, or since the last one of them. */
  #givenWay = 0
  #running: Promise<void> | undefined
  #closed = false
  #carefulUntil = 0
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

  transaction<T>(work: (tx: Connection) => Promise<T>, { derived = false }: TransactionOptions = {}): Promise<T> {
    if (this.#closed) return Promise.reject(fail('storage_unavailable'))
    return new Promise<T>((resolve, reject) => {
      const queue = derived ? this.#derived : this.#queue
      queue.push({ work, resolve: (value) => resolve(value as T), reject })
      this.#running ??= this.#drain()
    })
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
      await this.#commitTogether(this.#nextQueue())
      // A long queue is worked off in many turns of the event loop, so that whoever only reads is answered between.
      if (this.#isAwaited) await new Promise(setImmediate)
    }
    this.#running = undefined
    this.#checkpoint()
  }

  get #isAwaited(): boolean {
    return this.#queue.length + this.#derived.length > 0
  }

  /** Those that commit next: all that wait and are not derived, or else one that is. */
  #nextQueue(): Waiting[] {
    const mustGiveWay = this.#queue.length > 0 && this.#givenWay < commitsBeforeDerived
    if (this.#derived.length === 0 || mustGiveWay) {
      this.#givenWay = this.#derived.length === 0 ? 0 : this.#givenWay + 1
      return this.#queue
    }
    this.#givenWay = 0
    return this.#derived.splice(0, 1)
  }

  async #commitTogether(queue: Waiting[]): Promise<void> {
    const done: Done[] = []
    let begun = false
    try {
      await this.#begin()
      begun = true
      const began = performance.now()
      const carry = began < this.#carefulUntil ? this.#carryInSavepoint : this.#carry
      while (done.length < batchLimit && performance.now() < began + batchMilliseconds) {
        const waiting = queue.shift()
        if (!waiting) break
        await carry.call(this, waiting, done)
      }
      this.#exec('COMMIT')
    } catch (error) {
      this.#rollback()
      if (error instanceof Spoiled) {
        this.#runAgain(queue, done)
        return
      }
      // Nothing of this batch is on disk, so nobody in it may be told otherwise; who could not even begin is told too.
      const failure = translate(error)
      const failed = begun ? done.map((item) => item.waiting) : queue.splice(0, 1)
      for (const waiting of failed) waiting.reject(failure)
      return
    }
    for (const { waiting, value, tx } of done) {
      waiting.resolve(value)
      for (const hint of tx.committed) hint()
    }
  }

  /** Those that were undone by the failure of another, before all that wait. */
  #runAgain(queue: Waiting[], undone: readonly Done[]): void {
    if (undone.length === 0) return
    queue.unshift(...undone.map(({ waiting }) => waiting))
    this.#carefulUntil = performance.now() + carefulMilliseconds
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

  async #carry(waiting: Waiting, done: Done[]): Promise<void> {
    const tx = new SqliteTransaction(this.#writer, this)
    try {
      const value = await waiting.work(tx)
      tx.end()
      done.push({ waiting, tx, value })
    } catch (error) {
      tx.end()
      waiting.reject(translate(error))
      if (tx.hasWritten) throw new Spoiled()
    }
  }

  async #carryInSavepoint(waiting: Waiting, done: Done[]): Promise<void> {
    const tx = new SqliteTransaction(this.#writer, this)
    try {
      this.#exec('SAVEPOINT one')
      const value = await waiting.work(tx)
      tx.end()
      this.#exec('RELEASE one')
      done.push({ waiting, tx, value })
    } catch (error) {
      tx.end()
      waiting.reject(translate(error))
      this.#undo(error)
    }
  }

  #undo(cause: unknown): void {
    try {
      this.#exec('ROLLBACK TO one')
      this.#exec('RELEASE one')
    } catch {
      // Some faults (a full disk) undo the whole transaction by themselves: then the others fail with it, for this cause.
      throw cause
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

/** One has failed that wrote: nothing of the transaction that others share with it can stay. */
class Spoiled extends Error {}

const isBusy = (error: unknown): boolean =>
  error instanceof Error &&
  (((error as { errcode?: number }).errcode ?? 0) % 256 === 5 || /database is locked/.test(error.message))
