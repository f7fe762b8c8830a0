/**
 * Transactions of this process that wait for each other: on SQLite all of them, on PostgreSQL those that name one lock, and those
 * that would meet at the same row.
 *
 * Those that wait at the same time share a transaction and its commit, so that 64 writers wait for the disk a few times instead
 * of 64. Each is still all or nothing for itself, and none is acknowledged before the shared commit is on disk. A
 * savepoint around each would cost a small one a third of its statements: SQLite copies every page that is written behind
 * one, PostgreSQL answers twice more. So there is none: when one fails that has written, the shared transaction is rolled
 * back, and the others run again, for a while behind savepoints, because where one fails, more do.
 */
import type { Connection, TransactionOptions } from '../database.ts'
import { isAway, Retry } from './retry.ts'
import { SharedWork, SharingConnection } from './shared-work.ts'

/** How many transactions and how much time a shared one may gather before the others wait for the next. */
const mostTogether = 128
const togetherMilliseconds = 20
/** For so long after one that had written failed beside others, each has a savepoint. */
const carefulMilliseconds = 1000

/** A transaction, or the part that one of those has in it who share it. */
export interface Transaction extends Connection {
  /** What is to be called after the commit. */
  readonly committed: readonly (() => void)[]
  /** Whether it left anything behind that only a rollback takes away. */
  readonly isSpoiling: boolean
  /** For one of those that share it. */
  part(): Transaction
  /** `SAVEPOINT one`, say. */
  command(sql: string): Promise<void>
  /** Nothing is taken after this: work that was not waited for would land in the transaction of others. */
  end(): void
}

interface Transacting {
  /** One attempt, from beginning to commit. */
  attempt(work: (tx: Transaction) => Promise<void>, options: TransactionOptions): Promise<void>
  /** As many attempts as it takes, for one that shares with nobody. */
  alone(work: Work, options: TransactionOptions): Promise<unknown>
}

type Work = (tx: Connection) => Promise<unknown>

interface Waiting {
  work: Work
  options: TransactionOptions
  isAlone: boolean
  resolve: (value: unknown) => void
  reject: (error: unknown) => void
}

/** One of those that share a transaction; when it has run, it waits for the commit. */
interface Part {
  waiting: Waiting
  tx: Transaction
  /** Where it names no lock and others share the transaction. */
  sharing: SharingConnection | undefined
  value: unknown
  refusal: { cause: unknown } | undefined
}

export class TransactionQueue {
  readonly #transacting: Transacting
  readonly #waiting: Waiting[] = []
  #carefulUntil = 0

  constructor(transacting: Transacting) {
    this.#transacting = transacting
  }

  get length(): number {
    return this.#waiting.length
  }

  add<T>(work: (tx: Connection) => Promise<T>, options: TransactionOptions): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      const isAlone = options.unhurried === true || options.derived === true
      this.#waiting.push({ work, options, isAlone, resolve: (value) => resolve(value as T), reject })
    })
  }

  /** Carries out the first, and with it those that may share its transaction. */
  async carryNext(): Promise<void> {
    const [next] = this.#waiting
    if (next?.isAlone) await this.#carryAlone(next)
    else if (next) await this.#carryTogether(next)
  }

  async #carryAlone(next: Waiting): Promise<void> {
    this.#waiting.shift()
    await this.#transacting.alone(next.work, next.options).then(next.resolve, next.reject)
  }

  async #carryTogether({ options }: Waiting): Promise<void> {
    const parts: Part[] = []
    const waited = this.#waiting.length
    try {
      await this.#transacting.attempt((tx) => this.#share(tx, parts), options)
    } catch (error) {
      // Nothing of it is committed, so nobody may be told otherwise. Who could not even begin does not wait for it once more.
      const undone = parts.length > 0 ? accepted(parts).map(({ waiting }) => waiting) : this.#takeAllShared(waited)
      if (error instanceof Spoiled) this.#runAgain(undone)
      else if (error instanceof Retry) this.#runAgainAlone(undone)
      else for (const waiting of undone) waiting.reject(error)
      return
    }
    for (const { waiting, tx, value } of accepted(parts)) {
      waiting.resolve(value)
      for (const hint of tx.committed) hint()
    }
  }

  /** Those that wait now: who comes while they run has the next. */
  async #share(tx: Transaction, parts: Part[]): Promise<void> {
    const began = performance.now()
    const isCareful = began < this.#carefulUntil
    const most = Math.min(this.#waiting.length, mostTogether)
    const shared = isCareful || most === 1 ? undefined : new SharedWork(tx)
    while (parts.length < most && performance.now() < began + togetherMilliseconds) {
      const waiting = this.#takeShared()
      if (!waiting) break
      const part = partOf(waiting, tx.part(), shared)
      parts.push(part)
      // Who names a lock is to find all that was decided before.
      if (!part.sharing) await shared?.write()
      await (isCareful ? runBehindSavepoint(part, tx) : runPart(part))
      if (part.refusal && hasLeftSomething(part) && !isCareful) throw new Spoiled()
    }
    await shared?.write()
  }

  /** The first, unless it shares with nobody. */
  #takeShared(): Waiting | undefined {
    return this.#waiting[0]?.isAlone ? undefined : this.#waiting.shift()
  }

  #takeAllShared(most: number): Waiting[] {
    const taken: Waiting[] = []
    for (let next = this.#takeShared(); next; next = taken.length < most ? this.#takeShared() : undefined)
      taken.push(next)
    return taken
  }

  /** Those that were undone by the failure of another, before all that wait. */
  #runAgain(undone: readonly Waiting[]): void {
    if (undone.length === 0) return
    this.#waiting.unshift(...undone)
    this.#carefulUntil = performance.now() + carefulMilliseconds
  }

  #runAgainAlone(undone: readonly Waiting[]): void {
    this.#waiting.unshift(...undone.map((waiting) => ({ ...waiting, isAlone: true })))
  }
}

function partOf(waiting: Waiting, tx: Transaction, shared: SharedWork | undefined): Part {
  const mayShare = shared && waiting.options.together !== undefined
  const sharing = mayShare ? new SharingConnection(tx, shared) : undefined
  return { waiting, tx, sharing, value: undefined, refusal: undefined }
}

const hasLeftSomething = ({ tx, sharing }: Part): boolean => tx.isSpoiling || sharing?.hasGathered === true

async function runBehindSavepoint(part: Part, shared: Transaction): Promise<void> {
  await shared.command('SAVEPOINT one')
  await runPart(part)
  if (part.refusal) await undoPart(shared, part.refusal.cause)
  await shared.command('RELEASE SAVEPOINT one')
}

async function undoPart(shared: Transaction, cause: unknown): Promise<void> {
  try {
    await shared.command('ROLLBACK TO SAVEPOINT one')
  } catch {
    // Some faults (a full disk) undo the whole transaction by themselves: then the others fail with it, for this cause.
    throw cause
  }
}

/** One that fails is told at once. */
async function runPart(part: Part): Promise<void> {
  const { waiting, tx, sharing } = part
  try {
    part.value = await waiting.work(sharing ?? tx)
  } catch (error) {
    if (error instanceof Retry || isAway(error)) throw error
    part.refusal = { cause: error }
    waiting.reject(error)
  } finally {
    tx.end()
  }
}

const accepted = (parts: readonly Part[]): Part[] => parts.filter(({ refusal }) => !refusal)

/** One has failed that wrote: nothing of the transaction that others share with it can stay. */
class Spoiled extends Error {}
