/** What each operation does, by its name. */
import type { Contract } from '../contract/index.ts'
import { changeRequestContentHandlers, changeRequestHandlers } from './change-requests/handlers.ts'
import { collectionHandlers } from './collections.ts'
import { commentHandlers } from './comments/handlers.ts'
import { spaceContentHandlers } from './content/handlers.ts'
import { auditEventHandlers, eventHandlers } from './events/handlers.ts'
import { gitHandlers } from './git/handlers.ts'
import type { HandlersOf } from './handler.ts'
import { importHandlers } from './import/handlers.ts'
import { memberHandlers } from './members.ts'
import { openapiHandlers } from './openapi/handlers.ts'
import { organizationHandlers } from './organizations.ts'
import { pdfHandlers } from './pdf/handlers.ts'
import { sessionHandlers } from './sessions/handlers.ts'
import { siteShareLinkHandlers } from './sites/access/share-links.ts'
import { customizationHandlers } from './sites/customization/handlers.ts'
import { siteHandlers } from './sites/handlers.ts'
import { siteInsightHandlers } from './sites/insights.ts'
import { redirectHandlers } from './sites/redirects/handlers.ts'
import { siteSectionGroupHandlers } from './sites/structure/section-groups.ts'
import { siteSectionHandlers } from './sites/structure/sections.ts'
import { siteSpaceHandlers } from './sites/structure/site-spaces.ts'
import { spaceHandlers } from './spaces/handlers.ts'
import { samlHandlers } from './sso/handlers.ts'
import { oidcHandlers } from './sso/oidc-handlers.ts'
import { teamHandlers } from './teams.ts'
import { translationHandlers } from './translations/handlers.ts'
import { urlHandlers } from './urls.ts'
import { userHandlers } from './users.ts'

export const handlers: HandlersOf<Contract> = {
  ...commentHandlers,
  ...spaceHandlers,
  ...spaceContentHandlers,
  ...changeRequestHandlers,
  ...changeRequestContentHandlers,
  ...pdfHandlers,
  ...collectionHandlers,
  ...organizationHandlers,
  ...memberHandlers,
  ...teamHandlers,
  ...samlHandlers,
  ...oidcHandlers,
  ...siteHandlers,
  ...siteShareLinkHandlers,
  ...siteSectionHandlers,
  ...siteSpaceHandlers,
  ...siteSectionGroupHandlers,
  ...customizationHandlers,
  ...redirectHandlers,
  ...siteInsightHandlers,
  ...openapiHandlers,
  ...translationHandlers,
  ...importHandlers,
  ...gitHandlers,
  ...urlHandlers,
  ...userHandlers,
  ...sessionHandlers,
  ...auditEventHandlers,
  ...eventHandlers,
}
