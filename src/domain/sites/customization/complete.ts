/** How a site looks: what its owner set, completed; and what a space of it sets differently. */
import { completeCustomization } from '../../../core/customization/complete.ts'
import type { Customization } from '../../../core/customization/shape.ts'
import type { SiteRow } from '../../../store/sites.ts'

/** The customization of a site, every gap filled from the default. */
export const customizationOf = (site: Pick<SiteRow, 'customization'>): Customization =>
  completeCustomization(site.customization === null ? {} : JSON.parse(site.customization))

/** A space of a site has the site's look, but for the parts it overrides: each part as a whole. */
export const customizationAt = (
  site: Pick<SiteRow, 'customization'>,
  siteSpace: { customization: string | null },
): Customization =>
  completeCustomization({
    ...customizationOf(site),
    ...(siteSpace.customization === null ? {} : JSON.parse(siteSpace.customization)),
  })
