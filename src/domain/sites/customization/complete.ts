/** How a site looks: what its owner set, completed; and what a space of it sets differently. */
import type { z } from 'zod'
import { Customization } from '../../../contract/customization.ts'
import { completeCustomization } from '../../../core/customization.ts'
import type { SiteRow } from '../../../store/sites.ts'

export type Look = z.output<typeof Customization>

/** The customization of a site, every gap filled from the default. */
export const customizationOf = (site: Pick<SiteRow, 'customization'>): Look =>
  // What was stored by an older version may lack fields that are required now.
  Customization.parse(completeCustomization(site.customization === null ? {} : JSON.parse(site.customization)))

/** A space of a site has the site's look, but for the parts it overrides: each part as a whole. */
export const customizationAt = (
  site: Pick<SiteRow, 'customization'>,
  siteSpace: { customization: string | null },
): Look => ({
  ...customizationOf(site),
  ...(siteSpace.customization === null ? {} : JSON.parse(siteSpace.customization)),
})
