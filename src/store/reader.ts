/** The thread that answers slow questions on SQLite, started when the first one is asked. */
import { setTimeout as sleep } from 'node:timers/promises'
import { fail } from '../core/errors.ts'
import { ThreadError, type ThreadPool } from '../threads/pool.ts'
import type { Threads } from '../threads/supervisor.ts'
import type { Row, Statement, Value } from './database.ts'
import type { SearchAnswer, SearchRequest } from './search-index/search.ts'

/** `restart` also starts the log anew, unless a long reader (a backup) stands in the way: then the log grows. */
export type Checkpoint = 'passive' | 'restart'
export type ReaderTask =
  | { sql: string; values: readonly Value[] }
  | { search: SearchRequest }
  | { checkpoint: Checkpoint }

const closeMilliseconds = 2_000
const againMilliseconds = 250

export class ReaderThread {
  readonly #threads: ThreadPool
  #isCheckpointing = false
  readonly #running = new Set<Promise<unknown>>()

  constructor(threads: Threads, location: string) {
    this.#threads = threads.open('reader', { location })
  }

  async all(statement: Statement, values: readonly Value[]): Promise<Row[]> {
    return (await this.#ask({ sql: statement.sql, values })) as Row[]
  }

  /** The answer travels as JSON, which is read several times faster than a copied object. */
  async search(request: SearchRequest): Promise<SearchAnswer> {
    return JSON.parse((await this.#ask({ search: request })) as string)
  }

  checkpoint(checkpoint: Checkpoint = 'passive'): void {
    if (this.#isCheckpointing) return
    this.#isCheckpointing = true
    const done = (): void => {
      this.#isCheckpointing = false
    }
    // One that failed is made up for by a later one.
    this.#run({ checkpoint }).then(done, done)
  }

  /** What is being answered is awaited for a moment: a thread that ends inside SQLite can take the process with it. */
  async close(): Promise<void> {
    await Promise.race([Promise.allSettled(this.#running), sleep(closeMilliseconds, undefined, { ref: false })])
    await this.#threads.close()
  }

  #run(task: ReaderTask): Promise<unknown> {
    const run = this.#threads.run(task)
    this.#running.add(run)
    const done = (): void => void this.#running.delete(run)
    run.then(done, done)
    return run
  }

  /**
   * A question changes nothing, so one whose thread ended is asked again, of another: the files of the program may just have been
   * replaced under it, or memory was short for a moment.
   */
  async #ask(task: ReaderTask): Promise<unknown> {
    try {
      return await this.#run(task).catch(async (error: unknown) => {
        if (!(error instanceof ThreadError) || error.code !== 'crashed') throw error
        await sleep(againMilliseconds)
        return this.#run(task)
      })
    } catch (error) {
      if (error instanceof ThreadError && error.code === 'failed') throw new Error(error.message)
      throw fail('storage_unavailable')
    }
  }
}
