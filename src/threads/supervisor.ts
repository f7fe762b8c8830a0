/**
 * All threads of a process, by kind. Made where the process is assembled and handed around with the database; a kind has no
 * thread before its first task.
 */
import type { CacheFacts } from '../core/caches.ts'
import { type ThreadKind, threadKinds } from './kinds.ts'
import { type TaskOptions, type ThreadCounts, ThreadPool } from './pool.ts'

type Kind = keyof typeof threadKinds

export class Threads {
  readonly #pools = new Map<Kind, ThreadPool>()

  /** Runs one task in a thread of that kind, which all callers share. */
  run(kind: Exclude<Kind, 'reader'>, input: unknown, options?: TaskOptions): Promise<unknown> {
    return (this.#pools.get(kind) ?? this.open(kind)).run(input, options)
  }

  /** Threads that are started with something of their own: who opens them closes them. */
  open(kind: Kind, workerData?: unknown): ThreadPool {
    const limits: ThreadKind = threadKinds[kind]
    const pool = new ThreadPool(limits, workerData)
    this.#pools.set(kind, pool)
    return pool
  }

  /** What each kind has to do at this moment; kinds without a task so far are not in it. */
  list(): (ThreadCounts & { kind: string })[] {
    return [...this.#pools].map(([kind, pool]) => ({ kind, ...pool.counts }))
  }

  /** What threads cache: one row for each cache of a kind, all its threads together. */
  listCaches(): CacheFacts[] {
    const all = new Map<string, CacheFacts>()
    for (const [kind, pool] of this.#pools)
      for (const cache of pool.caches) {
        const name = `${kind} threads: ${cache.name}`
        all.set(name, { ...sumOf(cache, all.get(name)), name })
      }
    return [...all.values()]
  }

  async close(): Promise<void> {
    await Promise.all([...this.#pools.values()].map((pool) => pool.close()))
  }
}

const sumOf = (one: CacheFacts, other: CacheFacts | undefined): CacheFacts =>
  other === undefined
    ? one
    : {
        name: one.name,
        limit: one.limit + other.limit,
        hits: one.hits + other.hits,
        misses: one.misses + other.misses,
        size: one.size + other.size,
        bytes: one.bytes + other.bytes,
      }
