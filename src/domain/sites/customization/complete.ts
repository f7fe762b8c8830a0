/** How a site looks: what its owner set, completed; and what a space of it sets differently. */
import { completeCustomization } from '../../../core/customization/complete.ts'
import { actionsOf } from '../../../core/customization/page-actions.ts'
import type { Customization } from '../../../core/customization/shape.ts'
import type { SiteRow } from '../../../store/sites/sites.ts'
import { refusedActions } from './refused.ts'

/** The customization of a site, every gap filled from the default. */
export const customizationOf = (site: Pick<SiteRow, 'customization'>): Customization =>
  withoutRefused(completeCustomization(site.customization === null ? {} : JSON.parse(site.customization)))

/** A space of a site has the site's look, but for the parts it overrides: each part as a whole. */
export const customizationAt = (
  site: Pick<SiteRow, 'customization'>,
  siteSpace: { customization: string | null },
): Customization =>
  withoutRefused(
    completeCustomization({
      ...customizationOf(site),
      ...(siteSpace.customization === null ? {} : JSON.parse(siteSpace.customization)),
    }),
  )

/** Earlier versions took settings that are refused now (`check.ts`), because they do nothing. */
function withoutRefused(given: Customization): Customization {
  const { items } = given.pageActions
  if (!items.includes('git') && !items.includes('assistant')) return given
  return { ...given, ...actionsOf({ pageActions: { items: items.filter((item) => !refusedActions.has(item)) } }) }
}
