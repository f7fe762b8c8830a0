/** Who works on a site, and what each may do there. Who reads it is the site's visibility. */
import { PeopleWithRights } from '../rights/people-with-rights.tsx'
import { organizationTexts as texts } from '../texts/organization.ts'
import type { PartOfSite } from './site-overview.tsx'

export const SitePeople = ({ site, organizationId }: PartOfSite) => (
  <>
    <p className="ui-quiet ui-intro">{texts.rights.siteText}</p>
    <PeopleWithRights
      shared={{
        kind: 'site',
        id: site.id,
        title: site.title,
        organizationId,
        defaultLevel: site.defaultLevel,
        canAdminister: site.permissions.admin,
      }}
    />
  </>
)
