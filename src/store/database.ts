/**
 * The database, whichever engine runs: what the rest of the store may ask of it.
 *
 * Promises, on both engines:
 * 1. A transaction is all or nothing, and durable (synced to disk) before it is acknowledged.
 * 2. Transactions that name the same `lock` run one after the other, and after those that name it in `beside`; on SQLite all of them do.
 * 3. Reads outside a transaction see committed state only.
 * 4. Errors of the engine arrive as codes: `already_exists` (a unique key), `storage_full`, `storage_unavailable`; and
 *    `outcome_unknown` when the connection broke after COMMIT was sent.
 *
 * And a condition: the work of a transaction may be run again from its start when it was undone, after a deadlock on
 * PostgreSQL or because another failed that shared its commit. So it changes nothing but the database, and tells
 * what it found by its result.
 */
import { Caches } from '../core/caches.ts'
import { Threads } from '../threads/supervisor.ts'
import type { SearchAnswer, SearchRequest } from './search-index/search.ts'

/** Values as both engines store them: text for ids, times and JSON; 0 or 1 for booleans; bytes for chunks of files. */
export type Value = string | number | null | Uint8Array

export type Row = Record<string, Value>

export type EngineName = 'sqlite' | 'postgres'

/** SQL compiled once, with the name under which PostgreSQL keeps its plan. */
export interface Statement {
  readonly sql: string
  readonly name: string
}

/** Anything statements can be run on: the database itself (each statement for itself) or an open transaction. */
export interface Connection {
  readonly engine: EngineName
  /** What is kept in memory, of this process. */
  readonly caches: Caches
  /** For heavy work on what was read, of this process. */
  readonly threads: Threads
  all(statement: Statement, values: readonly Value[]): Promise<Row[]>
  /** How many rows it changed. */
  run(statement: Statement, values: readonly Value[]): Promise<number>
  /** Where the engine has a thread for it: the whole search is done there, and only what is shown comes back. */
  searchAside?(request: SearchRequest): Promise<SearchAnswer>
  /** Inside a transaction: calls this once it is committed. For hints only; what must happen is a job. */
  afterCommit?(work: () => void): void
  /** Inside a transaction that others share, of those that name no lock: where a write waits for theirs (gathered.ts). */
  gather?(): Gathering
  /** There, too: the same for as long as none of them writes, so that what one has read holds for the others. */
  moment?(): object
  /** Inside a derived transaction: for how many milliseconds its statements have let others go first. */
  waitedForOthers?(): number
}

/** What waits to be written by those who share a transaction. */
export interface Gathering {
  /** Calls this when all of them have run, or when one that has gathered asks for something. */
  beforeCommit(write: (tx: Connection) => Promise<unknown>): void
}

export interface TransactionOptions {
  /** Writers that name the same lock wait for each other, so that what one has read stays true until it commits. */
  lock?: string | undefined
  /**
   * Writers that name the same here go on side by side; one that names it as its `lock` waits for them, and they for it. So what
   * they have read of what it changes stays true until they commit.
   */
  beside?: string | undefined
  /**
   * Writers that name the same and no lock would meet at the same row. When they come together, they share a transaction and
   * its commit, as all do on SQLite. They need not see what others of them have not committed.
   */
  together?: string | undefined
  /** For work that may take long and holds nobody up, such as a migration: the time limits of requests do not count. */
  unhurried?: boolean
  /**
   * For what can be made again, such as steps of an index: it gives way to others, for a while. On PostgreSQL it need not be on
   * disk when it is acknowledged, and only a machine that goes down can lose it. On SQLite it is synced like any other, since
   * the next commit would wait for its bytes.
   */
  derived?: boolean
}

/** Whether transactions can be opened on it: not on one that is open already. */
export const isDatabase = (connection: Connection): connection is Database => 'transaction' in connection

/** Equal ones: nothing was committed between. */
export type CommitVersion = number | string

export interface Database extends Connection {
  transaction<T>(work: (tx: Connection) => Promise<T>, options?: TransactionOptions): Promise<T>
  /** Reads one moment of the whole database however long that takes, while others go on writing. */
  snapshot<T>(work: (moment: Connection) => Promise<T>): Promise<T>
  /** For questions that may take long (searches, exports): they never stop the event loop. */
  readonly slow: Connection
  /**
   * Changes with every commit of any process. What was read after asking stays true for as long as it does. Undefined where to
   * know it takes a round trip.
   */
  commitVersion(): number | undefined
  /** The same where it has to be asked for: those who ask at the same time share one question, sent after they asked. */
  readCommitVersion(): Promise<CommitVersion>
  /** Runs statements that cannot be prepared, such as a migration's. Only for the store itself. */
  script(sql: string): Promise<void>
  /** Resolves when the database can serve; throws `storage_unavailable` otherwise. */
  check(): Promise<void>
  close(): Promise<void>
}

export interface DatabaseOptions {
  /** `postgres://…`, or the path of the SQLite file. */
  location: string
  /** Connections to PostgreSQL that this process may hold. */
  poolSize?: number
  /** What is kept in memory; the default is for tests and commands. */
  caches?: Caches
  threads?: Threads
  /** For commands, whose statements may take long or wait for others': the time limits of requests do not count. */
  patient?: boolean
  /** How long a transaction waits for that of another process, where the engine lets only one write. */
  waitMilliseconds?: number
}

const defaultCacheBytes = 128 * 1024 * 1024

export const isPostgres = (location: string): boolean => /^postgres(ql)?:\/\//.test(location)

export async function openDatabase(given: DatabaseOptions): Promise<Database> {
  const options = { caches: new Caches({ bytes: defaultCacheBytes }), threads: new Threads(), ...given }
  // Loaded on demand: a process on one engine never pays for the other's driver.
  if (isPostgres(options.location)) return (await import('./engines/postgres.ts')).openPostgres(options)
  return (await import('./engines/sqlite.ts')).openSqlite(options)
}
