/** The thread that answers slow questions on SQLite, started when the first one is asked. */
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { Worker } from 'node:worker_threads'
import { fail } from '../core/errors.ts'
import type { Row, Statement, Value } from './database.ts'
import type { SearchAnswer, SearchRequest } from './search-index/search.ts'

/** `restart` also starts the log anew, unless a long reader (a backup) stands in the way: then the log grows. */
export type Checkpoint = 'passive' | 'restart'
export type ReaderTask = { sql: string; values: readonly Value[] } | { search: SearchRequest }
export type ReaderRequest = ({ id: number } & ReaderTask) | { checkpoint: Checkpoint }
export type ReaderReply = { id: number; answer: unknown } | { id: number; error: string } | { checkpointed: true }

export class ReaderThread {
  readonly #location: string
  readonly #waiting = new Map<number, { resolve: (answer: unknown) => void; reject: (error: unknown) => void }>()
  #worker: Worker | undefined
  #next = 1
  #isCheckpointing = false

  constructor(location: string) {
    this.#location = location
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
    this.#post({ checkpoint })
  }

  async close(): Promise<void> {
    await this.#worker?.terminate()
  }

  #ask(task: ReaderTask): Promise<unknown> {
    const id = this.#next++
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject })
      this.#post({ id, ...task })
    })
  }

  #post(request: ReaderRequest): void {
    this.#worker ??= this.#start()
    this.#worker.postMessage(request)
  }

  #start(): Worker {
    const worker = new Worker(threadFile('reader'), { workerData: { location: this.#location } })
    // A thread that answers nobody must not keep the process alive.
    worker.unref()
    worker.on('message', (reply: ReaderReply) => {
      if ('checkpointed' in reply) {
        this.#isCheckpointing = false
        return
      }
      const waiting = this.#waiting.get(reply.id)
      this.#waiting.delete(reply.id)
      if ('error' in reply) waiting?.reject(new Error(reply.error))
      else waiting?.resolve(reply.answer)
    })
    const lost = () => {
      this.#worker = undefined
      this.#isCheckpointing = false
      for (const { reject } of this.#waiting.values()) reject(fail('storage_unavailable'))
      this.#waiting.clear()
    }
    worker.on('error', lost)
    worker.on('exit', lost)
    return worker
  }
}

/** The built file of a thread: beside the bundle, or in dist/ when the sources run unbundled (tests). */
export function threadFile(name: string): string {
  const beside = fileURLToPath(new URL(`./${name}.js`, import.meta.url))
  return existsSync(beside) ? beside : fileURLToPath(new URL(`../../dist/${name}.js`, import.meta.url))
}
