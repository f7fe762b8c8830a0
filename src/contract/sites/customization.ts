/** How a published site looks and behaves. */
import { CustomizationShape as Customization, CustomizationBody } from '../../core/customization/shape.ts'
import { DELETE, GET, PATCH, PUT } from '../operation.ts'
import { optionalBody, SITE } from '../shapes.ts'

const OF_SPACE = `${SITE}/site-spaces/{siteSpaceId}/customization` as const

// biome-ignore format: held side by side with the specification, it matches line for line.
export const customizations = {
  getSiteCustomizationById:           GET   (`${SITE}/customization`, 'site.view', { ok: Customization }),
  updateSiteCustomizationById:        PUT   (`${SITE}/customization`, 'site.edit', { body: CustomizationBody, ok: Customization, fails: ['invalid_condition'] }),
  getSiteSpaceCustomizationById:      GET   (OF_SPACE,                'site.view', { ok: Customization }),
  overrideSiteSpaceCustomizationById: PATCH (OF_SPACE,                'site.edit', { body: optionalBody(CustomizationBody.partial().shape), ok: Customization, fails: ['invalid_condition'] }),
  deleteSiteSpaceCustomizationById:   DELETE(OF_SPACE,                'site.edit'),
}
