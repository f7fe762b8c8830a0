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
import type { PageRecord } from '../../../core/revision/records.ts'
import { addressOf, locate, pageAddressesOf } from '../../../core/site-structure.ts'
import { pathFrom, segmentsOf } from '../../../core/url-paths.ts'
import { cachedSiteNamed } from '../../../store/sites/cached-sites.ts'
import { findParts, findSiteByProxy, type SiteRow, spacesOfSite } from '../../../store/sites/sites.ts'
import type { Visit } from '../../actor.ts'
import { pageAtPath } from '../../content/at.ts'
import type { Base } from '../../handler.ts'
import { contextOf, makeSiteToken } from '../access/site-token.ts'
import { admit, type VisitorCredentials, visitOf } from '../access/visitors.ts'
import { below, previewSegment, rootOf, shareSegment } from '../published-address.ts'
import { targetOf } from '../redirects/follow.ts'
import { redirectAt } from '../redirects/match.ts'
import { shownTo } from '../structure/state.ts'
import { contentOnSite, firstPage, isAdmitted } from './pages.ts'

export type Resolved = z.output<typeof ResolvedUrl>

/** What an address shows a visitor; `visit` is there once they were let in. */
export async function resolveUrl(
  base: Base,
  address: string,
  shown: Pick<VisitorCredentials, 'jwtToken' | 'unsignedClaims'>,
): Promise<{ answer: Resolved | { authenticate: true }; site: SiteRow; visit?: Visit }> {
  const url = parse(address)
  const found = await siteAt(base, url)
  if (!found) throw fail('not_found', 'No site is published at this address.')
  const { site, segments } = found
  const key = segments[0] === shareSegment ? segments[1] : undefined
  const preview = segments[0] === previewSegment ? segments[1] : undefined
  const path = key === undefined && preview === undefined ? segments : segments.slice(2)
  const admission = await admit(base, site, {
    shareKey: key,
    preview,
    jwtToken: shown.jwtToken ?? url.searchParams.get('jwt_token') ?? undefined,
    unsignedClaims: shown.unsignedClaims,
    query: url.searchParams,
  })
  if ('authenticate' in admission) {
    const redirect = signInAddress(site, path)
    if (redirect === undefined) return { answer: { authenticate: true }, site }
    return { answer: { target: 'external', site: site.id, redirect, permanent: false }, site }
  }
  const { scope, draft, isSigned, endsAt } = admission
  const behind = key === undefined ? preview && `${previewSegment}/${preview}` : `${shareSegment}/${key}`
  const root = behind === undefined ? rootOf(base.env.urls, site) : `${rootOf(base.env.urls, site)}/${behind}`
  const visit = await visitOf(base, site, { scope, shareKey: key, draft })
  const content = await contentFor(base, site, { root, path: path.join('/'), visit })
  if ('redirect' in content) return { answer: content, site, visit }
  const { siteSpace, space } = content
  const entry = { scope, shareKey: key, draft, isSigned, isPreview: preview !== undefined, endsAt, siteSpace, space }
  const context = contextOf(base.env, site, entry)
  const answer = {
    ...content,
    apiToken: await makeSiteToken(base, site, entry),
    ...(key === undefined ? {} : { shareKey: key }),
    ...(context === undefined ? {} : { contextId: context }),
    ...(draft && draft.spaceId === space
      ? { changeRequest: draft.changeRequestId, revision: visit.drafts?.get(space) }
      : {}),
    ...(preview === undefined ? {} : { preview: true }),
  }
  return { answer, site, visit }
}

function parse(address: string): URL {
  const url = URL.canParse(address) ? new URL(address) : undefined
  if (url?.protocol !== 'http:' && url?.protocol !== 'https:') throw invalid('url', 'must be an http or https address')
  return url
}

/** The site that an address belongs to: below our own address, under a host name of its own, or behind a proxy. */
export async function siteAt(
  { db, env, commitVersion }: Pick<Base, 'db' | 'env'> & Pick<Visit, 'commitVersion'>,
  url: URL,
): Promise<{ site: SiteRow; segments: string[] } | undefined> {
  const named = (kind: 'basename' | 'hostname', name: string) => cachedSiteNamed(db, { kind, name }, commitVersion)
  const own = new URL(env.urls.sites)
  const segments = segmentsOf(url.pathname)
  const prefix = own.pathname.split('/').filter((segment) => segment !== '')
  if (url.host === own.host && prefix.every((segment, index) => segments[index] === segment)) {
    const [basename = '', ...rest] = segments.slice(prefix.length)
    const site = await named('basename', basename)
    if (site) return { site, segments: rest }
    // The root of a site as Markdown, as every page of it has `.md` behind its address.
    const stem = rest.length === 0 && basename.endsWith('.md') ? basename.slice(0, -'.md'.length) : ''
    const alone = stem === '' ? undefined : await named('basename', stem)
    if (alone) return { site: alone, segments: ['.md'] }
  }
  const hosted = await named('hostname', url.hostname)
  if (hosted) return { site: hosted, segments }
  const proxies = segments.slice(0, 10).map((_, index) => `${url.hostname}/${segments.slice(0, index + 1).join('/')}`)
  const [proxied] = (await findSiteByProxy(db, proxies)).sort((a, b) => (b.proxy ?? '').length - (a.proxy ?? '').length)
  return proxied?.proxy ? { site: proxied, segments: segments.slice(proxied.proxy.split('/').length - 1) } : undefined
}

/** Where visitors sign in, told which path of the site they wanted. */
export function signInAddress({ fallbackURL }: SiteRow, path: readonly string[]): string | undefined {
  if (fallbackURL === null || !URL.canParse(fallbackURL)) return undefined
  const address = new URL(fallbackURL)
  address.searchParams.set('location', pathFrom(path))
  return address.href
}

interface Wanted {
  root: string
  path: string
  visit: Visit
}

type Content = Extract<Resolved, { pathname: string }>
type Found = Exclude<Resolved, Content> | Omit<Content, 'apiToken'>

async function contentFor(base: Base, site: SiteRow, { root, path, visit }: Wanted): Promise<Found> {
  const { scope } = visit
  const parts = await findParts(base.db, site.id)
  const spaces = new Map((await spacesOfSite(base.db, { siteId: site.id })).map((row) => [row.id, row]))
  const shown = shownTo(parts, spaces, scope)
  const located = locate(shown, path)
  const row = located && spaces.get(located.space.spaceId)
  if (!located || !row) throw fail('not_found', 'There is nothing to read on this site.')
  const space = { ...row, revisionId: visit.drafts?.get(row.id) ?? row.revisionId }
  const at = await contentOnSite(base, space)
  const { page, rest } = await pageMet(base, at, { rests: located.rests, scope })
  const pagePath = page && (await pathOf(at.reader, at.content, page))
  const addressIn = pageAddressesOf(shown, located.space)
  const addressTo = (inner: string) => below(root, addressIn(inner))
  if (pagePath !== undefined && rest !== '' && pagePath !== rest) {
    // A path that once led to this page: the one it has now is told, so that there is one address for one page.
    return { target: 'content', redirect: addressTo(pagePath), permanent: false }
  }
  if (!page) {
    const met = await redirectAt(base, site.id, path.split('/'))
    const target = met && (await targetOf(base, met, { root, shown, spaces, scope }))
    if (met && target !== undefined) return redirectTo(target, { root, site, permanent: met.row.permanent === 1 })
  }
  const used = usedOf(path, rest)
  return {
    organization: site.organizationId,
    site: site.id,
    ...(located.section ? { siteSection: located.section.id } : {}),
    siteSpace: located.space.id,
    space: space.id,
    ...(page ? { page: page.id } : {}),
    pathname: pagePath !== undefined && rest !== '' ? pagePath : rest,
    basePath: new URL(below(root, used)).pathname,
    siteBasePath: new URL(root).pathname,
    canonicalUrl: addressTo(rest === '' ? '' : (pagePath ?? rest)),
    complete: rest !== '' || !shown.spaces.some((other) => isBelow(addressOf(shown, other), used)),
  }
}

/** The page that the path leads to, if this visitor is shown it, and what of the path is the page's own. */
async function pageMet(
  { db }: Pick<Base, 'db'>,
  at: Awaited<ReturnType<typeof contentOnSite>>,
  { rests, scope }: { rests: readonly string[]; scope: Scope },
): Promise<{ page: PageRecord | undefined; rest: string }> {
  for (const rest of rests) {
    const named = rest === '' ? await firstPage(at, scope) : await pageAtPath(db, at, rest)
    if (named && (await isAdmitted(at, named, scope))) return { page: named, rest }
  }
  return { page: undefined, rest: rests.at(-1) ?? '' }
}

const redirectTo = (redirect: string, to: { root: string; site: SiteRow; permanent: boolean }): Found =>
  redirect === to.root || redirect.startsWith(`${to.root}/`)
    ? { target: 'content', redirect, permanent: to.permanent }
    : { target: 'external', site: to.site.id, redirect, permanent: to.permanent }

/** What of the path names the place on the site, as it was asked for: pages are linked below. */
function usedOf(path: string, rest: string): string {
  const segments = path.split('/').filter((segment) => segment !== '')
  const left = rest.split('/').filter((segment) => segment !== '').length
  return segments.slice(0, segments.length - left).join('/')
}

const isBelow = (address: string, used: string): boolean =>
  used === '' ? address !== '' : address.startsWith(`${used}/`)
