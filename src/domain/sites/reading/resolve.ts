/**
 * From an address that a reader asks for to what it shows them: content, another address, or the way to sign in.
 *
 * What their claims do not admit is resolved exactly as what is not there.
 */
import type { z } from 'zod'
import type { ResolvedUrl } from '../../../contract/urls.ts'
import { fail, invalid } from '../../../core/errors.ts'
import type { Scope } from '../../../core/expressions/evaluate.ts'
import { pathOf } from '../../../core/revision/content.ts'
import { addressOf, type Located, locate } from '../../../core/site-structure.ts'
import { pathFrom, segmentsOf } from '../../../core/url-paths.ts'
import {
  findParts,
  findSiteByBasename,
  findSiteByHostname,
  findSiteByProxy,
  type SectionRow,
  type SiteRow,
  type SiteSpaceRow,
  spacesOfSite,
} from '../../../store/sites.ts'
import { pageAtPath } from '../../content/at.ts'
import type { Base, Visit } from '../../scope.ts'
import { admit, type Said, visitOf } from '../access/visitors.ts'
import { below, previewMark, rootOf, shareMark } from '../places.ts'
import { redirectAt, targetOf } from '../redirects/match.ts'
import { shownTo } from '../structure/state.ts'
import { contentOnSite, firstPage, isAdmitted } from './pages.ts'

export type Resolved = z.output<typeof ResolvedUrl>

/** What an address shows a visitor; `visit` is there once they were let in. */
export async function resolveUrl(
  base: Base,
  address: string,
  said: Pick<Said, 'jwtToken' | 'unsignedClaims'>,
): Promise<{ answer: Resolved; site: SiteRow; visit?: Visit }> {
  const url = parse(address)
  const found = await siteAt(base, url)
  if (!found) throw fail('not_found', 'No site is published at this address.')
  const { site, segments } = found
  const key = segments[0] === shareMark ? segments[1] : undefined
  const preview = segments[0] === previewMark ? segments[1] : undefined
  const path = key === undefined && preview === undefined ? segments : segments.slice(2)
  const admission = await admit(base, site, {
    shareKey: key,
    preview,
    jwtToken: said.jwtToken ?? url.searchParams.get('jwt_token') ?? undefined,
    unsignedClaims: said.unsignedClaims,
    query: url.searchParams,
  })
  if ('authenticate' in admission) return { answer: signIn(site, path), site }
  const mark = key === undefined ? preview && `${previewMark}/${preview}` : `${shareMark}/${key}`
  const root = mark === undefined ? rootOf(base.env.urls, site) : `${rootOf(base.env.urls, site)}/${mark}`
  const answer = await contentFor(base, site, { root, path: path.join('/'), scope: admission.scope })
  return { answer, site, visit: await visitOf(base, site, { scope: admission.scope, shareKey: key }) }
}

function parse(address: string): URL {
  const url = URL.canParse(address) ? new URL(address) : undefined
  if (url?.protocol !== 'http:' && url?.protocol !== 'https:') throw invalid('url', 'must be an http or https address')
  return url
}

/** The site that an address belongs to: below our own address, under a host name of its own, or behind a proxy. */
export async function siteAt(
  { db, env }: Pick<Base, 'db' | 'env'>,
  url: URL,
): Promise<{ site: SiteRow; segments: string[] } | undefined> {
  const own = new URL(env.urls.sites)
  const segments = segmentsOf(url.pathname)
  const prefix = own.pathname.split('/').filter((segment) => segment !== '')
  if (url.host === own.host && prefix.every((segment, index) => segments[index] === segment)) {
    const [basename = '', ...rest] = segments.slice(prefix.length)
    const site = await findSiteByBasename(db, { basename })
    if (site) return { site, segments: rest }
  }
  const hosted = await findSiteByHostname(db, { hostname: url.hostname })
  if (hosted) return { site: hosted, segments }
  const proxies = segments.slice(0, 10).map((_, index) => `${url.hostname}/${segments.slice(0, index + 1).join('/')}`)
  const [proxied] = (await findSiteByProxy(db, proxies)).sort((a, b) => (b.proxy ?? '').length - (a.proxy ?? '').length)
  return proxied?.proxy ? { site: proxied, segments: segments.slice(proxied.proxy.split('/').length - 1) } : undefined
}

function signIn(site: SiteRow, path: readonly string[]): Resolved {
  const redirect = signInAddress(site, path)
  return { target: 'authentication', site: site.id, ...(redirect === undefined ? {} : { redirect }) }
}

/** Where visitors sign in, told which path of the site they wanted. */
export function signInAddress({ fallbackURL }: SiteRow, path: readonly string[]): string | undefined {
  if (fallbackURL === null) return undefined
  const address = new URL(fallbackURL)
  address.searchParams.set('location', pathFrom(path))
  return address.href
}

interface Wanted {
  root: string
  path: string
  scope: Scope
}

async function contentFor(base: Base, site: SiteRow, { root, path, scope }: Wanted): Promise<Resolved> {
  const parts = await findParts(base.db, site.id)
  const spaces = new Map((await spacesOfSite(base.db, { siteId: site.id })).map((row) => [row.id, row]))
  const shown = shownTo(parts, spaces, scope)
  const located = locate(shown, path)
  const space = located && spaces.get(located.space.spaceId)
  if (!located || !space) throw fail('not_found', 'There is nothing to read on this site.')
  const at = await contentOnSite(base, space)
  const named = located.rest === '' ? await firstPage(at, scope) : await pageAtPath(base.db, at, located.rest)
  const page = named && (await isAdmitted(at, named, scope)) ? named : undefined
  const pagePath = page && (await pathOf(at.reader, at.content, page))
  if (page && located.rest !== '' && pagePath !== located.rest) {
    // A path that once led to this page: the one it has now is told, so that there is one address for one page.
    const address = [addressOf(shown, located.space), pagePath].filter((part) => part !== '').join('/')
    return { target: 'redirect', redirect: below(root, address), permanent: false }
  }
  if (!page) {
    const met = await redirectAt(base, site.id, path)
    const target = met && (await targetOf(base, met, { root, shown, spaces, scope }))
    if (met && target !== undefined) return { target: 'redirect', redirect: target, permanent: met.row.permanent === 1 }
  }
  return {
    target: 'content',
    site: site.id,
    ...(located.section ? { siteSection: located.section.id } : {}),
    siteSpace: located.space.id,
    space: space.id,
    revision: space.revisionId,
    ...(page ? { page: page.id } : {}),
    path: pagePath ?? located.rest,
    basePath: basePathOf(root, path, located),
    complete: page !== undefined,
  }
}

/** The address of the space as it was asked for: what pages of it are linked below. */
function basePathOf(root: string, path: string, { rest }: Located<SectionRow, SiteSpaceRow>): string {
  const used = path.split('/').filter((segment) => segment !== '')
  const left = rest.split('/').filter((segment) => segment !== '').length
  return new URL(below(root, used.slice(0, used.length - left).join('/'))).pathname
}
