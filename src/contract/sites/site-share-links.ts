import { z } from 'zod'
import { DELETE, GET, PATCH, POST } from '../operation.ts'
import { Flag, List, optionalBody, P, SITE } from '../shapes.ts'
import { ShareLink } from './site.ts'

const LINK = `${SITE}/share-links/{shareLinkId}` as const
const Name = z.string().max(50)

// biome-ignore format: held side by side with the specification, it matches line for line.
export const siteShareLinks = {
  listSiteShareLinks:      GET   (`${SITE}/share-links`, 'site.edit', { query: P, ok: List(ShareLink) }),
  createSiteShareLink:     POST  (`${SITE}/share-links`, 'site.edit', { body: z.object({ name: Name }), created: ShareLink, fails: ['conflict'] }),
  deleteSiteShareLinkById: DELETE(LINK,                  'site.edit'),
  updateSiteShareLinkById: PATCH (LINK,                  'site.edit', { body: optionalBody({ active: Flag.optional(), name: Name.optional() }), ok: ShareLink }),
}
