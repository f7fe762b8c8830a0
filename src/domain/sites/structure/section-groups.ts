/** Groups of sections in the navigation of a site. */
import type { siteSectionGroups } from '../../../contract/sites/site-section-groups.ts'
import { moveGroup, putInGroup, removeGroup, takeOutOfGroup } from '../../../core/site-changes.ts'
import { lastRank, topLevel } from '../../../core/site-structure.ts'
import type { GroupRow } from '../../../store/sites/sites.ts'
import type { HandlersOf } from '../../handler.ts'
import { listOfArray } from '../../lists.ts'
import { named } from '../../named.ts'
import { madeAt, partOf, presentGroup } from '../present.ts'
import { changeSite, siteState } from './state.ts'

export const siteSectionGroupHandlers: HandlersOf<typeof siteSectionGroups> = {
  async listSiteSectionGroups({ site, query, ...base }) {
    const state = await siteState(base, site)
    return listOfArray({
      base,
      name: `section-groups:${site.id}`,
      query,
      rows: state.shown.groups,
      keyOf: (row) => [row.rank, row.id],
      present: (row) => presentGroup(state, row),
    })
  },

  async addSectionGroupToSite({ site, body, ...base }) {
    for (const id of body.sections ?? []) await named(base, 'siteSection', id, { within: { site } })
    const id = base.env.newId()
    const state = await changeSite(base, site, (parts) => {
      const group = { id, siteId: site.id, rank: lastRank(topLevel(parts)), title: body.title, icon: body.icon || null }
      return putInGroup({ ...parts, groups: [...parts.groups, group] }, { groupId: id, sections: body.sections ?? [] })
    })
    const shown = presentGroup(state, partOf(state.shown.groups, id))
    return madeAt(shown, `${base.env.urls.site(site.organizationId, site.id).location}/section-groups/${id}`)
  },

  async deleteSiteSectionGroupById({ site, siteSectionGroup, ...base }) {
    await changeSite(base, site, (parts) => removeGroup(parts, siteSectionGroup.id))
    return undefined
  },

  async updateSiteSectionGroupById({ site, siteSectionGroup, body, ...base }) {
    const change: Partial<GroupRow> = {
      ...(body.title === undefined ? {} : { title: body.title }),
      ...(body.icon === undefined ? {} : { icon: body.icon || null }),
    }
    const state = await changeSite(base, site, (parts) => ({
      ...parts,
      groups: parts.groups.map((row) => (row.id === siteSectionGroup.id ? { ...row, ...change } : row)),
    }))
    return presentGroup(state, partOf(state.shown.groups, siteSectionGroup.id))
  },

  async addSectionToGroup({ site, siteSectionGroup, body, ...base }) {
    const section = await named(base, 'siteSection', body.sectionId, { within: { site } })
    const groupId = siteSectionGroup.id
    const state = await changeSite(base, site, (parts) => putInGroup(parts, { groupId, sections: [section.id] }))
    const { location } = base.env.urls.site(site.organizationId, site.id)
    return madeAt(presentGroup(state, partOf(state.shown.groups, groupId)), `${location}/section-groups/${groupId}`)
  },

  async removeSectionFromGroup({ site, siteSectionGroup, siteSection, ...base }) {
    const ids = { groupId: siteSectionGroup.id, sectionId: siteSection.id }
    await changeSite(base, site, (parts) => takeOutOfGroup(parts, ids))
    return undefined
  },

  async moveSiteSectionGroup({ site, siteSectionGroup, body, ...base }) {
    const { before, after } = body.position
    for (const ref of [before, after]) {
      if (ref?.type === 'site-section') await named(base, 'siteSection', ref.id, { within: { site } })
      else if (ref) await named(base, 'siteSectionGroup', ref.id, { within: { site } })
    }
    const beside = { before: before?.id, after: after?.id }
    const state = await changeSite(base, site, (parts) => moveGroup(parts, siteSectionGroup.id, beside))
    return presentGroup(state, partOf(state.shown.groups, siteSectionGroup.id))
  },
}
