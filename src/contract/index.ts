/** All sections, in the specification's order: the only list of them. */
import { collections } from './collections.ts'
import { members } from './members.ts'
import type { Operation } from './operation.ts'
import { organizations } from './organizations.ts'
import { revisions, spaceContent } from './space-content.ts'
import { spaces } from './spaces.ts'
import { teams } from './teams.ts'
import { users } from './users.ts'

export const sections = { spaces, spaceContent, revisions, collections, organizations, members, teams, users }

export const contract = {
  ...spaces,
  ...spaceContent,
  ...revisions,
  ...collections,
  ...organizations,
  ...members,
  ...teams,
  ...users,
}

export type Contract = typeof contract
export type OperationName = keyof Contract

export const operations = Object.entries(contract) as [OperationName, Operation][]
