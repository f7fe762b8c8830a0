/**
 * Everything that is kept in memory because it was worked out once: named caches, each bounded in bytes, all of them in one
 * object that is made at start and handed around with the database.
 *
 * A module defines the cache it needs, with its share of the whole, and finds it in the object it is handed: nothing is kept
 * in the module itself. What an entry takes is told by who puts it in. Decoded JSON takes about four times its text.
 */
import { LRUCache } from 'lru-cache'

export class Caches {
  /** What all of them together may take. */
  readonly bytes: number
  /** For tests: rows that are cached are read all the same, and must be the same (store/cached-rows.ts). */
  checksCachedRows = false
  readonly #all: CacheFacts[] = []

  constructor({ bytes }: { bytes: number }) {
    this.bytes = bytes
  }

  add(cache: CacheFacts): void {
    this.#all.push(cache)
  }

  /** Each cache with what it holds, for the metrics. */
  list(): readonly CacheFacts[] {
    return this.#all
  }
}

/** What there is to tell of a cache, whatever it keeps. */
export interface CacheFacts {
  readonly name: string
  readonly limit: number
  readonly hits: number
  readonly misses: number
  readonly size: number
  readonly bytes: number
}

export class Cache<V extends NonNullable<unknown>> {
  readonly name: string
  readonly limit: number
  hits = 0
  misses = 0
  readonly #entries: LRUCache<string, V>

  constructor(name: string, limit: number) {
    this.name = name
    this.limit = limit
    this.#entries = new LRUCache<string, V>({ maxSize: Math.max(1, limit) })
  }

  get(key: string): V | undefined {
    const value = this.#entries.get(key)
    if (value === undefined) this.misses++
    else this.hits++
    return value
  }

  has(key: string): boolean {
    return this.#entries.has(key)
  }

  set(key: string, value: V, bytes: number): void {
    const size = Math.ceil(bytes) + 2 * key.length + entryBytes
    // It may have grown since it was put in, and the library does not weigh again what it holds already.
    if (this.#entries.peek(key) === value) this.#entries.delete(key)
    // One that takes more than a quarter would push out everything else.
    if (size > this.limit / 4) this.#entries.delete(key)
    else this.#entries.set(key, value, { size })
  }

  delete(key: string): void {
    this.#entries.delete(key)
  }

  clear(): void {
    this.#entries.clear()
  }

  get size(): number {
    return this.#entries.size
  }

  get bytes(): number {
    return this.#entries.calculatedSize
  }
}

/** What the cache itself takes for an entry. */
const entryBytes = 150

/** What decoded JSON takes, by the length of its text. */
export const decodedBytes = (textLength: number): number => 4 * textLength

/** A cache of this name in whatever object is handed in. All shares together stay below the whole. */
export function defineCache<V extends NonNullable<unknown>>(
  name: string,
  { share }: { share: number },
): (caches: Caches) => Cache<V> {
  const made = new WeakMap<Caches, Cache<V>>()
  return (caches) => {
    let cache = made.get(caches)
    if (!cache) {
      cache = new Cache<V>(name, Math.floor(caches.bytes * share))
      made.set(caches, cache)
      caches.add(cache)
    }
    return cache
  }
}
