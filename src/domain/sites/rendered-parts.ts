/**
 * What parts of published pages were rendered as (highlighted code, formulas), stored under hashes of their own: a page is
 * rendered again after an edit, a start of the process or in another process for the price of what changed in it.
 *
 * Readers never wait for a write: what they had made waits here until whoever owns the database stores it.
 */
import type { Caches } from '../../core/caches.ts'
import type { Connection, Database } from '../../store/database.ts'
import {
  findPartDays,
  findRenderedParts,
  storeRenderedParts,
  touchRenderedParts,
} from '../../store/packed/rendered-parts.ts'

interface Left {
  made: Map<string, Uint8Array>
  bytes: number
  used: Set<string>
}

/** More than this is made again by who needs it. */
const mostBytes = 4_000_000
/** How old the day of the last use gets before it is noted anew: each note is a write. */
const staleMilliseconds = 7 * 24 * 60 * 60 * 1000

const leftIn = new WeakMap<Caches, Left>()

function leftOf(caches: Caches): Left {
  let known = leftIn.get(caches)
  if (!known) {
    known = { made: new Map(), bytes: 0, used: new Set() }
    leftIn.set(caches, known)
  }
  return known
}

export function renderedParts(db: Connection) {
  return {
    async find(hashes: readonly string[]): Promise<ReadonlyMap<string, Uint8Array>> {
      const { made, used } = leftOf(db.caches)
      const found = new Map<string, Uint8Array>()
      const stale = dayOf(Date.now() - staleMilliseconds)
      for (const { hash, bytes, usedAt } of await findRenderedParts(db, { hashes: JSON.stringify(hashes) })) {
        found.set(hash, bytes)
        if (usedAt < stale) used.add(hash)
      }
      for (const hash of hashes) {
        const bytes = made.get(hash)
        if (bytes) found.set(hash, bytes)
      }
      return found
    },
    keep(hash: string, bytes: Uint8Array): void {
      const left = leftOf(db.caches)
      if (left.made.has(hash) || left.bytes + bytes.length > mostBytes) return
      left.made.set(hash, bytes)
      left.bytes += bytes.length
    },
  }
}

/** Those of these that are not stored; of the others it is noted that they are wanted, so that no purge takes them soon. */
export async function missingParts(db: Database, hashes: readonly string[]): Promise<ReadonlySet<string>> {
  const missing = new Set(hashes)
  const known = hashes.length === 0 ? [] : await findPartDays(db, { hashes: JSON.stringify(hashes) })
  const stale = dayOf(Date.now() - staleMilliseconds)
  for (const { hash } of known) missing.delete(hash)
  for (const hash of leftOf(db.caches).made.keys()) missing.delete(hash)
  await touchRenderedParts(
    db,
    known.flatMap(({ hash, usedAt }) => (usedAt < stale ? hash : [])),
    dayOf(Date.now()),
  )
  return missing
}

/** Stores what was rendered before anybody read it. */
export const storeMadeAhead = (db: Database, parts: ReadonlyMap<string, Uint8Array>): Promise<void> =>
  storeRenderedParts(db, dayOf(Date.now()), parts)

/** Stores what is left here. */
export async function storeRenderedLeft(db: Database): Promise<void> {
  const left = leftOf(db.caches)
  const [made, used, today] = [new Map(left.made), [...left.used], dayOf(Date.now())]
  await storeRenderedParts(db, today, made)
  await touchRenderedParts(db, used, today)
  for (const [hash, bytes] of made) {
    left.made.delete(hash)
    left.bytes -= bytes.length
  }
  for (const hash of used) left.used.delete(hash)
}

const dayOf = (milliseconds: number): string => new Date(milliseconds).toISOString().slice(0, 10)
