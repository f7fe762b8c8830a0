import { z } from 'zod'
import { DELETE, GET, PATCH, POST } from '../operation.ts'
import { Id, List, optionalBody, P, PositionOf, SITE } from '../shapes.ts'
import { Condition, Icon, ShareKey, SitePath, SiteSection } from './site.ts'

const SECTION = `${SITE}/sections/{siteSectionId}` as const
const Title = z.string().min(2).max(128)

const NewSection = z.object({ spaceId: Id, title: Title.nullable().optional(), icon: Icon.nullable().optional() })
const SectionPatch = optionalBody({
  title: Title.optional(),
  path: SitePath.optional(),
  defaultSiteSpace: Id.optional(),
  condition: Condition,
  icon: Icon.nullable().optional(),
  description: z.string().max(256).nullable().optional(),
})
const Move = z.object({ position: PositionOf(z.object({ type: z.literal('site-section'), siteSection: Id })) })

// biome-ignore format: held side by side with the specification, it matches line for line.
export const siteSections = {
  listSiteSections:      GET   (`${SITE}/sections`, 'site.view', { query: { ...ShareKey, ...P }, ok: List(SiteSection) }),
  addSectionToSite:      POST  (`${SITE}/sections`, 'site.edit', { body: NewSection, created: SiteSection, fails: ['conflict'], placed: true }),
  deleteSiteSectionById: DELETE(SECTION,            'site.edit', { fails: ['conflict'] }),
  updateSiteSectionById: PATCH (SECTION,            'site.edit', { body: SectionPatch, ok: SiteSection, fails: ['already_exists', 'invalid_condition'] }),
  moveSiteSection:       POST  (`${SECTION}/move`,  'site.edit', { body: Move, ok: SiteSection }),
}
