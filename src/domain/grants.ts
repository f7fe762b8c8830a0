/** Sharing a space, a collection or a site with people and teams: the same for all. */
import { fail } from '../core/errors.ts'
import type { Role } from '../core/permissions.ts'
import { countGrants, deleteGrant, findGrant, type GrantRow, listGrants, putGrant } from '../store/people/grants.ts'
import { findMembership } from '../store/people/members.ts'
import { findTeam, type TeamRow, teamsByIds } from '../store/people/teams.ts'
import { findUsers } from '../store/people/users.ts'
import { note } from './events/note.ts'
import type { Base } from './handler.ts'
import { listOf } from './lists.ts'
import { presentTeam, presentUser } from './present.ts'
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
    const given: Given[] = []
    for (const userId of body.users ?? []) given.push(await giveUser(base, thing, userId, body.role))
    for (const teamId of body.teams ?? []) given.push(await giveTeam(base, thing, teamId, body.role))
    await noteGrants(base, thing, given)
    return undefined
  },

  async putUser(base: Base, thing: Shared, userId: string, role: Role) {
    await noteGrants(base, thing, [await giveUser(base, thing, userId, role)])
    return undefined
  },

  async putTeam(base: Base, thing: Shared, teamId: string, role: Role) {
    await noteGrants(base, thing, [await giveTeam(base, thing, teamId, role)])
    return undefined
  },

  async remove(base: Base, thing: Shared, subjectKind: 'user' | 'team', subjectId: string) {
    const key = { thingId: thing.id, subjectKind, subjectId }
    const before = await findGrant(base.db, key)
    if (!before) return undefined
    await deleteGrant(base.db, key)
    await noteGrants(base, thing, [{ [subjectKind]: subjectId, before: before.role, after: null }])
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
    // Guests see no teams but their own.
    const teamsOf = thing.memberRole === null ? base.actor.user.id : undefined
    const filter = { thingId: thing.id, subjectKind: 'team' as const, teamsOf }
    let teams = new Map<string, TeamRow>()
    return listOf({
      base,
      name: `team-grants:${thing.id}`,
      query,
      rows: async (page) => {
        const rows = await listGrants(base.db, filter, page)
        const ids = rows.map(({ subjectId }) => subjectId)
        teams = await teamsByIds(base.db, ids, { organizationId: thing.organizationId, userId: base.actor.user.id })
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

/** A role given, replaced or taken away, as it is noted. */
type Given = { user?: string; team?: string; before: Role | null; after: Role | null }

async function giveUser(base: Base, thing: Shared, userId: string, role: Role): Promise<Given> {
  const member = await findMembership(base.db, { organizationId: thing.organizationId, userId })
  if (!member) throw fail('not_found', `There is no member ${userId} in this organization.`)
  return { user: userId, ...(await put(base, thing, { subjectKind: 'user', subjectId: userId, role })) }
}

async function giveTeam(base: Base, thing: Shared, teamId: string, role: Role): Promise<Given> {
  const key = { id: teamId, organizationId: thing.organizationId, userId: base.actor.user.id }
  if (!(await findTeam(base.db, key))) throw fail('not_found', `There is no team ${teamId} in this organization.`)
  return { team: teamId, ...(await put(base, thing, { subjectKind: 'team', subjectId: teamId, role })) }
}

async function put(
  { db, now }: Base,
  thing: Shared,
  { role, ...subject }: { subjectKind: 'user' | 'team'; subjectId: string; role: Role },
): Promise<Pick<Given, 'before' | 'after'>> {
  const before = await findGrant(db, { thingId: thing.id, ...subject })
  await putGrant(db, {
    thingKind: thing.kind,
    thingId: thing.id,
    organizationId: thing.organizationId,
    createdAt: now,
    role,
    ...subject,
  })
  return { before: before?.role ?? null, after: role }
}

const noteGrants = (base: Base, thing: Shared, grants: readonly Given[]): Promise<number> =>
  note(base, {
    organizationId: thing.organizationId,
    action: `${thing.kind}_permissions_updated`,
    target: { type: thing.kind, id: thing.id },
    data: { grants },
  })

/** Who makes something has charge of it, and who brings it along keeps what they had, even where their role alone would not say so. */
export async function keepCharge(
  { db, actor, now }: Base,
  thingKind: GrantRow['thingKind'],
  thing: { id: string; organizationId: string },
  role: string | null,
  charge: Role = 'admin',
): Promise<void> {
  if (role === 'admin') return
  await putGrant(db, {
    thingKind,
    thingId: thing.id,
    subjectKind: 'user',
    subjectId: actor.user.id,
    role: charge,
    organizationId: thing.organizationId,
    createdAt: now,
  })
}
