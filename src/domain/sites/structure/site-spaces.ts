/** Spaces on a site: versions and languages side by side. */
import type { siteSpaces } from '../../../contract/sites/site-spaces.ts'
import { fail } from '../../../core/errors.ts'
import { addSpace, moveSpace, removeSpace } from '../../../core/site-changes.ts'
import { positionOfSpace, spacesInOrder } from '../../../core/site-structure.ts'
import type { SiteSpaceRow } from '../../../store/sites/sites.ts'
import type { HandlersOf } from '../../handler.ts'
import { listOfArray } from '../../lists.ts'
import { named } from '../../named.ts'
import { refuseCondition } from '../access/conditions.ts'
import { madeAt, partOf, presentSiteSpace } from '../present.ts'
import { spaceForSite } from './named-spaces.ts'
import { changeSite, newSiteSpace, type SiteState, siteState } from './state.ts'

/** The one that opens the site: the default of its default section. */
const isDefaultOfSite = ({ sections }: SiteState['shown'], { isDefault, sectionId }: SiteSpaceRow): boolean =>
  isDefault && (sectionId === null || sections.some((section) => section.id === sectionId && section.isDefault))

export const siteSpaceHandlers: HandlersOf<typeof siteSpaces> = {
  async listSiteSpaces({ site, query, ...base }) {
    const state = await siteState(base, site, query.shareKey)
    return listOfArray({
      base,
      name: `site-spaces:${site.id}:${query.default ?? ''}`,
      query,
      rows: spacesInOrder(state.shown).filter(
        (row) => query.default === undefined || isDefaultOfSite(state.shown, row) === query.default,
      ),
      keyOf: positionOfSpace(state.shown),
      present: (row) => presentSiteSpace(state, row),
    })
  },

  async addSpaceToSite({ site, body, ...base }) {
    const space = await spaceForSite(base, site.organizationId, body.spaceId)
    const { sectionId } = body
    if (sectionId !== undefined) await named(base, 'siteSection', sectionId, { within: { site } })
    const siteSpace = newSiteSpace(base, site, space.id)
    const state = await changeSite(base, site, (parts) => addSpace(parts, siteSpace, { title: space.title, sectionId }))
    const shown = presentSiteSpace(state, partOf(state.shown.spaces, siteSpace.id))
    return madeAt(shown, `${base.env.urls.site(site.organizationId, site.id).location}/site-spaces/${siteSpace.id}`)
  },

  async deleteSiteSpaceById({ site, siteSpace, ...base }) {
    await changeSite(base, site, (parts) => removeSpace(parts, siteSpace.id))
    return undefined
  },

  async updateSiteSpaceById({ site, siteSpace, body, ...base }) {
    refuseCondition('condition', body.condition)
    if (body.spaceId !== undefined && body.spaceId !== siteSpace.spaceId)
      await spaceForSite(base, site.organizationId, body.spaceId)
    const change: Partial<SiteSpaceRow> = {
      ...(body.path === undefined ? {} : { path: body.path }),
      ...(body.condition === undefined ? {} : { condition: body.condition }),
      ...(body.spaceId === undefined ? {} : { spaceId: body.spaceId }),
    }
    const state = await changeSite(base, site, (parts) => {
      const level = parts.spaces.filter((row) => row.id !== siteSpace.id && row.sectionId === siteSpace.sectionId)
      if (level.some((other) => other.path === body.path))
        throw fail('already_exists', 'Another space beside this one has this path.')
      return { ...parts, spaces: parts.spaces.map((row) => (row.id === siteSpace.id ? { ...row, ...change } : row)) }
    })
    return presentSiteSpace(state, partOf(state.shown.spaces, siteSpace.id))
  },

  async moveSiteSpace({ site, siteSpace, body, ...base }) {
    const { before, after } = body.position
    for (const ref of [before, after]) if (ref) await named(base, 'siteSpace', ref.siteSpace, { within: { site } })
    const beside = { before: before?.siteSpace, after: after?.siteSpace }
    const state = await changeSite(base, site, (parts) => moveSpace(parts, siteSpace.id, beside))
    return presentSiteSpace(state, partOf(state.shown.spaces, siteSpace.id))
  },
}
