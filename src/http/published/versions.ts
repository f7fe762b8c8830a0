/**
 * Whether a site is as it was. Equal versions of the database say so at no cost; after another commit, of whomever, the site's
 * version is read once.
 */
import type { CommitVersion, Database } from '../../store/database.ts'
import { siteVersion } from '../../store/sites/site-version.ts'

export interface Versions {
  /** `commitVersion` was asked for after the request came. */
  of(siteId: string, commitVersion: CommitVersion): Promise<string>
}

const rememberAtMost = 10_000

export function makeVersions(db: Database): Versions {
  const known = new Map<string, { commitVersion: CommitVersion; version: Promise<string> }>()

  return {
    of: (siteId, commitVersion) => {
      const last = known.get(siteId)
      if (last?.commitVersion === commitVersion) return last.version
      const version = siteVersion(db, siteId)
      if (known.size >= rememberAtMost) known.clear()
      known.set(siteId, { commitVersion, version })
      version.catch(() => known.delete(siteId))
      return version
    },
  }
}
