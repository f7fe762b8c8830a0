/**
 * Whether a site is as it was. Equal marks of the database say so at no cost; after another commit, of whomever, the site's
 * version is read once.
 */
import type { Database, Mark } from '../../store/database.ts'
import { siteVersion } from '../../store/site-version.ts'

export interface Versions {
  /** `mark` was asked for after the request came. */
  of(siteId: string, mark: Mark): Promise<string>
}

const rememberAtMost = 10_000

export function makeVersions(db: Database): Versions {
  const known = new Map<string, { mark: Mark; version: Promise<string> }>()

  return {
    of: (siteId, mark) => {
      const last = known.get(siteId)
      if (last?.mark === mark) return last.version
      const version = siteVersion(db, siteId)
      if (known.size >= rememberAtMost) known.clear()
      known.set(siteId, { mark, version })
      version.catch(() => known.delete(siteId))
      return version
    },
  }
}
