/** All sections, in the specification's order: the only list of them. */
import { auditEvents } from './audit-events.ts'
import { changeRequestContent, changeRequests } from './change-requests.ts'
import { collections } from './collections.ts'
import { changeRequestComments, spaceComments } from './comments.ts'
import { members } from './members.ts'
import type { Operation } from './operation.ts'
import { organizations } from './organizations.ts'
import { revisions, spaceContent } from './space-content.ts'
import { spaces } from './spaces.ts'
import { teams } from './teams.ts'
import { users } from './users.ts'

export const sections = {
  spaceComments,
  changeRequestComments,
  spaces,
  spaceContent,
  revisions,
  changeRequests,
  changeRequestContent,
  collections,
  organizations,
  members,
  teams,
  users,
  auditEvents,
}

export const contract = {
  ...spaceComments,
  ...changeRequestComments,
  ...spaces,
  ...spaceContent,
  ...revisions,
  ...changeRequests,
  ...changeRequestContent,
  ...collections,
  ...organizations,
  ...members,
  ...teams,
  ...users,
  ...auditEvents,
}

export type Contract = typeof contract
export type OperationName = keyof Contract

export const operations = Object.entries(contract) as [OperationName, Operation][]
