/** The things a path can name, and how each is loaded. */
import type { Level, Permissions } from '../core/permissions.ts'
import { organizationLevel, permissionsOf } from '../core/permissions.ts'
import { findCollectionFor, findSpaceFor, levelOn, type Membership } from '../store/access.ts'
import { type ChangeRequestRow, findChangeRequest, findChangeRequestByNumber } from '../store/change-requests.ts'
import { type CommentRow, findComment, findReply, type ReplyRow } from '../store/comments.ts'
import { findMember, type MemberRow } from '../store/members.ts'
import { findInvite, findOrganizationFor, type InviteRow, type OrganizationForUser } from '../store/organizations.ts'
import { findRevision, type RevisionRow } from '../store/revisions.ts'
import type { CollectionRow, SpaceRow } from '../store/spaces.ts'
import { findTeam, type TeamRow } from '../store/teams.ts'
import { findUser, shareOrganization, type UserRow } from '../store/users.ts'
import type { Base } from './scope.ts'

export interface Things {
  organization: OrganizationForUser & { permissions: Permissions<'organization'> }
  member: MemberRow & { permissions: Permissions<'member'> }
  team: TeamRow & { permissions: Permissions<'team'> }
  invite: InviteRow & { permissions: Permissions<'invite'> }
  user: UserRow & { permissions: Permissions<'user'> }
  collection: CollectionRow & Membership & { level: Level; permissions: Permissions<'collection'> }
  space: SpaceRow & Membership & { level: Level; permissions: Permissions<'space'> }
  revision: RevisionRow & { permissions: Permissions<'space'> }
  changeRequest: ChangeRequestRow & { permissions: Permissions<'space'> }
  comment: CommentRow & { permissions: Permissions<'comment'> }
  commentReply: ReplyRow & { permissions: Permissions<'commentReply'> }
}

export type ThingKind = keyof Things

/** Loads a thing by the id in the path; what stands left of it in the path is loaded already. */
type Loader<K extends ThingKind> = (base: Base, id: string, loaded: Things) => Promise<Things[K] | undefined>

/** The organization's permissions of someone who has this row of it. */
export const organizationPermissions = (row: {
  memberId: string | null
  role: OrganizationForUser['role']
  disabled: number | null
  ownedTeam?: string | null
}): Permissions<'organization'> =>
  permissionsOf('organization', {
    level: row.memberId === null || row.disabled === 1 ? 'none' : organizationLevel(row.role),
    ownsTeam: row.ownedTeam != null,
  })

export const loaders: { [K in ThingKind]: Loader<K> } = {
  organization: async ({ db, actor }, id) => {
    const row = await findOrganizationFor(db, { id, userId: actor.user.id })
    return row && { ...row, permissions: organizationPermissions(row) }
  },

  member: async ({ db, actor }, userId, { organization }) => {
    const row = await findMember(db, { organizationId: organization.id, userId })
    const standing = { level: organizationLevel(organization.role), isSelf: userId === actor.user.id }
    return row && { ...row, permissions: permissionsOf('member', standing) }
  },

  team: async ({ db, actor }, id, { organization }) => {
    const row = await findTeam(db, { id, organizationId: organization.id, userId: actor.user.id })
    return row && { ...row, permissions: teamPermissions(row, organization) }
  },

  invite: async ({ db }, id, { organization }) => {
    const row = await findInvite(db, { id })
    if (row?.organizationId !== organization.id) return undefined
    return { ...row, permissions: permissionsOf('invite', { level: organizationLevel(organization.role) }) }
  },

  user: async ({ db, actor }, id) => {
    const row = await findUser(db, { id })
    if (!row) return undefined
    const known = id === actor.user.id || (await shareOrganization(db, { one: actor.user.id, other: id })) !== undefined
    return { ...row, permissions: permissionsOf('user', { level: known ? 'read' : 'none' }) }
  },

  collection: async ({ db, actor }, id) => {
    const row = await findCollectionFor(db, { id, userId: actor.user.id })
    if (!row) return undefined
    const level = await levelOn(db, row, actor.user.id)
    return { ...row, level, permissions: permissionsOf('collection', { level }) }
  },

  space: async ({ db, actor }, id) => {
    const row = await findSpaceFor(db, { id, userId: actor.user.id })
    if (!row) return undefined
    const level = await levelOn(db, row, actor.user.id)
    return { ...row, level, permissions: permissionsOf('space', { level }) }
  },

  revision: async ({ db }, id, { space }) => {
    const row = await findRevision(db, { id, spaceId: space.id })
    return row && { ...row, permissions: space.permissions }
  },

  changeRequest: async ({ db }, id, { space }) => {
    // Ids are never all digits, so digits are a number.
    const row = /^\d{1,9}$/.test(id)
      ? await findChangeRequestByNumber(db, { spaceId: space.id, number: Number(id) })
      : await findChangeRequest(db, { spaceId: space.id, id })
    return row && { ...row, permissions: space.permissions }
  },

  comment: async (
    { db, actor },
    id,
    { space, changeRequest }: Things & { changeRequest?: Things['changeRequest'] },
  ) => {
    const row = await findComment(db, { id, spaceId: space.id })
    // A comment is reached where it stands: on main content, or in its own change request.
    if (!row || row.changeRequestId !== (changeRequest?.id ?? null)) return undefined
    const standing = { level: space.level, isAuthor: row.postedBy === actor.user.id }
    return { ...row, permissions: permissionsOf('comment', standing) }
  },

  commentReply: async ({ db, actor }, id, { space, comment }) => {
    const row = await findReply(db, { id, commentId: comment.id })
    const standing = { level: space.level, isAuthor: row?.postedBy === actor.user.id }
    return row && { ...row, permissions: permissionsOf('commentReply', standing) }
  },
}

const keepDays = 7

/** Until when a space that was deleted at this time can come back. */
export const restorableUntil = (deletedAt: string): string =>
  new Date(Date.parse(deletedAt) + keepDays * 24 * 60 * 60 * 1000).toISOString()

export const teamPermissions = (
  team: { callerRole: 'owner' | 'member' | null },
  organization: { role: OrganizationForUser['role'] },
): Permissions<'team'> =>
  permissionsOf('team', {
    level: organizationLevel(organization.role),
    inTeam: team.callerRole !== null,
    ownsTeam: team.callerRole === 'owner',
  })
