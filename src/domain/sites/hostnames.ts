/** Host names of sites: each belongs to one site, and none is the installation's own. */
import { Hostname } from '../../contract/site.ts'
import { fail, invalid } from '../../core/errors.ts'
import { findSiteByHostname, findSiteByProxy, type SiteRow } from '../../store/sites.ts'
import type { Base } from '../scope.ts'

export async function refuseHostname({ db, env }: Base, site: Pick<SiteRow, 'id'>, hostname: string): Promise<void> {
  if (!Hostname.safeParse(hostname).success) throw invalid('hostname', 'must be a host name such as docs.example.org')
  // Whoever had it would be served in the place of the app.
  const own = [env.urls.app, env.urls.sites].map((address) => new URL(address).hostname)
  if (own.includes(hostname)) throw invalid('hostname', 'is the name of this installation')
  const other = await findSiteByHostname(db, { hostname })
  if (other && other.id !== site.id) throw fail('already_exists', 'Another site has this host name.')
}

export async function refuseProxy({ db }: Base, site: Pick<SiteRow, 'id'>, proxy: string): Promise<void> {
  const others = (await findSiteByProxy(db, [proxy])).filter((other) => other.id !== site.id)
  if (others.length > 0) throw fail('already_exists', 'Another site is shown at this address.')
}
