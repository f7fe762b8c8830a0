/**
 * Transactions of this process that wait for each other: those that name one lock, and those that would meet at the same row.
 *
 * They wait here, not at the database with a connection in hand: a hundred writers of one space take one connection, and
 * everyone else finds the pool free. Those that wait at the same time share a transaction and its commit, so that 64 writers
 * wait for the disk a few times instead of 64. Each is still all or nothing for itself: when one fails that has written,
 * the shared transaction is rolled back, and the others run again, each in one of its own.
 */
import { ApiError } from '../../core/errors.ts'
import type { Connection, TransactionOptions } from '../database.ts'
import { type PostgresTransaction, Retry } from './postgres-connection.ts'

/** How many and how much time a shared transaction may gather before the others wait for the next. */
const mostTogether = 128
const togetherMilliseconds = 20

interface Transacting {
  /** One attempt, for several. */
  share(work: (tx: PostgresTransaction) => Promise<void>, options: TransactionOptions): Promise<void>
  /** As many attempts as it takes, for one. */
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
  tx: PostgresTransaction
  value: unknown
  isRefused: boolean
}

export class Turns {
  readonly #transacting: Transacting
  readonly #queues = new Map<string, Waiting[]>()

  constructor(transacting: Transacting) {
    this.#transacting = transacting
  }

  wait<T>(name: string, work: (tx: Connection) => Promise<T>, options: TransactionOptions): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      const isAlone = options.unhurried === true || options.derived === true
      const waiting: Waiting = { work, options, isAlone, resolve: (value) => resolve(value as T), reject }
      const queue = this.#queues.get(name)
      if (queue) queue.push(waiting)
      else this.#workOff(name, [waiting])
    })
  }

  async #workOff(name: string, queue: Waiting[]): Promise<void> {
    this.#queues.set(name, queue)
    for (let [next] = queue; next; [next] = queue) {
      if (next.isAlone) await this.#carryAlone(queue.splice(0, 1))
      else await this.#carryTogether(queue, next.options)
    }
    this.#queues.delete(name)
  }

  async #carryAlone([waiting]: Waiting[]): Promise<void> {
    if (waiting) await this.#transacting.alone(waiting.work, waiting.options).then(waiting.resolve, waiting.reject)
  }

  async #carryTogether(queue: Waiting[], options: TransactionOptions): Promise<void> {
    const parts: Part[] = []
    const most = Math.min(queue.length, mostTogether)
    try {
      await this.#transacting.share(async (tx) => {
        const began = performance.now()
        while (parts.length < most && performance.now() < began + togetherMilliseconds) {
          const waiting = queue[0]?.isAlone ? undefined : queue.shift()
          if (!waiting) break
          const part = { waiting, tx: tx.part(), value: undefined, isRefused: false }
          parts.push(part)
          await carry(part)
        }
      }, options)
    } catch (error) {
      // Nothing of it is committed. Who could not even begin shares that fate, and does not wait for it once more.
      const undone = parts.length > 0 ? accepted(parts).map(({ waiting }) => waiting) : queue.splice(0, most)
      if (error instanceof Spoiled || error instanceof Retry)
        queue.unshift(...undone.map((waiting) => ({ ...waiting, isAlone: true })))
      else for (const waiting of undone) waiting.reject(error)
      return
    }
    for (const { waiting, tx, value } of accepted(parts)) {
      waiting.resolve(value)
      for (const hint of tx.committed) hint()
    }
  }
}

async function carry(part: Part): Promise<void> {
  const { waiting, tx } = part
  try {
    part.value = await waiting.work(tx)
  } catch (error) {
    if (error instanceof Retry || isAway(error)) throw error
    part.isRefused = true
    waiting.reject(error)
    if (tx.isSpoiling) throw new Spoiled()
  } finally {
    tx.end()
  }
}

const accepted = (parts: readonly Part[]): Part[] => parts.filter(({ isRefused }) => !isRefused)

const isAway = (error: unknown): boolean => error instanceof ApiError && error.code === 'storage_unavailable'

/** One has failed that wrote: nothing of the transaction that others share with it can stay. */
class Spoiled extends Error {}
