/**
 * What was read from the database, in memory for as long as the rows that it came from stay as they are.
 *
 * Whoever reads tells at which versions (row-versions.ts). While nothing at all was committed what is there holds without a
 * question, where the engine knows that; after that it is asked whether those versions moved, and only if they did it is read
 * again. So a commit costs those who read something else a question, which all of one turn of the event loop share, and whoever
 * asks after a commit was acknowledged never gets what was before it.
 */
import { isDeepStrictEqual } from 'node:util'
import { type Cache, defineCache } from '../core/caches.ts'
import { type CommitVersion, type Connection, type Database, isDatabase } from './database.ts'
import { readVersions, type TopicVersion } from './row-versions.ts'

export interface ReadAt<V> {
  value: V
  versions: readonly TopicVersion[]
  /** What it takes in memory, about. */
  bytes: number
}

interface Entry<V> extends ReadAt<V> {
  /** The commit version at which it held, where one is known. */
  commitVersion: CommitVersion | undefined
}

/** Reads what a key stands for; that there is nothing is not remembered. */
type Read<V, None> = () => Promise<ReadAt<V> | None>

type CachedRows<V, None> = (
  db: Connection,
  key: string,
  read: Read<V, None>,
  /** Where the caller has asked for it, after the request came: others who have the same need not ask again. */
  commitVersion?: CommitVersion,
) => V | None | Promise<V | None>

/**
 * What is read by a key, from memory where that still holds; inside a transaction always from the database. Not always a promise.
 * It is frozen where others have the same.
 */
export function cachedRows<V extends object, None extends undefined = never>(
  name: string,
  share: { share: number },
): CachedRows<V, None> {
  const cacheIn = defineCache<Entry<V>>(name, share)
  const renewals = new WeakMap<Cache<Entry<V>>, Renewals<V | None>>()
  const shared = new WeakMap<object, Map<string, V>>()
  return (db, key, read, given) => {
    if (!isDatabase(db)) return readInTransaction(db, key, read, shared)
    const cache = cacheIn(db.caches)
    const entry = cache.get(key)
    const commitVersion = given ?? db.commitVersion()
    if (commitVersion === undefined) return renew(db, { cache, key, read, entry, commitVersion })
    if (entry?.commitVersion === commitVersion && !db.caches.checksCachedRows) return entry.value
    const underWay = renewals.get(cache) ?? new Renewals<V | None>()
    renewals.set(cache, underWay)
    return underWay.join(key, commitVersion, () => renew(db, { cache, key, read, entry, commitVersion }))
  }
}

/** From the database, once for all who share the transaction at a moment. */
function readInTransaction<V extends object, None extends undefined>(
  tx: Connection,
  key: string,
  read: Read<V, None>,
  shared: WeakMap<object, Map<string, V>>,
): V | Promise<V | None> {
  const moment = tx.moment?.()
  const known = moment && shared.get(moment)?.get(key)
  if (known) return known
  return read().then((found) => {
    if (!found) return found
    if (moment) shared.set(moment, (shared.get(moment) ?? new Map()).set(key, Object.freeze(found.value)))
    return found.value
  })
}

/** Those who ask for the same at the same commit version wait for one reading. */
class Renewals<V> {
  readonly #underWay = new Map<string, { commitVersion: CommitVersion; reading: Promise<V> }>()

  join(key: string, commitVersion: CommitVersion, begin: () => Promise<V>): Promise<V> {
    const known = this.#underWay.get(key)
    if (known?.commitVersion === commitVersion) return known.reading
    const reading = begin().finally(() => {
      if (this.#underWay.get(key)?.reading === reading) this.#underWay.delete(key)
    })
    this.#underWay.set(key, { commitVersion, reading })
    return reading
  }
}

async function renew<V extends object, None extends undefined>(
  db: Database,
  { cache, key, read, entry, commitVersion }: Renewal<V, None>,
): Promise<V | None> {
  if (entry && (await stillHolds(db, entry, commitVersion))) {
    if (db.caches.checksCachedRows) await check(db, { key, read, entry })
    entry.commitVersion = commitVersion
    return entry.value
  }
  const found = await read()
  if (!found) {
    cache.delete(key)
    return found
  }
  const { value, versions, bytes } = found
  cache.set(key, { value: Object.freeze(value), versions, bytes, commitVersion }, bytes)
  return value
}

interface Renewal<V, None> {
  cache: Cache<Entry<V>>
  key: string
  read: Read<V, None>
  entry: Entry<V> | undefined
  /** Asked for before anything was read. */
  commitVersion: CommitVersion | undefined
}

async function stillHolds(
  db: Database,
  { versions, commitVersion: before }: Entry<unknown>,
  commitVersion: CommitVersion | undefined,
): Promise<boolean> {
  if (commitVersion !== undefined && before === commitVersion) return true
  return !(await haveMoved(db, versions, commitVersion))
}

async function haveMoved(
  db: Database,
  versions: readonly TopicVersion[],
  commitVersion?: CommitVersion,
): Promise<boolean> {
  const topics = versions.map(({ topic }) => topic)
  const now = await readVersions(db, topics, commitVersion)
  return versions.some(({ version }, i) => now[i]?.version !== version)
}

/** For tests: that what is cached is what is stored, unless it was changed this very moment. */
async function check<V, None extends undefined>(
  db: Database,
  { key, read, entry }: Pick<Renewal<V, None>, 'key' | 'read'> & { entry: Entry<V> },
): Promise<void> {
  const stored = await read()
  if (stored && isDeepStrictEqual(stored.value, entry.value)) return
  if (await haveMoved(db, entry.versions)) return
  throw new Error(`What is cached of “${key}” is not what is stored, and no version of its rows has moved.`)
}
