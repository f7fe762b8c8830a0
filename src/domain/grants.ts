/** Sharing a space, a collection or a site with people and teams: the same for all. */
import { fail } from '../core/errors.ts'
import type { Role } from '../core/permissions.ts'
import { countGrants, deleteGrant, type GrantRow, listGrants, putGrant } from '../store/grants.ts'
import { findMembership } from '../store/members.ts'
import { findTeam } from '../store/teams.ts'
import { findUsers } from '../store/users.ts'
import { listOf } from './lists.ts'
import { presentTeam, presentUser } from './present.ts'
import type { Base } from './scope.ts'
import { teamPermissions } from './things.ts'

interface Shared {
  id: string
  organizationId: string
  kind: 'space' | 'collection' | 'site'
}

interface Listed {
  id: string
  organizationId: string
  memberRole: Role | null
}

type ListQuery = { page?: string | undefined; limit: number; role?: Role | undefined }

export const grantHandlers = {
  async invite(
    base: Base,
    thing: Shared,
    body: { role: Role; users?: string[] | undefined; teams?: string[] | undefined },
  ) {
    for (const userId of body.users ?? []) await this.putUser(base, thing, userId, body.role)
    for (const teamId of body.teams ?? []) await this.putTeam(base, thing, teamId, body.role)
    return undefined
  },

  async putUser(base: Base, thing: Shared, userId: string, role: Role) {
    const member = await findMembership(base.db, { organizationId: thing.organizationId, userId })
    if (!member) throw fail('not_found', `There is no member ${userId} in this organization.`)
    await put(base, thing, { subjectKind: 'user', subjectId: userId, role })
    return undefined
  },

  async putTeam(base: Base, thing: Shared, teamId: string, role: Role) {
    const team = await findTeam(base.db, {
      id: teamId,
      organizationId: thing.organizationId,
      userId: base.actor.user.id,
    })
    if (!team) throw fail('not_found', `There is no team ${teamId} in this organization.`)
    await put(base, thing, { subjectKind: 'team', subjectId: teamId, role })
    return undefined
  },

  async remove(base: Base, thing: { id: string }, subjectKind: 'user' | 'team', subjectId: string) {
    await deleteGrant(base.db, { thingId: thing.id, subjectKind, subjectId })
    return undefined
  },

  async listUsers(base: Base, thing: Listed, query: ListQuery) {
    const filter = { thingId: thing.id, subjectKind: 'user' as const, role: query.role }
    const people = new Map<string, Awaited<ReturnType<typeof findUsers>>[number]>()
    return listOf({
      base,
      name: `user-grants:${thing.id}:${query.role ?? ''}`,
      query,
      rows: async (page) => {
        const rows = await listGrants(base.db, filter, page)
        for (const user of await findUsers(
          base.db,
          rows.map((row) => row.subjectId),
        ))
          people.set(user.id, user)
        return rows
      },
      count: () => countGrants(base.db, filter),
      keyOf: (row) => ({ key: row.createdAt, id: row.subjectId }),
      present: (row) => {
        const user = people.get(row.subjectId)
        if (!user) throw new Error('A grant to a user ends with the account.')
        return { permission: row.role, user: presentUser(user, base.env.urls) }
      },
    })
  },

  async listTeams(base: Base, thing: Listed, query: ListQuery) {
    const filter = { thingId: thing.id, subjectKind: 'team' as const }
    const teams = new Map<string, NonNullable<Awaited<ReturnType<typeof findTeam>>>>()
    return listOf({
      base,
      name: `team-grants:${thing.id}`,
      query,
      rows: async (page) => {
        const rows = await listGrants(base.db, filter, page)
        for (const { subjectId } of rows) {
          const key = { id: subjectId, organizationId: thing.organizationId, userId: base.actor.user.id }
          const team = await findTeam(base.db, key)
          if (team) teams.set(team.id, team)
        }
        return rows.filter((row) => teams.has(row.subjectId))
      },
      count: () => countGrants(base.db, filter),
      keyOf: (row) => ({ key: row.createdAt, id: row.subjectId }),
      present: (row) => {
        const team = teams.get(row.subjectId)
        if (!team) throw new Error('Grants to teams end with the team.')
        return { permission: row.role, team: presentTeam(team, teamPermissions(team, { role: thing.memberRole })) }
      },
    })
  },
}

const put = (
  { db, now }: Base,
  thing: Shared,
  grant: { subjectKind: 'user' | 'team'; subjectId: string; role: Role },
) =>
  putGrant(db, {
    thingKind: thing.kind,
    thingId: thing.id,
    organizationId: thing.organizationId,
    createdAt: now,
    ...grant,
  })

/** Who makes something or brings it along keeps charge of it, even where their role alone would not say so. */
export async function keepCharge(
  { db, actor, now }: Base,
  thingKind: GrantRow['thingKind'],
  thing: { id: string; organizationId: string },
  role: string | null,
): Promise<void> {
  if (role === 'admin') return
  await putGrant(db, {
    thingKind,
    thingId: thing.id,
    subjectKind: 'user',
    subjectId: actor.user.id,
    role: 'admin',
    organizationId: thing.organizationId,
    createdAt: now,
  })
}
