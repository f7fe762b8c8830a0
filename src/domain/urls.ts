import type { z } from 'zod'
import { type CustomHostname, urls } from '../contract/urls.ts'
import { fail, invalid } from '../core/errors.ts'
import { isId } from '../core/ids.ts'
import { pageById } from '../core/revision/content.ts'
import { findSiteByHostname, findSitesClaiming, type SiteRow, updateSite } from '../store/sites/sites.ts'
import { contentAt, pageAtPath } from './content/at.ts'
import { changesIn, noteSite } from './events/note.ts'
import { type Base, type HandlersOf, phased } from './handler.ts'
import { findSeen, named } from './named.ts'
import { claimOf, isProved, proofsOf, refuseHostname, takeHostname } from './sites/hostnames.ts'
import { type Resolved, resolveUrl } from './sites/reading/resolve.ts'
import type { Things } from './things.ts'

type ContentByUrl = z.output<(typeof urls)['getContentByUrl']['fields']['ok']>

export const urlHandlers: HandlersOf<typeof urls> = {
  async resolvePublishedContentByUrl({ body, ...base }) {
    return resolvePublic(base, body.url, { ...body.visitor, redirectOnError: body.redirectOnError })
  },

  async getPublishedContentByUrl({ query, ...base }) {
    const { url, visitorAuthToken: jwtToken, redirectOnError } = query
    return resolvePublic(base, url, { jwtToken, redirectOnError })
  },

  async getContentByUrl({ query, ...base }) {
    const { app } = base.env.urls
    if (!query.url.startsWith(`${app}/`)) throw fail('not_found', 'This is no address of the app.')
    const path = query.url.slice(app.length).replace(/[?#].*$/, '')
    const segments = path.split('/').filter((segment) => segment !== '')
    // Addresses made before there was an app lack its folder.
    const [kind, id = '', ...rest] = segments[0] === 'app' ? segments.slice(1) : segments
    if (!isId(id)) throw fail('not_found')
    if (kind === 's') return contentOfSpace(base, id, rest)
    if (kind === 'sites') return contentOfSite(base, id)
    if (kind === 'collections' || kind === 'c') {
      const collection = await named(base, 'collection', id)
      return { organization: collection.organizationId, collection: id }
    }
    if (kind !== 'o') throw fail('not_found')
    const organization = await named(base, 'organization', id)
    const [word, siteId] = rest
    if (word !== 'sites' || siteId === undefined) return { organization: id }
    if (!isId(siteId)) throw fail('not_found')
    return { organization: id, site: (await named(base, 'site', siteId, { within: { organization } })).id }
  },

  async getCustomHostname({ params, ...base }) {
    const site = await siteUnder(base, params.hostname)
    if (!site) throw fail('not_found')
    return presentHostname(base, site, params.hostname.toLowerCase())
  },

  // The first call says how the name is proved; each one asks the domain whether it is.
  setCustomHostname: phased(urls.setCustomHostname, {
    prepare: async ({ params, body, ...base }) => {
      const site = await named(base, 'site', body.site, { ability: 'admin' })
      const hostname = params.hostname.toLowerCase()
      await refuseHostname(base, site, hostname)
      if (site.hostname === hostname || !base.env.hostnames.needProof) return true
      return isProved(base.env, site.id, hostname)
    },
    commit: async ({ params, body, ...base }, proved) => {
      const site = await named(base, 'site', body.site, { ability: 'admin' })
      const hostname = params.hostname.toLowerCase()
      const change = await takeHostname(base, site, { hostname, proved })
      return presentHostname(base, { ...site, ...change }, hostname)
    },
  }),

  async removeCustomHostname({ params, ...base }) {
    const site = await siteUnder(base, params.hostname)
    if (!site) return undefined
    if (!site.permissions.admin) throw fail('forbidden')
    const isClaim = site.hostname !== params.hostname.toLowerCase()
    const change = { claimedHostname: null, claimedAt: null, ...(isClaim ? {} : { hostname: null }) }
    await updateSite(base.db, site.id, { ...change, updatedAt: base.now })
    await noteSite(base, site, 'site_updated', { ...changesIn<SiteRow>(site, change) })
    return undefined
  },
}

async function resolvePublic(
  base: Base,
  url: string,
  { redirectOnError, ...shown }: Parameters<typeof resolveUrl>[2] & { redirectOnError: boolean },
): Promise<Resolved> {
  const { answer } = await resolveUrl(base, url, shown)
  if ('authenticate' in answer) throw fail('forbidden', 'Visitors of this site sign in, and it does not say where.')
  // Who follows redirects anyway is led to the first page rather than told that there is none here.
  if (redirectOnError && 'pathname' in answer && answer.page === undefined && answer.pathname !== '')
    return { target: 'content', redirect: new URL(answer.basePath, url).href, permanent: false }
  return answer
}

/** The site with this host name, if the caller sees it; that one asks for it is seen by those who edit that one. */
async function siteUnder(base: Base, hostname: string): Promise<Things['site'] | undefined> {
  const name = hostname.toLowerCase()
  const proved = await findSiteByHostname(base.db, { hostname: name })
  const claims = await findSitesClaiming(base.db, { hostname: name })
  const site = proved && (await findSeen(base, 'site', proved.id))
  if (site) return site
  for (const claim of claims.filter((one) => claimOf(one, base.now))) {
    const claiming = await findSeen(base, 'site', claim.id)
    if (claiming?.permissions.edit) return claiming
  }
  return undefined
}

function presentHostname({ env, now }: Base, site: SiteRow, hostname: string): z.output<typeof CustomHostname> {
  const named = { object: 'custom-hostname' as const, hostname, site: site.id, organization: site.organizationId }
  const claim = claimOf(site, now)
  if (site.hostname === hostname || claim?.hostname !== hostname) return { ...named, status: 'active' }
  return { ...named, status: 'pending', expiresAt: claim.expiresAt, verification: proofsOf(env, site.id, hostname) }
}

async function contentOfSite(base: Base, id: string): Promise<ContentByUrl> {
  const site = await named(base, 'site', id)
  return { organization: site.organizationId, site: site.id }
}

/** `/s/{space}`, and behind it a page, a change request, a revision, or the path of a page. */
async function contentOfSpace(base: Base, id: string, rest: readonly string[]): Promise<ContentByUrl> {
  const space = await named(base, 'space', id)
  const found = { organization: space.organizationId, space: id }
  const [segment, kind, inner = ''] = rest
  if (segment === 'p' && kind !== undefined && rest.length === 2) {
    const at = await contentAt({ ...base, space })
    const page = await pageById(at.reader, at.content, kind)
    if (page) return { ...found, revision: at.revision.id, page: page.id }
  }
  if (segment === 'c' && kind !== undefined && isId(kind)) {
    const changeRequest = await named(base, 'changeRequest', kind, { within: { space } })
    return { ...found, changeRequest: changeRequest.id }
  }
  if (segment === 'history' && kind !== undefined && isId(kind))
    return { ...found, revision: (await named(base, 'revision', kind, { within: { space } })).id }
  if (segment === '~' && kind === 'changes') {
    if (!isId(inner)) throw fail('not_found')
    const changeRequest = await named(base, 'changeRequest', inner, { within: { space } })
    return { ...found, changeRequest: changeRequest.id }
  }
  if (segment === '~' && kind === 'revisions') {
    if (!isId(inner)) throw fail('not_found')
    return { ...found, revision: (await named(base, 'revision', inner, { within: { space } })).id }
  }
  if (segment === '~') throw invalid('url', 'names nothing that the app shows')
  const at = await contentAt({ ...base, space })
  const page = rest.length === 0 ? undefined : await pageAtPath(base.db, at, rest.join('/'))
  if (rest.length > 0 && !page) throw fail('not_found')
  return { ...found, revision: at.revision.id, ...(page ? { page: page.id } : {}) }
}
