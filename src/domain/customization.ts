import type { customizations } from '../contract/customization.ts'
import { findSiteSpace, updateSite, updateSiteSpace } from '../store/sites.ts'
import type { HandlersOf } from './scope.ts'
import { customizationAt, customizationOf } from './site/look.ts'
import { checkLook } from './site/refs.ts'

export const customizationHandlers: HandlersOf<typeof customizations> = {
  async getSiteCustomizationById({ site }) {
    return customizationOf(site)
  },

  async updateSiteCustomizationById({ site, body, ...base }) {
    await checkLook(base, site, body)
    const customization = JSON.stringify(body)
    await updateSite(base.db, site.id, { customization, updatedAt: base.now })
    return customizationOf({ customization })
  },

  async getSiteSpaceCustomizationById({ site, siteSpace }) {
    return customizationAt(site, siteSpace)
  },

  async overrideSiteSpaceCustomizationById({ site, siteSpace, body, ...base }) {
    await checkLook(base, site, body)
    const present = await findSiteSpace(base.db, { id: siteSpace.id })
    const before = present?.customization ? JSON.parse(present.customization) : {}
    const customization = JSON.stringify({ ...before, ...body })
    await updateSiteSpace(base.db, siteSpace.id, { customization })
    return customizationAt(site, { customization })
  },

  async deleteSiteSpaceCustomizationById({ db, siteSpace }) {
    if (siteSpace.customization !== null) await updateSiteSpace(db, siteSpace.id, { customization: null })
    return undefined
  },
}
