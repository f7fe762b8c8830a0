/**
 * What search and links take from the documents of a space that was just imported, until it is indexed by this process. Another
 * process that comes first reads the documents instead.
 */
import type { Caches } from '../../../core/caches.ts'
import type { Extracts } from '../../../core/search/extract.ts'

interface Fresh {
  extracts: Extracts
  /** Ends it where nobody comes. */
  timer: NodeJS.Timeout
}

const freshIn = new WeakMap<Caches, Map<string, Fresh>>()

/** Whoever indexes the space begins within seconds. */
const mostMilliseconds = 5 * 60_000
/** Documents of the spaces before these are read again. */
const mostSpaces = 2

export function noteExtracts(caches: Caches, spaceId: string, extracts: Extracts): void {
  takeExtracts(caches, spaceId)
  const fresh = freshIn.get(caches) ?? new Map<string, Fresh>()
  freshIn.set(caches, fresh)
  const timer = setTimeout(() => takeExtracts(caches, spaceId), mostMilliseconds).unref()
  fresh.set(spaceId, { extracts, timer })
  for (const space of fresh.keys()) if (fresh.size > mostSpaces) takeExtracts(caches, space)
}

export function takeExtracts(caches: Caches, spaceId: string): Extracts | undefined {
  const fresh = freshIn.get(caches)
  const found = fresh?.get(spaceId)
  clearTimeout(found?.timer)
  fresh?.delete(spaceId)
  return found?.extracts
}
