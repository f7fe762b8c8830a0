import { z } from 'zod'
import { DELETE, GET, PATCH, POST } from '../operation.ts'
import { Id, List, optionalBody, P, PositionOf, SITE } from '../shapes.ts'
import { Icon, SiteSectionGroup } from './site.ts'

const GROUP = `${SITE}/section-groups/{siteSectionGroupId}` as const
const Title = z.string().min(1).max(100)

const NewGroup = z.object({ title: Title, icon: Icon.nullable().optional(), sections: z.array(Id).max(100).optional() })
const GroupPatch = optionalBody({ title: Title.optional(), icon: Icon.nullable().optional() })
const Move = z.object({
  position: PositionOf(z.object({ type: z.enum(['site-section', 'site-section-group']), id: Id })),
})

// biome-ignore format: held side by side with the specification, it matches line for line.
export const siteSectionGroups = {
  listSiteSectionGroups:      GET   (`${SITE}/section-groups`,            'site.view', { query: P, ok: List(SiteSectionGroup) }),
  addSectionGroupToSite:      POST  (`${SITE}/section-groups`,            'site.edit', { body: NewGroup, created: SiteSectionGroup, fails: ['conflict'] }),
  deleteSiteSectionGroupById: DELETE(GROUP,                               'site.edit'),
  updateSiteSectionGroupById: PATCH (GROUP,                               'site.edit', { body: GroupPatch, ok: SiteSectionGroup }),
  addSectionToGroup:          POST  (`${GROUP}/sections`,                 'site.edit', { body: z.object({ sectionId: Id }), created: SiteSectionGroup }),
  removeSectionFromGroup:     DELETE(`${GROUP}/sections/{siteSectionId}`, 'site.edit'),
  moveSiteSectionGroup:       POST  (`${GROUP}/move`,                     'site.edit', { body: Move, ok: SiteSectionGroup, deprecated: true }),
}
