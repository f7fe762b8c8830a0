/** Old addresses of a site: where each leads now. */
import { z } from 'zod'
import { DELETE, GET, PATCH, POST, PUT } from '../operation.ts'
import { Flag, Id, List, optionalBody, P, SITE, Timestamp, WebUrl } from '../shapes.ts'
import { ShareKey } from './site.ts'

const Destination = z.union([
  z.object({ kind: z.literal('site-section'), siteSection: Id }),
  z.object({ kind: z.literal('site-space'), siteSpace: Id }),
  z.object({ kind: z.literal('site-page'), siteSpace: Id, page: Id }),
  z.object({ kind: z.literal('external'), url: WebUrl }),
  z.object({
    kind: z.literal('path'),
    path: z
      .string()
      .max(512)
      .regex(/^\/(?![/\\])\S*$/, 'must be a path that begins with one /'),
  }),
])
const Source = z
  .string()
  .min(2)
  .max(512)
  .regex(/^\/[^\s?#]*$/, 'must be a path that begins with /')
export const Redirect = z
  .object({
    object: z.literal('site-redirect'),
    id: Id,
    source: z.string(),
    destination: Destination,
    draft: Flag,
    captureWildcard: Flag,
    permanent: Flag,
    createdAt: Timestamp,
    updatedAt: Timestamp,
  })
  .meta({ id: 'SiteRedirect' })
export const RedirectFields = z
  .object({ source: Source, destination: Destination, draft: Flag, captureWildcard: Flag, permanent: Flag })
  .partial()
const NewRedirect = z.object({
  source: Source,
  destination: Destination,
  draft: Flag.default(false),
  captureWildcard: Flag.default(false),
  permanent: Flag.default(false),
})

const ONE = `${SITE}/redirects/{redirectId}` as const
const RedirectPatch = optionalBody(RedirectFields.shape)
const Upserted = z.object({ created: z.number().int(), updated: z.number().int() })

// biome-ignore format: held side by side with the specification, it matches line for line.
export const redirects = {
  listSiteRedirects:       GET   (`${SITE}/redirects`, 'site.view', { query: P, ok: List(Redirect) }),
  createSiteRedirect:      POST  (`${SITE}/redirects`, 'site.edit', { body: NewRedirect, created: Redirect, fails: ['already_exists', 'conflict'] }),
  upsertSiteRedirects:     PUT   (`${SITE}/redirects`, 'site.edit', { body: z.object({ redirects: z.array(NewRedirect).min(1).max(500) }), ok: Upserted, fails: ['conflict'] }),
  updateSiteRedirectById:  PATCH (ONE,                 'site.edit', { body: RedirectPatch, ok: Redirect, fails: ['already_exists'] }),
  deleteSiteRedirectById:  DELETE(ONE,                 'site.edit'),
  getSiteRedirectBySource: GET   (`${SITE}/redirect`,  'site.view', { query: { source: Source, ...ShareKey }, ok: z.object({ redirect: Redirect, target: z.string() }), visitors: true }),
}
