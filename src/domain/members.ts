import type { members } from '../contract/people/members.ts'
import type { ListOf } from '../contract/shapes.ts'
import { fail } from '../core/errors.ts'
import { type Level, type Role, roles } from '../core/permissions.ts'
import { cachedRows } from '../store/cached-rows.ts'
import { listSpaces } from '../store/content/spaces.ts'
import {
  countMembers,
  countOtherAdmins,
  deleteMember,
  listMembers,
  type MemberFilter,
  type MemberRow,
  memberSortKey,
  updateMember,
} from '../store/people/members.ts'
import { countTeams, listTeams, teamRolesOf } from '../store/people/teams.ts'
import { peopleOf, readVersions } from '../store/row-versions.ts'
import { contentAccess } from './access.ts'
import { noteAccess } from './events/note.ts'
import type { Base, HandlersOf } from './handler.ts'
import { listOf, listOfArray } from './lists.ts'
import { presentMember, presentTeam } from './present.ts'
import { withSpaces } from './reach.ts'
import { publishedAddressesOf } from './sites/published-address.ts'
import { presentSpace } from './spaces/present.ts'
import { type Things, teamPermissions } from './things.ts'

/** Lists of members, by all that shapes them. */
const lists = cachedRows<ListOf<ReturnType<typeof presentMember>>>('members', { share: 0.005 })
/** What a member takes there, with the text that is printed of them. */
const memberBytes = 2000

/** How long the claims that a ping hands out are good for. */
const pingSeconds = 3600

export const memberHandlers: HandlersOf<typeof members> = {
  async listMembersInOrganizationById(base) {
    const { organization, query } = base
    const filter: MemberFilter = {
      organizationId: organization.id,
      role: query.role,
      search: query.search,
      sort: query.sort,
    }
    // No index helps to find a part of a name, or to sort by names.
    const db = filter.search || filter.sort === 'name' ? base.slow : base.db
    const name = `members:${JSON.stringify(filter)}`
    const list = () =>
      listOf({
        base,
        name,
        query,
        order: query.order,
        rows: async (page) => withSpaces(base, organization.id, await listMembers(db, filter, page)),
        count: () => countMembers(db, filter),
        keyOf: (row) => ({ key: memberSortKey(row, query.sort), id: row.userId }),
        present: (row) => presentMember(row, base.env.urls),
      })
    const key = `${name} ${query.order} ${query.limit} ${query.page ?? ''}`
    const read = async () => {
      const versions = await readVersions(base.db, [peopleOf(organization.id)])
      const value = await list()
      return { value, versions, bytes: memberBytes * (1 + value.items.length) }
    }
    return lists(base.db, key, read, base.commitVersion)
  },

  async getMemberInOrganizationById({ member, ...base }) {
    return presentCounted(base, member)
  },

  async removeMemberFromOrganizationById({ organization, member, ...base }) {
    await keepAnAdmin(base, member)
    await deleteMember(base.db, { organizationId: organization.id, userId: member.userId })
    await noteAccess(base, organization.id, 'member_removed', member.userId, {
      before: { role: member.role },
      after: null,
    })
    return undefined
  },

  async updateMemberInOrganizationById({ organization, member, body, ...base }) {
    if (body.role === undefined || body.role === member.role) return presentCounted(base, member)
    if (body.role !== 'admin') await keepAnAdmin(base, member)
    await updateMember(base.db, { organizationId: organization.id, userId: member.userId }, { role: body.role })
    await noteAccess(base, organization.id, 'member_updated', member.userId, {
      before: { role: member.role },
      after: { role: body.role },
    })
    return presentCounted(base, { ...member, role: body.role })
  },

  async updateOrganizationMemberLastSeenAt({ db, env, actor, now, organization }) {
    await updateMember(db, { organizationId: organization.id, userId: actor.user.id }, { lastSeenAt: now })
    const claims = {
      organization: organization.id,
      role: organization.role,
      email: actor.user.email,
      name: actor.user.displayName,
    }
    return { serviceVisitorClaims: await env.signer.jwt(claims, { subject: actor.user.id, seconds: pingSeconds }) }
  },

  async setUserAsSSOMemberForOrganization({ organization, member, ...base }) {
    await updateMember(base.db, { organizationId: organization.id, userId: member.userId }, { sso: 1 })
    await noteAccess(base, organization.id, 'member_updated', member.userId, {
      before: { sso: member.sso },
      after: { sso: 1 },
    })
    return presentCounted(base, { ...member, sso: 1 })
  },

  async listSpacesForOrganizationMember({ organization, member, query, ...base }) {
    // A colleague's list shows only what the caller may see, too.
    const access = await contentAccess(base, organization)
    const theirs = await contentAccess(
      { ...base, actor: { ...base.actor, user: { ...base.actor.user, id: member.userId } } },
      { id: organization.id, role: member.role, memberId: member.userId, disabled: member.disabled },
    )
    const filter = { organizationId: organization.id, visible: theirs.visible }
    const rows = await listSpaces(base.db, filter, { limit: 10_000, order: query.order, after: undefined })
    const addresses = await publishedAddressesOf(
      base,
      rows.map((row) => row.id),
    )
    return listOfArray({
      base,
      name: `member-spaces:${organization.id}:${member.userId}:${query.order}`,
      query,
      order: query.order,
      rows: rows.filter((row) => access.spacePermissions(row).view && theirs.spacePermissions(row).view),
      keyOf: (row) => [row.createdAt, row.id],
      present: (row) => ({
        permission: roleOf(theirs.spaceLevel(row)),
        space: presentSpace(row, access.spacePermissions(row), base.env.urls, addresses.get(row.id)),
      }),
    })
  },

  async listTeamsForOrganizationMember({ organization, member, query, ...base }) {
    const filter = { organizationId: organization.id, member: member.userId, title: query.title }
    const roles = new Map<string, 'owner' | 'member'>()
    return listOf({
      base,
      name: `member-teams:${JSON.stringify(filter)}`,
      query,
      rows: async (page) => {
        const rows = await listTeams(base.db, filter, base.actor.user.id, page)
        for (const { teamId, role } of await teamRolesOf(
          base.db,
          member.userId,
          rows.map((row) => row.id),
        )) {
          roles.set(teamId, role)
        }
        return rows
      },
      count: () => countTeams(base.db, filter, base.actor.user.id),
      keyOf: (row) => ({ key: row.createdAt, id: row.id }),
      present: (row) => ({
        team: presentTeam(row, teamPermissions(row, organization)),
        member: { role: roles.get(row.id) ?? 'member' },
      }),
    })
  },
}

async function presentCounted(base: Base, member: MemberRow) {
  const [counted] = await withSpaces(base, member.organizationId, [member])
  if (!counted) throw new Error('Whoever is asked for is counted.')
  return presentMember(counted, base.env.urls)
}

/** Whoever sees a space has a role on it. */
const roleOf = (level: Level): Role => roles.find((role) => role === level) ?? 'read'

/** Refuses to take the last admin's role away. Writes to one organization take turns, so the count stays true. */
async function keepAnAdmin({ db }: Base, member: Things['member']): Promise<void> {
  if (member.role !== 'admin') return
  if ((await countOtherAdmins(db, member.organizationId, member.userId)) === 0) throw fail('last_admin')
}
