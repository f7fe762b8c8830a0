/** Sections of a site: the tabs of its navigation. */
import type { siteSections } from '../../../contract/sites/site-sections.ts'
import { fail, invalid } from '../../../core/errors.ts'
import { addSection, addSpace, moveSection, removeSection, setDefaultSpace } from '../../../core/site-changes.ts'
import { positionOfSection, sectionsInOrder } from '../../../core/site-structure.ts'
import type { SectionRow } from '../../../store/sites/sites.ts'
import type { Base, HandlersOf } from '../../handler.ts'
import { listOfArray } from '../../lists.ts'
import { named } from '../../named.ts'
import type { Things } from '../../things.ts'
import { refuseCondition } from '../access/conditions.ts'
import { madeAt, partOf, presentSection } from '../present.ts'
import { spaceForSite } from './named-spaces.ts'
import { changeSite, newSection, newSiteSpace, siteState } from './state.ts'

/** What the first section's spaces were before there were sections has no name of its own but the site's. */
const wrapperOf = (base: Base, site: Things['site']) => () => ({
  section: newSection(base, site, { title: site.title }),
  title: site.title,
})

export const siteSectionHandlers: HandlersOf<typeof siteSections> = {
  async listSiteSections({ site, query, ...base }) {
    const state = await siteState(base, site, query.shareKey)
    return listOfArray({
      base,
      name: `sections:${site.id}`,
      query,
      rows: sectionsInOrder(state.shown),
      keyOf: positionOfSection(state.shown),
      present: (row) => presentSection(state, row),
    })
  },

  async addSectionToSite({ site, body, ...base }) {
    const space = await spaceForSite(base, site.organizationId, body.spaceId)
    const title = body.title ?? space.title
    const section = newSection(base, site, { title, icon: body.icon })
    const siteSpace = newSiteSpace(base, site, space.id)
    const state = await changeSite(base, site, (parts) => {
      const added = addSection(parts, section, { title, wrapper: wrapperOf(base, site) })
      return addSpace(added, siteSpace, { title: space.title, sectionId: section.id })
    })
    const shown = presentSection(state, partOf(state.shown.sections, section.id))
    return madeAt(shown, `${base.env.urls.site(site.organizationId, site.id).location}/sections/${section.id}`)
  },

  async deleteSiteSectionById({ site, siteSection, ...base }) {
    await changeSite(base, site, (parts) => removeSection(parts, siteSection.id))
    return undefined
  },

  async updateSiteSectionById({ site, siteSection, body, ...base }) {
    refuseCondition('condition', body.condition)
    const { defaultSiteSpace } = body
    if (defaultSiteSpace !== undefined) {
      const siteSpace = await named(base, 'siteSpace', defaultSiteSpace, { within: { site } })
      if (siteSpace.sectionId !== siteSection.id) throw invalid('defaultSiteSpace', 'does not stand in this section')
    }
    const change: Partial<SectionRow> = {
      ...(body.title === undefined ? {} : { title: body.title }),
      ...(body.path === undefined ? {} : { path: body.path }),
      ...(body.condition === undefined ? {} : { condition: body.condition }),
      ...(body.icon === undefined ? {} : { icon: body.icon || null }),
      ...(body.description === undefined ? {} : { description: body.description || null }),
    }
    const state = await changeSite(base, site, (parts) => {
      if (parts.sections.some((other) => other.id !== siteSection.id && other.path === body.path))
        throw fail('already_exists', 'Another section of the site has this path.')
      const sections = parts.sections.map((row) => (row.id === siteSection.id ? { ...row, ...change } : row))
      const changed = { ...parts, sections }
      return defaultSiteSpace === undefined ? changed : setDefaultSpace(changed, defaultSiteSpace)
    })
    return presentSection(state, partOf(state.shown.sections, siteSection.id))
  },

  async moveSiteSection({ site, siteSection, body, ...base }) {
    const { before, after } = body.position
    for (const ref of [before, after]) if (ref) await named(base, 'siteSection', ref.siteSection, { within: { site } })
    const beside = { before: before?.siteSection, after: after?.siteSection }
    const state = await changeSite(base, site, (parts) => moveSection(parts, siteSection.id, beside))
    return presentSection(state, partOf(state.shown.sections, siteSection.id))
  },
}
