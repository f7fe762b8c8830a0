/**
 * Host names of sites: each belongs to one site, and none is the installation's own.
 *
 * A name is asked for first (a claim) and the site's once its owner has proved that it is theirs. A claim serves nothing,
 * keeps nobody else from the name, and ends after a week. Several sites may claim one name; who proves it first has it.
 */
import { Hostname } from '../../contract/sites/site.ts'
import { fail, invalid } from '../../core/errors.ts'
import { findSiteByHostname, findSiteByProxy, type SiteRow, updateSite } from '../../store/sites/sites.ts'
import type { Environment } from '../environment.ts'
import { changesIn, noteSite } from '../events/note.ts'
import type { Base } from '../handler.ts'
import type { Things } from '../things.ts'

/** How long a claim waits for its proof. */
export const claimDays = 7

export async function refuseHostname({ db, env }: Base, site: Pick<SiteRow, 'id'>, hostname: string): Promise<void> {
  if (!Hostname.safeParse(hostname).success) throw invalid('hostname', 'must be a host name such as docs.example.org')
  // Whoever had it would be served in the place of the app.
  const own = [env.urls.app, env.urls.sites].map((address) => new URL(address).hostname)
  if (own.includes(hostname)) throw invalid('hostname', 'is the name of this installation')
  const other = await findSiteByHostname(db, { hostname })
  if (other && other.id !== site.id) throw fail('already_exists', 'Another site has this host name.')
}

/** What changes when a site asks for a host name, or gives its own up. */
export function hostnameChange(
  { env, now }: Pick<Base, 'env' | 'now'>,
  site: Pick<SiteRow, 'hostname'>,
  hostname: string | null,
): Partial<SiteRow> {
  const unclaimed = { claimedHostname: null, claimedAt: null }
  if (hostname === null || hostname === site.hostname || !env.hostnames.needProof) return { hostname, ...unclaimed }
  return { claimedHostname: hostname, claimedAt: now }
}

/** The host name that a site waits to prove; undefined when there is none, or its time is over. */
export function claimOf(
  { claimedHostname, claimedAt }: Pick<SiteRow, 'claimedHostname' | 'claimedAt'>,
  now: string,
): { hostname: string; expiresAt: string } | undefined {
  if (claimedHostname === null || claimedAt === null) return undefined
  const expiresAt = new Date(Date.parse(claimedAt) + claimDays * 24 * 60 * 60 * 1000).toISOString()
  return expiresAt > now ? { hostname: claimedHostname, expiresAt } : undefined
}

/** The text by which a domain names the site; others cannot guess it. */
const proofOf = ({ signer }: Pick<Environment, 'signer'>, siteId: string, hostname: string): string =>
  `lectern-site=${signer.derive('hostname', `${siteId} ${hostname}`)}`

/** The two ways to prove a name. */
export const proofsOf = (env: Environment, siteId: string, hostname: string) => ({
  txt: { name: `_lectern.${hostname}`, value: proofOf(env, siteId, hostname) },
  file: { url: `https://${hostname}/.well-known/lectern.txt`, content: proofOf(env, siteId, hostname) },
})

/** Asks the domain. Waits for others' servers: never inside a transaction. */
export async function isProved(env: Environment, siteId: string, hostname: string): Promise<boolean> {
  const { txt, file } = proofsOf(env, siteId, hostname)
  const records = await env.hostnames.resolveTxt(txt.name).catch(() => [])
  if (records.some((record) => record.join('') === txt.value)) return true
  for (const url of [file.url, file.url.replace('https:', 'http:')]) {
    const found = await env.fetch(url, { milliseconds: 5_000, bytes: 64 * 1024 }).catch(() => undefined)
    // A server of another name does not speak for this one.
    if (!found || new URL(found.url).hostname !== hostname) continue
    const lines = Buffer.from(found.bytes).toString().split('\n')
    if (lines.some((line) => line.trim() === file.content)) return true
  }
  return false
}

/** Gives the name to the site, when it was proved, or notes that the site asks for it. */
export async function takeHostname(
  base: Base,
  site: Things['site'],
  { hostname, proved }: { hostname: string; proved: boolean },
): Promise<Partial<SiteRow>> {
  await refuseHostname(base, site, hostname)
  const change = proved ? { hostname, claimedHostname: null, claimedAt: null } : hostnameChange(base, site, hostname)
  await updateSite(base.db, site.id, { ...change, updatedAt: base.now })
  await noteSite(base, site, 'site_updated', { ...changesIn<SiteRow>(site, change) })
  return change
}

/** Hosts are asked for in small letters, however they were written. */
export function withLowerHost(proxy: string): string {
  const end = proxy.indexOf('/')
  return `${proxy.slice(0, end).toLowerCase()}${proxy.slice(end)}`
}

export async function refuseProxy({ db }: Base, site: Pick<SiteRow, 'id'>, proxy: string): Promise<void> {
  const others = (await findSiteByProxy(db, [proxy])).filter((other) => other.id !== site.id)
  if (others.length > 0) throw fail('already_exists', 'Another site is shown at this address.')
}
