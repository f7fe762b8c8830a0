/**
 * Access to a published site, for whoever serves it: which site an address belongs to, and who is let in.
 *
 * A site that is not published, or that asks for a key that was not given, is not there: exactly like one that never was.
 */
import type { CommitVersion } from '../../../store/database.ts'
import type { SiteRow } from '../../../store/sites/sites.ts'
import type { Actor, Visit } from '../../actor.ts'
import type { Base } from '../../handler.ts'
import { rootOf } from '../published-address.ts'
import { siteAt } from '../reading/resolve.ts'
import { admit, type VisitorCredentials, visitOf, visitorActor } from './visitors.ts'

type Reach = Pick<Base, 'db' | 'env' | 'now'> & { commitVersion?: CommitVersion | undefined }

export interface FoundSite {
  site: SiteRow
  /** What of the address is left for the site, decoded. */
  segments: readonly string[]
  /** Where readers reach the site, without a trailing slash. */
  root: string
}

/** The site that an address belongs to, published or not. */
export async function findSiteAt(reach: Omit<Reach, 'now'>, url: URL): Promise<FoundSite | undefined> {
  const found = await siteAt(reach, url)
  return found && { ...found, root: rootOf(reach.env.urls, found.site) }
}

/** The visitor who is let in, or that only a token of the site's own would let them in. Otherwise `not_found`. */
export async function enterSite(
  reach: Reach,
  site: SiteRow,
  shown: VisitorCredentials,
): Promise<{ visit: Visit; actor: Actor } | { authenticate: true }> {
  const admission = await admit(reach, site, shown)
  if ('authenticate' in admission) return admission
  const visit = await visitOf(reach, site, { ...admission, shareKey: shown.shareKey })
  return { visit, actor: visitorActor(visit) }
}
