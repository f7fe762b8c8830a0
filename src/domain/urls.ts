import type { z } from 'zod'
import type { urls } from '../contract/urls.ts'
import { fail, invalid } from '../core/errors.ts'
import { isId } from '../core/ids.ts'
import { findSiteByHostname, type SiteRow, updateSite } from '../store/sites.ts'
import { contentAt, pageAtPath } from './content/at.ts'
import { noteSite } from './events/note.ts'
import { named } from './named.ts'
import type { Base, HandlersOf } from './scope.ts'
import { refuseHostname } from './sites/hostnames.ts'
import { resolveUrl } from './sites/reading/resolve.ts'
import { loaders, type Things } from './things.ts'

type ContentByUrl = z.output<(typeof urls)['getContentByUrl']['fields']['ok']>

export const urlHandlers: HandlersOf<typeof urls> = {
  async resolvePublishedContentByUrl({ body, ...base }) {
    return (await resolveUrl(base, body.url, body.visitor ?? {})).answer
  },

  async getContentByUrl({ query, ...base }) {
    const { app } = base.env.urls
    if (!query.url.startsWith(`${app}/`)) throw fail('not_found', 'This is no address of the app.')
    const path = query.url.slice(app.length).replace(/[?#].*$/, '')
    const [kind, id = '', ...rest] = path.split('/').filter((segment) => segment !== '')
    if (!isId(id)) throw fail('not_found')
    if (kind === 's') return contentOfSpace(base, id, rest)
    if (kind === 'c') {
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
    return presentHostname(site, params.hostname)
  },

  async setCustomHostname({ params, body, ...base }) {
    const site = await named(base, 'site', body.site, { ability: 'admin' })
    const hostname = params.hostname.toLowerCase()
    await refuseHostname(base, site, hostname)
    await updateSite(base.db, site.id, { hostname, updatedAt: base.now })
    await noteSite(base, site, 'site_updated', { before: { hostname: site.hostname }, after: { hostname } })
    return presentHostname(site, hostname)
  },

  async removeCustomHostname({ params, ...base }) {
    const site = await siteUnder(base, params.hostname)
    if (!site) return undefined
    if (!site.permissions.admin) throw fail('forbidden')
    await updateSite(base.db, site.id, { hostname: null, updatedAt: base.now })
    await noteSite(base, site, 'site_updated', { before: { hostname: site.hostname }, after: { hostname: null } })
    return undefined
  },
}

/** The site with this host name, if the caller sees it. */
async function siteUnder(base: Base, hostname: string): Promise<Things['site'] | undefined> {
  const row = await findSiteByHostname(base.db, { hostname: hostname.toLowerCase() })
  const site = row && (await loaders.site(base, row.id, {} as Things))
  return site?.permissions.view ? site : undefined
}

const presentHostname = (site: Pick<SiteRow, 'id' | 'organizationId'>, hostname: string) => ({
  object: 'custom-hostname' as const,
  hostname: hostname.toLowerCase(),
  site: site.id,
  organization: site.organizationId,
  status: 'active' as const,
})

/** `/s/{space}`, and behind it a change request, a revision or the path of a page. */
async function contentOfSpace(base: Base, id: string, rest: readonly string[]): Promise<ContentByUrl> {
  const space = await named(base, 'space', id)
  const found = { organization: space.organizationId, space: id }
  const [mark, kind, inner = ''] = rest
  if (mark === '~' && kind === 'changes') {
    if (!isId(inner)) throw fail('not_found')
    const changeRequest = await named(base, 'changeRequest', inner, { within: { space } })
    return { ...found, changeRequest: changeRequest.id }
  }
  if (mark === '~' && kind === 'revisions') {
    if (!isId(inner)) throw fail('not_found')
    return { ...found, revision: (await named(base, 'revision', inner, { within: { space } })).id }
  }
  if (mark === '~') throw invalid('url', 'names nothing that the app shows')
  const at = await contentAt({ ...base, space })
  const page = rest.length === 0 ? undefined : await pageAtPath(base.db, at, rest.join('/'))
  if (rest.length > 0 && !page) throw fail('not_found')
  return { ...found, revision: at.revision.id, ...(page ? { page: page.id } : {}) }
}
