/** What each operation does, by its name. */
import type { Contract } from '../contract/index.ts'
import { auditEventHandlers } from './audit-events.ts'
import { changeRequestContentHandlers, changeRequestHandlers } from './change-requests.ts'
import { collectionHandlers } from './collections.ts'
import { commentHandlers } from './comments.ts'
import { memberHandlers } from './members.ts'
import { organizationHandlers } from './organizations.ts'
import type { HandlersOf } from './scope.ts'
import { spaceContentHandlers } from './space-content.ts'
import { spaceHandlers } from './spaces.ts'
import { teamHandlers } from './teams.ts'
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
  ...userHandlers,
  ...auditEventHandlers,
}
