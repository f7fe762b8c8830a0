/**
 * What those who share a transaction and name no lock do once for all of them: rows that are cached elsewhere (cached-rows.ts) are
 * read once, and what they gather (gathered.ts) is written at once.
 *
 * By themselves they would run side by side, and none would see what another has not committed. So what the first has read holds for
 * the others, who all waited before it did, until one of them writes; and what is gathered may wait until the last has run.
 * Whoever has gathered and then asks for something finds it written.
 */
import type { Connection, Gathering, Row, Statement, Value } from '../database.ts'
import { isAway, Retry } from './retry.ts'
import type { Transaction } from './transaction-queue.ts'

type Write = (tx: Connection) => Promise<unknown>

export class SharedWork implements Gathering {
  readonly #tx: Transaction
  #writes: Write[] = []
  /** Another one once something was written. */
  moment = {}

  constructor(tx: Transaction) {
    this.#tx = tx
  }

  beforeCommit(write: Write): void {
    this.#writes.push(write)
  }

  /** Nobody knows whose part of it failed: then each runs again by itself. */
  async write(): Promise<void> {
    this.moment = {}
    const writes = this.#writes
    this.#writes = []
    try {
      for (const write of writes) await write(this.#tx)
    } catch (error) {
      throw isAway(error) || error instanceof Retry ? error : new Retry('What was gathered could not be written.')
    }
  }
}

/** What one of them works with. */
export class SharingConnection implements Connection {
  readonly engine: Connection['engine']
  readonly caches: Connection['caches']
  readonly threads: Connection['threads']
  /** Whether something of it waits, or was written since. */
  hasGathered = false
  readonly #part: Transaction
  readonly #shared: SharedWork

  constructor(part: Transaction, shared: SharedWork) {
    this.engine = part.engine
    this.caches = part.caches
    this.threads = part.threads
    this.#part = part
    this.#shared = shared
  }

  async all(statement: Statement, values: readonly Value[]): Promise<Row[]> {
    if (this.hasGathered) await this.#shared.write()
    // What begins otherwise may write, and tell of it (`returning`).
    if (!statement.sql.startsWith('select')) this.#shared.moment = {}
    return this.#part.all(statement, values)
  }

  async run(statement: Statement, values: readonly Value[]): Promise<number> {
    if (this.hasGathered) await this.#shared.write()
    this.#shared.moment = {}
    return this.#part.run(statement, values)
  }

  moment(): object {
    return this.#shared.moment
  }

  gather(): Gathering {
    this.hasGathered = true
    return this.#shared
  }

  afterCommit(hint: () => void): void {
    this.#part.afterCommit?.(hint)
  }
}
