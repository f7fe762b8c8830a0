/**
 * What search and links take from the documents of a space that was just imported, until it is indexed by this process. Another
 * process that comes first reads the documents instead.
 */
import type { Caches } from '../../../core/caches.ts'
import type { Extracts } from '../../../core/search/extract.ts'

const freshIn = new WeakMap<Caches, Map<string, Extracts>>()

/** Whoever indexes the space begins within seconds. */
const mostMilliseconds = 5 * 60_000
/** Those of the spaces before these are read again. */
const mostSpaces = 2

export function noteExtracts(caches: Caches, spaceId: string, extracts: Extracts): void {
  const fresh = freshIn.get(caches) ?? new Map<string, Extracts>()
  freshIn.set(caches, fresh)
  fresh.delete(spaceId)
  fresh.set(spaceId, extracts)
  for (const space of fresh.keys()) if (fresh.size > mostSpaces) fresh.delete(space)
  setTimeout(() => {
    if (fresh.get(spaceId) === extracts) fresh.delete(spaceId)
  }, mostMilliseconds).unref()
}

export function takeExtracts(caches: Caches, spaceId: string): Extracts | undefined {
  const fresh = freshIn.get(caches)
  const extracts = fresh?.get(spaceId)
  fresh?.delete(spaceId)
  return extracts
}
