/**
 * What search and links take from the documents of a space that was just imported, until it is indexed by this process. Another
 * process that comes first reads the documents instead.
 */
import type { Caches } from '../../../core/caches.ts'
import type { Extracts } from '../../../core/search/extract.ts'

const keptIn = new WeakMap<Caches, Map<string, Extracts>>()

/** Whoever indexes the space begins within seconds. */
const mostMilliseconds = 5 * 60_000

export function keepExtracts(caches: Caches, spaceId: string, extracts: Extracts): void {
  const kept = keptIn.get(caches) ?? new Map<string, Extracts>()
  keptIn.set(caches, kept)
  kept.set(spaceId, extracts)
  setTimeout(() => {
    if (kept.get(spaceId) === extracts) kept.delete(spaceId)
  }, mostMilliseconds).unref()
}

export function takeExtracts(caches: Caches, spaceId: string): Extracts | undefined {
  const kept = keptIn.get(caches)
  const extracts = kept?.get(spaceId)
  kept?.delete(spaceId)
  return extracts
}
