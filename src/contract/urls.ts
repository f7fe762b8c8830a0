/** From an address to what it shows, and the host names that sites are reached under. */
import { z } from 'zod'
import { DELETE, GET, PATCH, POST } from './operation.ts'
import { Flag, Id, Timestamp, Url } from './shapes.ts'
import { Visitor } from './site.ts'

export const ResolvedUrl = z
  .union([
    z.object({
      target: z.literal('content'),
      site: Id,
      siteSection: Id.optional(),
      siteSpace: Id,
      space: Id,
      revision: Id,
      page: Id.optional(),
      path: z.string(),
      basePath: z.string(),
      complete: Flag,
    }),
    z.object({ target: z.literal('redirect'), redirect: Url, permanent: Flag }),
    z.object({ target: z.literal('authentication'), site: Id, redirect: Url.optional() }),
  ])
  .meta({ id: 'ResolvedUrl' })

const ContentByUrl = z.object({
  organization: Id.optional(),
  collection: Id.optional(),
  space: Id.optional(),
  changeRequest: Id.optional(),
  revision: Id.optional(),
  page: Id.optional(),
  site: Id.optional(),
})

export const CustomHostname = z.object({
  object: z.literal('custom-hostname'),
  hostname: z.string(),
  site: Id,
  organization: Id,
  /** `pending` until the name is proved: then it serves nothing, and others may ask for it too. */
  status: z.enum(['active', 'pending']),
  /** When a claim ends that nobody proves. */
  expiresAt: Timestamp.optional(),
  /** Either of the two proves the name; asking again with PATCH checks it. */
  verification: z
    .object({
      txt: z.object({ name: z.string(), value: z.string() }),
      file: z.object({ url: Url, content: z.string() }),
    })
    .optional(),
})
const HOST = '/v1/custom-hostnames/{hostname}' as const
const Address = z.string().min(1).max(2048)

// biome-ignore format: held side by side with the specification, it matches line for line.
export const urls = {
  resolvePublishedContentByUrl: POST  ('/v1/urls/published', 'account', { body: z.object({ url: Address, visitor: Visitor.optional() }), ok: ResolvedUrl, reads: true }),
  getContentByUrl:              GET   ('/v1/urls/content',   'account', { query: { url: Address }, ok: ContentByUrl }),
  getCustomHostname:            GET   (HOST,                 'account', { ok: CustomHostname }),
  setCustomHostname:            PATCH (HOST,                 'account', { body: z.object({ site: Id }), ok: CustomHostname, fails: ['already_exists'] }),
  removeCustomHostname:         DELETE(HOST,                 'account'),
}
