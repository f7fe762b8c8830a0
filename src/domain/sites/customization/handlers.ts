/** How a site looks, as its owner reads and sets it. */
import type { customizations } from '../../../contract/sites/customization.ts'
import { withOwnAddresses, withPublicAddresses } from '../../../core/customization/own-addresses.ts'
import { changeActions } from '../../../core/customization/page-actions.ts'
import { findSiteSpace, updateSite, updateSiteSpace } from '../../../store/sites/sites.ts'
import { noteSite } from '../../events/note.ts'
import type { HandlersOf } from '../../handler.ts'
import { checkCustomization } from './check.ts'
import { customizationAt, customizationOf } from './complete.ts'

export const customizationHandlers: HandlersOf<typeof customizations> = {
  async getSiteCustomizationById({ site, env }) {
    return withPublicAddresses(customizationOf(site), env.urls.app)
  },

  async updateSiteCustomizationById({ site, body, ...base }) {
    await checkCustomization(base, site, body)
    const customization = JSON.stringify({
      ...withOwnAddresses(body, base.env.urls.app),
      ...changeActions(customizationOf(site), body),
    })
    await updateSite(base.db, site.id, { customization, updatedAt: base.now })
    await noteSite(base, site, 'site_customization_updated')
    return withPublicAddresses(customizationOf({ customization }), base.env.urls.app)
  },

  async getSiteSpaceCustomizationById({ site, siteSpace, env }) {
    return withPublicAddresses(customizationAt(site, siteSpace), env.urls.app)
  },

  async overrideSiteSpaceCustomizationById({ site, siteSpace, body, ...base }) {
    await checkCustomization(base, site, body)
    const present = await findSiteSpace(base.db, { id: siteSpace.id })
    const before = present?.customization ? JSON.parse(present.customization) : {}
    const menu = changeActions(customizationAt(site, siteSpace), body)
    const customization = JSON.stringify({ ...before, ...withOwnAddresses(body, base.env.urls.app), ...menu })
    await updateSiteSpace(base.db, siteSpace.id, { customization })
    await noteSite(base, site, 'site_customization_updated', { siteSpace: siteSpace.id })
    return withPublicAddresses(customizationAt(site, { customization }), base.env.urls.app)
  },

  async deleteSiteSpaceCustomizationById({ site, siteSpace, ...base }) {
    if (siteSpace.customization === null) return undefined
    await updateSiteSpace(base.db, siteSpace.id, { customization: null })
    await noteSite(base, site, 'site_customization_updated', { siteSpace: siteSpace.id })
    return undefined
  },
}
