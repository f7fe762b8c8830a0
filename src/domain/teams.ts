import type { teams } from '../contract/people/teams.ts'
import { invalid } from '../core/errors.ts'
import { fold } from '../core/text.ts'
import { findMembership, membersByIds, membersNamed } from '../store/people/members.ts'
import {
  addTeamMember,
  countTeamMembers,
  countTeams,
  deleteTeam,
  deleteTeamMember,
  findTeam,
  insertTeam,
  listTeamMembers,
  listTeams,
  putTeamMember,
  renameTeam,
} from '../store/people/teams.ts'
import { noteAccess } from './events/note.ts'
import type { Base, HandlersOf } from './handler.ts'
import { listOf } from './lists.ts'
import { presentMember, presentTeam } from './present.ts'
import { type CountedMember, withSpaces } from './reach.ts'
import { type Things, teamPermissions } from './things.ts'

/** Whose teams are wanted: an admin of the organization manages them all, whether or not they own any. */
async function ownerIn({ db }: Base, organizationId: string, userId: string | undefined): Promise<string | undefined> {
  if (userId === undefined) return undefined
  const member = await findMembership(db, { organizationId, userId })
  return member?.role === 'admin' && member.disabled === 0 ? undefined : userId
}

export const teamHandlers: HandlersOf<typeof teams> = {
  async listTeamsInOrganizationById({ organization, query, ...base }) {
    const owner = await ownerIn(base, organization.id, query.owner)
    const filter = { organizationId: organization.id, owner, title: query.title }
    return listOf({
      base,
      name: `teams:${JSON.stringify(filter)}`,
      query,
      rows: (page) => listTeams(base.db, filter, base.actor.user.id, page),
      count: () => countTeams(base.db, filter, base.actor.user.id),
      keyOf: (row) => ({ key: row.createdAt, id: row.id }),
      present: (row) => presentTeam(row, teamPermissions(row, organization)),
    })
  },

  async createOrganizationTeam({ organization, body, ...base }) {
    const { db, env, now } = base
    const people = await namedMembers(base, organization.id, 'members', body.members ?? [])
    const id = env.newId()
    await insertTeam(db, {
      id,
      organizationId: organization.id,
      title: body.title,
      folded: fold(body.title),
      createdAt: now,
    })
    for (const userId of people.values()) await addTeamMember(db, { teamId: id, userId, addedAt: now })
    await noteAccess(base, organization.id, 'team_created', id, { title: body.title, members: [...people.values()] })
    return presentReloaded(base, organization, id)
  },

  async getTeamInOrganizationById({ team }) {
    return presentTeam(team, team.permissions)
  },

  async removeTeamFromOrganizationById({ organization, team, ...base }) {
    await deleteTeam(base.db, team.id)
    await noteAccess(base, organization.id, 'team_deleted', team.id, { title: team.title })
    return undefined
  },

  async updateTeamInOrganizationById({ organization, team, body, ...base }) {
    await renameTeam(base.db, { id: team.id, title: body.title, folded: fold(body.title) })
    await noteAccess(base, organization.id, 'team_updated', team.id, {
      before: { title: team.title },
      after: { title: body.title },
    })
    return presentTeam({ ...team, title: body.title }, team.permissions)
  },

  async listTeamMembersInOrganizationById({ organization, team, query, ...base }) {
    const people = new Map<string, CountedMember>()
    return listOf({
      base,
      name: `team-members:${team.id}`,
      query,
      rows: async (page) => {
        const rows = await listTeamMembers(base.db, team.id, page)
        const userIds = rows.map((row) => row.userId)
        const members = await membersByIds(base.db, organization.id, userIds)
        for (const member of await withSpaces(base, organization.id, members)) people.set(member.userId, member)
        return rows.filter((row) => people.has(row.userId))
      },
      count: () => countTeamMembers(base.db, team.id),
      keyOf: (row) => ({ key: row.addedAt, id: row.userId }),
      present: (row) => {
        const member = people.get(row.userId)
        if (!member) throw new Error('A team member is a member of the organization.')
        return {
          organization: presentMember(member, base.env.urls),
          team: { role: row.role },
          permissions: { view: true },
        }
      },
    })
  },

  async updateMembersInOrganizationTeam({ organization, team, body, ...base }) {
    const { db, now } = base
    const { add = [], remove = [], memberships = {} } = body
    const added = await namedMembers(base, organization.id, 'add', add)
    const ranked = await namedMembers(base, organization.id, 'memberships', Object.keys(memberships))
    // Who is not a member can not be in the team: removing them is done already.
    const removed = new Set(await knownMembers(base, organization.id, remove).then((known) => known.values()))
    const joined: string[] = []
    for (const userId of added.values()) {
      if (removed.has(userId)) continue
      if ((await addTeamMember(db, { teamId: team.id, userId, addedAt: now })) > 0) joined.push(userId)
    }
    const roles: Record<string, string> = {}
    for (const [name, { role }] of Object.entries(memberships)) {
      const userId = ranked.get(name)
      if (userId === undefined || removed.has(userId)) continue
      await putTeamMember(db, { teamId: team.id, userId, role, addedAt: now })
      roles[userId] = role
    }
    const left: string[] = []
    for (const userId of removed) if ((await deleteTeamMember(db, { teamId: team.id, userId })) > 0) left.push(userId)
    if (joined.length + left.length + Object.keys(roles).length === 0) return undefined
    await noteAccess(base, organization.id, 'team_members_updated', team.id, {
      added: joined,
      roles,
      removed: left,
    })
    return undefined
  },

  async addMemberToOrganizationTeamById({ organization, team, member, body, ...base }) {
    const { db, now } = base
    const key = { teamId: team.id, userId: member.userId, addedAt: now }
    const { role } = body
    const changed = role === undefined ? await addTeamMember(db, key) : await putTeamMember(db, { ...key, role })
    if (changed === 0) return undefined
    await noteAccess(base, organization.id, 'team_members_updated', team.id, {
      added: [member.userId],
      ...(role === undefined ? {} : { roles: { [member.userId]: role } }),
    })
    return undefined
  },

  async deleteMemberFromOrganizationTeamById({ organization, team, member, ...base }) {
    if ((await deleteTeamMember(base.db, { teamId: team.id, userId: member.userId })) === 0) return undefined
    await noteAccess(base, organization.id, 'team_members_updated', team.id, { removed: [member.userId] })
    return undefined
  },
}

async function presentReloaded(base: Base, organization: Things['organization'], id: string) {
  const row = await findTeam(base.db, { id, organizationId: organization.id, userId: base.actor.user.id })
  if (!row) throw new Error('A team that was just made is there.')
  return presentTeam(row, teamPermissions(row, organization))
}

/** Members by the names (id or e-mail) they were called. */
async function knownMembers(
  { db }: Base,
  organizationId: string,
  names: readonly string[],
): Promise<Map<string, string>> {
  if (names.length === 0) return new Map()
  const rows = await membersNamed(db, organizationId, names)
  const found = new Map<string, string>()
  for (const name of names) {
    const row = rows.find((member) => member.userId === name || member.email === name.toLowerCase())
    if (row) found.set(name, row.userId)
  }
  return found
}

/** The same, refusing names that are nobody's here. */
async function namedMembers(base: Base, organizationId: string, field: string, names: readonly string[]) {
  const known = await knownMembers(base, organizationId, names)
  const missing = names.find((name) => !known.has(name))
  if (missing !== undefined) throw invalid(field, `names ${missing}, who is not a member of this organization`)
  return known
}
