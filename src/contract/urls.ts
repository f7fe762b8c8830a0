/** From an address to what it shows, and the host names that sites are reached under. */
import { z } from 'zod'
import { DELETE, GET, PATCH, POST } from './operation.ts'
import { Flag, Id, Timestamp, Url } from './shapes.ts'
import { Visitor } from './sites/site.ts'

/** What an address shows: content of a site, or where the reader is to go instead. */
export const ResolvedUrl = z
  .union([
    z.object({
      organization: Id,
      site: Id,
      siteSection: Id.optional(),
      siteSpace: Id,
      space: Id,
      changeRequest: Id.optional().describe('Of a preview that shows one.'),
      revision: Id.optional().describe('The revision that the change request of a preview stands at.'),
      page: Id.optional().describe('The page at the address, when there is one for this visitor.'),
      pathname: z.string().describe('What is left of the address below the content: the path of the page.'),
      basePath: z.string().describe('The path at which the content begins.'),
      siteBasePath: z.string().describe('The path at which the site begins.'),
      canonicalUrl: Url,
      apiToken: z.string().describe('Reads this site through the API with the eyes of this visitor, for an hour.'),
      shareKey: z.string().optional(),
      contextId: z.string().optional().describe('Another one for visitors of whom something else is known.'),
      complete: Flag.describe("No further segment of the site's structure can follow before those of the page."),
      preview: Flag.optional(),
    }),
    z.object({ target: z.enum(['content', 'application']), redirect: Url, permanent: Flag }),
    z.object({ target: z.literal('external'), site: Id, redirect: Url, permanent: Flag }),
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
  resolvePublishedContentByUrl: POST  ('/v1/urls/published', 'anyone',  { body: z.object({ url: Address, redirectOnError: Flag.default(false), visitor: Visitor.optional() }), ok: ResolvedUrl, reads: true }),
  getPublishedContentByUrl:     GET   ('/v1/urls/published', 'anyone',  { query: { url: Address, visitorAuthToken: z.string().max(32_768).optional(), redirectOnError: Flag.default(false) }, ok: ResolvedUrl, deprecated: true }),
  getContentByUrl:              GET   ('/v1/urls/content',   'account', { query: { url: Address }, ok: ContentByUrl }),
  getCustomHostname:            GET   (HOST,                 'account', { ok: CustomHostname }),
  setCustomHostname:            PATCH (HOST,                 'account', { body: z.object({ site: Id }), ok: CustomHostname, fails: ['already_exists'] }),
  removeCustomHostname:         DELETE(HOST,                 'account'),
}
