import { z } from 'zod'
import { DELETE, GET, PATCH, POST } from '../operation.ts'
import { Id, List, optionalBody, P, PositionOf, SITE } from '../shapes.ts'
import { Condition, ShareKey, SitePath, SiteSpace } from './site.ts'

const SPACE = `${SITE}/site-spaces/{siteSpaceId}` as const
const DefaultOnly = z.boolean().optional().describe('true: only the default ones; false: only the others.')

const NewSiteSpace = z.object({ spaceId: Id, sectionId: Id.optional() })
const SiteSpacePatch = optionalBody({ path: SitePath.optional(), condition: Condition, spaceId: Id.optional() })
const Move = z.object({ position: PositionOf(z.object({ type: z.literal('site-space'), siteSpace: Id })) })

// biome-ignore format: held side by side with the specification, it matches line for line.
export const siteSpaces = {
  listSiteSpaces:      GET   (`${SITE}/site-spaces`, 'site.view', { query: { ...ShareKey, ...P, default: DefaultOnly }, ok: List(SiteSpace) }),
  addSpaceToSite:      POST  (`${SITE}/site-spaces`, 'site.edit', { body: NewSiteSpace, created: SiteSpace, fails: ['conflict'], placed: true }),
  deleteSiteSpaceById: DELETE(SPACE,                 'site.edit'),
  updateSiteSpaceById: PATCH (SPACE,                 'site.edit', { body: SiteSpacePatch, ok: SiteSpace, fails: ['already_exists', 'invalid_condition'], placed: true }),
  moveSiteSpace:       POST  (`${SPACE}/move`,       'site.edit', { body: Move, ok: SiteSpace }),
}
