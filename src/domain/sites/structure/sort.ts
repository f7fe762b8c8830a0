/** `PATCH SITE/structure/sort`: one operation that moves any part of a site's navigation. */
import { invalid } from '../../../core/errors.ts'
import { moveGroup, moveSection, moveSpace } from '../../../core/site-changes.ts'
import type { Base } from '../../handler.ts'
import { named } from '../../named.ts'
import type { Things } from '../../things.ts'
import { partOf, presentGroup, presentSection, presentSiteSpace } from '../present.ts'
import { changeSite } from './state.ts'

interface Pointer {
  type: 'site-space' | 'site-section' | 'site-section-group'
  id: string
}

interface Sort {
  item: Pointer
  position: { before?: Pointer | undefined; after?: Pointer | undefined }
}

const kinds = {
  'site-space': 'siteSpace',
  'site-section': 'siteSection',
  'site-section-group': 'siteSectionGroup',
} as const

export async function sortStructure(base: Base, site: Things['site'], { item, position }: Sort) {
  for (const pointer of [item, position.before, position.after])
    if (pointer) await named(base, kinds[pointer.type], pointer.id, { within: { site } })
  const anchor = position.before ?? position.after
  // Spaces stand beside spaces; sections and groups stand beside each other.
  if (anchor && (anchor.type === 'site-space') !== (item.type === 'site-space'))
    throw invalid('position', 'names something beside which it cannot stand')
  const beside = { before: position.before?.id, after: position.after?.id }
  if (item.type === 'site-space') {
    const state = await changeSite(base, site, (parts) => moveSpace(parts, item.id, beside))
    return presentSiteSpace(state, partOf(state.shown.spaces, item.id))
  }
  if (item.type === 'site-section') {
    const state = await changeSite(base, site, (parts) => moveSection(parts, item.id, beside))
    return presentSection(state, partOf(state.shown.sections, item.id))
  }
  const state = await changeSite(base, site, (parts) => moveGroup(parts, item.id, beside))
  return presentGroup(state, partOf(state.shown.groups, item.id))
}
