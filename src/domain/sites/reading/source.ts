/** Whether readers of a site are told from which repository a space comes: where its pages link to where they are edited. */
import { cachedSite } from '../../../store/sites/cached-sites.ts'
import type { SiteRow } from '../../../store/sites/sites.ts'
import type { Base } from '../../handler.ts'
import { customizationAt } from '../customization/complete.ts'

export const hasEditLinks = (
  site: Pick<SiteRow, 'customization'>,
  siteSpace: { customization: string | null },
): boolean => customizationAt(site, siteSpace).pageActions.items.includes('git')

/** Visitors are, where any place of their site that shows the space links there; everyone else who reads it always is. */
export async function seesSource({ db, actor }: Pick<Base, 'db' | 'actor'>, spaceId: string): Promise<boolean> {
  if (!actor?.visitor) return true
  const { siteId, commitVersion } = actor.visitor
  const found = await cachedSite(db, siteId, commitVersion)
  return found?.parts.spaces.some((one) => one.spaceId === spaceId && hasEditLinks(found.site, one)) ?? false
}
