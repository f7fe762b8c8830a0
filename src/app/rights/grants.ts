/** What is shared with whom: the operations for spaces, collections and sites, as one. */
import type { DefaultLevel, Role } from '../../core/permissions.ts'
import { call, type Name } from '../session/client.ts'

export type SharedKind = 'space' | 'collection' | 'site'

export interface Shared {
  kind: SharedKind
  id: string
  organizationId: string
  title: string
  /** The collection it is in. */
  parent?: string | undefined
  defaultLevel: DefaultLevel
  canAdminister: boolean
}

export interface Grant {
  role: Role
  users?: string[]
  teams?: string[]
}

export type SubjectKind = 'user' | 'team'

/** Stands in every path. */
const inputFor = {
  space: ({ id }: Shared) => ({ spaceId: id }),
  collection: ({ id }: Shared) => ({ collectionId: id }),
  site: ({ id, organizationId }: Shared) => ({ organizationId, siteId: id }),
}

export const userLists = {
  space: 'listUserPermissionsInSpace',
  collection: 'listUserPermissionsInCollection',
  site: 'listUserPermissionsInSite',
} as const

export const teamLists = {
  space: 'listTeamPermissionsInSpace',
  collection: 'listTeamPermissionsInCollection',
  site: 'listTeamPermissionsInSite',
} as const

export const inputOf = (shared: Shared) => inputFor[shared.kind](shared)

export const staleGrants: Name[] = [
  ...Object.values(userLists),
  ...Object.values(teamLists),
  'getSpaceById',
  'getCollectionById',
  'getSiteById',
  'listCollectionsInOrganizationById',
]

/** At most as many as the API takes at once. */
const most = 100

export async function give(shared: Shared, { role, users = [], teams = [] }: Grant): Promise<void> {
  for (let at = 0; at < Math.max(users.length, teams.length); at += most) {
    const part = { users: users.slice(at, at + most), teams: teams.slice(at, at + most) }
    await giveAtOnce(shared, {
      role,
      ...(part.users.length > 0 && { users: part.users }),
      ...(part.teams.length > 0 && { teams: part.teams }),
    })
  }
}

function giveAtOnce(shared: Shared, body: Grant): Promise<unknown> {
  if (shared.kind === 'space') return call('inviteToSpace', { ...inputFor.space(shared), body })
  if (shared.kind === 'collection') return call('inviteToCollection', { ...inputFor.collection(shared), body })
  return call('inviteToSite', { ...inputFor.site(shared), body })
}

export function takeAway(shared: Shared, kind: SubjectKind, id: string): Promise<unknown> {
  if (shared.kind === 'space') {
    const input = inputFor.space(shared)
    return kind === 'user'
      ? call('removeUserFromSpace', { ...input, userId: id })
      : call('removeTeamFromSpace', { ...input, team: id })
  }
  if (shared.kind === 'collection') {
    const input = inputFor.collection(shared)
    return kind === 'user'
      ? call('removeUserFromCollection', { ...input, userId: id })
      : call('removeTeamFromCollection', { ...input, team: id })
  }
  const input = inputFor.site(shared)
  return kind === 'user'
    ? call('removeUserFromSite', { ...input, user: id })
    : call('removeTeamFromSite', { ...input, team: id })
}

export const setDefaultLevel = (shared: Shared, defaultLevel: DefaultLevel): Promise<unknown> =>
  shared.kind === 'space'
    ? call('updateSpaceById', { ...inputFor.space(shared), body: { defaultLevel } })
    : call('updateCollectionById', { ...inputFor.collection(shared), body: { defaultLevel } })
