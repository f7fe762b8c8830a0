/**
 * Whether a site is as it was. Where the database has a mark, equal marks say so at no cost, and after another commit the
 * site's version is read once. Where it has none the version is read for each request; those that arrive while it is being
 * read wait for the next reading, which is begun after they came, and share it.
 */
import type { Database } from '../../store/database.ts'
import { siteVersion } from '../../store/site-version.ts'

export interface Versions {
  of(siteId: string, mark: number | undefined): Promise<string>
}

const rememberAtMost = 10_000

export function makeVersions(db: Database): Versions {
  const marked = new Map<string, { mark: number; version: Promise<string> }>()
  const reading = new Map<string, { now: Promise<string>; next: Promise<string> | undefined }>()

  const atMark = (siteId: string, mark: number): Promise<string> => {
    const known = marked.get(siteId)
    if (known?.mark === mark) return known.version
    const version = siteVersion(db, siteId)
    if (marked.size >= rememberAtMost) marked.clear()
    marked.set(siteId, { mark, version })
    version.catch(() => marked.delete(siteId))
    return version
  }

  const begin = (siteId: string): Promise<string> => {
    const now = siteVersion(db, siteId)
    const turn = { now, next: undefined }
    reading.set(siteId, turn)
    const done = () => {
      if (reading.get(siteId) === turn) reading.delete(siteId)
    }
    now.then(done, done)
    return now
  }

  return {
    of: (siteId, mark) => {
      if (mark !== undefined) return atMark(siteId, mark)
      const turn = reading.get(siteId)
      if (!turn) return begin(siteId)
      turn.next ??= turn.now.then(
        () => begin(siteId),
        () => begin(siteId),
      )
      return turn.next
    },
  }
}
