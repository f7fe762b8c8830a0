/** A published site on a real socket: the kit's server listening, and readers who ask it. */
import { type IncomingHttpHeaders, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { SignJWT } from 'jose'
import { makeSpace, type PageGiven, type SiteParams } from '../../api/sites/site-things.ts'
import type { Kit } from '../../kit/server.ts'

export interface Reading {
  status: number
  headers: IncomingHttpHeaders
  text: string
  bytes: Buffer
}

export interface AskOptions {
  method?: string
  headers?: Record<string, string>
  body?: string
}

/** Asks for a path, as it is spelt, and follows nothing. */
export type Ask = (path: string, options?: AskOptions) => Promise<Reading>

const listening = new WeakMap<object, Promise<number>>()

/** The port the kit's server listens on; begun at the first call. */
export function portOf({ server: { app } }: Pick<Kit, 'server'>): Promise<number> {
  let known = listening.get(app)
  if (!known) {
    known = app.listen({ port: 0, host: '127.0.0.1' }).then(() => (app.server.address() as AddressInfo).port)
    listening.set(app, known)
  }
  return known
}

export async function asker(kit: Pick<Kit, 'server'>, base = ''): Promise<Ask> {
  const port = await portOf(kit)
  return (path, { method = 'GET', headers = {}, body } = {}) =>
    new Promise((resolve, reject) => {
      const call = request(
        { port, host: '127.0.0.1', path: `${base}${path}` || '/', method, headers },
        async (answer) => {
          const bytes = await buffer(answer)
          resolve({ status: answer.statusCode ?? 0, headers: answer.headers, bytes, text: bytes.toString() })
        },
      )
      call.on('error', reject)
      call.end(body)
    })
}

export interface PublishedSite extends SiteParams {
  basename: string
  spaceId: string
  /** The path of the site on the server. */
  base: string
  ask: Ask
}

export interface SiteGiven {
  visibility?: 'public' | 'unlisted' | 'share-link' | 'visitor-auth'
  isPublished?: boolean
}

let serial = 0

/** A site of one space with these pages, published. */
export async function publishedSite(
  kit: Kit,
  pages: readonly PageGiven[],
  { visibility = 'public', isPublished = true }: SiteGiven = {},
): Promise<PublishedSite> {
  const spaceId = await makeSpace(kit, 'Manual', pages)
  const body = { title: `Readers ${++serial}`, visibility, spaces: [spaceId] }
  const site = await kit.as.admin.createSite({ organizationId: kit.organization, body })
  const params = { organizationId: kit.organization, siteId: site.id }
  if (isPublished) await kit.as.admin.publishSite(params)
  const basename = site.basename ?? ''
  const base = `/sites/${basename}`
  return { ...params, basename, spaceId, base, ask: await asker(kit, base) }
}

/** The pages of a space by title. */
export async function pageIds(kit: Kit, spaceId: string): Promise<Record<string, string>> {
  const { pages } = await kit.as.admin.listPages({ spaceId })
  return Object.fromEntries(pages.map((page) => [page.title, page.id]))
}

export const edit = (kit: Kit, spaceId: string, page: string, markdown: string) =>
  kit.as.admin.updateSpaceContent({
    spaceId,
    body: { changes: [{ operation: 'update_page', page, document: { markdown } }] },
  })

/** The cookies an answer sets, as a browser would send them back. */
export const cookiesOf = ({ headers }: Reading): string =>
  (headers['set-cookie'] ?? []).map((cookie) => cookie.split(';')[0]).join('; ')

/** A token of one of the site's visitors. */
export async function tokenFor(
  kit: Kit,
  site: PublishedSite,
  claims: Record<string, unknown> = {},
  { seconds = 600, key }: { seconds?: number; key?: string } = {},
): Promise<string> {
  const { organizationId, siteId } = site
  const own = await kit.as.admin.getSitePublishingAuthById({ organizationId, siteId })
  const now = Math.floor(kit.clock.now().getTime() / 1000)
  return new SignJWT(claims)
    .setProtectedHeader({ alg: 'HS256' })
    .setIssuedAt(now)
    .setExpirationTime(now + seconds)
    .sign(Buffer.from(key ?? own.privateKey))
}

export const paramsOf = ({ organizationId, siteId }: PublishedSite) => ({ organizationId, siteId })

/** A share link of the site, and its path on it. */
export async function shareLink(kit: Kit, site: PublishedSite): Promise<{ id: string; path: string }> {
  const link = await kit.as.admin.createSiteShareLink({ ...paramsOf(site), body: { name: 'Friends' } })
  return { id: link.id, path: new URL(link.urls.published ?? '').pathname.slice(site.base.length) }
}
