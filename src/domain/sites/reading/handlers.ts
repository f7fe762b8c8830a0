/** What readers are given of a site: all that a page of it needs, and what a search finds. */
import type { sites } from '../../../contract/sites/sites.ts'
import { withPublicAddresses } from '../../../core/customization/own-addresses.ts'
import type { Customization } from '../../../core/customization/shape.ts'
import { fail } from '../../../core/errors.ts'
import type { HandlersOf } from '../../handler.ts'
import { admit } from '../access/visitors.ts'
import { customizationAt, customizationOf } from '../customization/complete.ts'
import { customizationFor } from '../customization/for-visitor.ts'
import { presentSite, presentStructure } from '../present.ts'
import { readableTo, shownTo, siteState } from '../structure/state.ts'
import { searchSite } from './search.ts'

type Row = 'getPublishedContentSite' | 'listSiteIntegrationScripts' | 'searchSiteContent'

export const siteReadingHandlers: Pick<HandlersOf<typeof sites>, Row> = {
  async getPublishedContentSite({ site, query, ...base }) {
    // A visitor was let in before; on a site that is not published, by a preview.
    if (site.published === 0 && !base.actor.visitor) throw fail('not_found', 'The site is not published.')
    const state = await siteState(base, site, query.shareKey)
    // Clients look each site-space up by its id; one that has nothing of its own looks like the site.
    const seen = async (given: Customization) =>
      withPublicAddresses(await customizationFor(base, state, given), base.env.urls.app)
    const common = await seen(customizationOf(site))
    const siteSpaces: [string, Customization][] = []
    for (const siteSpace of state.shown.spaces)
      siteSpaces.push([
        siteSpace.id,
        siteSpace.customization === null ? common : await seen(customizationAt(site, siteSpace)),
      ])
    const { shareKey } = query
    return {
      object: 'published-content-site',
      site: presentSite(site, {
        env: base.env,
        permissions: site.permissions,
        siteSpaces: state.shown.spaces.length,
        shareKey,
      }),
      structure: presentStructure(state),
      customizations: {
        site: common,
        siteSpaces: Object.fromEntries(siteSpaces),
      },
      scripts: [],
    }
  },

  async listSiteIntegrationScripts() {
    return []
  },

  async searchSiteContent({ site, body, ...base }) {
    const state = await siteState(base, site)
    // A visitor is who they came as, whatever they say in passing.
    if (body.visitor === undefined || base.actor.visitor) {
      return searchSite(base, { ...state, shown: readableTo(state) }, { ...body, scope: base.actor.visitor?.scope })
    }
    // A member may ask what a visitor would find; whether the visitor would be let in at all is the site's affair.
    const admission = await admit(base, { ...site, visibility: 'public', published: 1 }, body.visitor)
    const scope = 'scope' in admission ? admission.scope : undefined
    const shown = shownTo(state.parts, state.spaces, scope)
    return searchSite(base, { ...state, shown: readableTo({ ...state, shown }) }, { ...body, scope })
  },
}
