/** What each operation does, by its name. */
import type { Contract } from '../contract/index.ts'
import { auditEventHandlers } from './audit-events.ts'
import { changeRequestContentHandlers, changeRequestHandlers } from './change-requests.ts'
import { collectionHandlers } from './collections.ts'
import { commentHandlers } from './comments.ts'
import { customizationHandlers } from './customization.ts'
import { memberHandlers } from './members.ts'
import { organizationHandlers } from './organizations.ts'
import { redirectHandlers } from './redirects.ts'
import type { HandlersOf } from './scope.ts'
import { siteInsightHandlers } from './site-insights.ts'
import { siteSectionGroupHandlers } from './site-section-groups.ts'
import { siteSectionHandlers } from './site-sections.ts'
import { siteShareLinkHandlers } from './site-share-links.ts'
import { siteSpaceHandlers } from './site-spaces.ts'
import { siteHandlers } from './sites.ts'
import { spaceContentHandlers } from './space-content.ts'
import { spaceHandlers } from './spaces.ts'
import { teamHandlers } from './teams.ts'
import { urlHandlers } from './urls.ts'
import { userHandlers } from './users.ts'

export const handlers: HandlersOf<Contract> = {
  ...commentHandlers,
  ...spaceHandlers,
  ...spaceContentHandlers,
  ...changeRequestHandlers,
  ...changeRequestContentHandlers,
  ...collectionHandlers,
  ...organizationHandlers,
  ...memberHandlers,
  ...teamHandlers,
  ...siteHandlers,
  ...siteShareLinkHandlers,
  ...siteSectionHandlers,
  ...siteSpaceHandlers,
  ...siteSectionGroupHandlers,
  ...customizationHandlers,
  ...redirectHandlers,
  ...siteInsightHandlers,
  ...urlHandlers,
  ...userHandlers,
  ...auditEventHandlers,
}
