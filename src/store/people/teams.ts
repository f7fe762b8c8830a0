/** Teams and who is in them. */
import { sql } from 'kysely'
import { containsPattern, fold } from '../../core/text.ts'
import type { Connection } from '../database.ts'
import { beyond, countAll, type Page } from '../paging.ts'
import { all, type Builder, dynamic, first, oneOf, run } from '../query.ts'

/** A team with its counts, and how one user stands to it. */
const teamRows = (b: Builder, userId: string) =>
  b
    .selectFrom('team')
    .leftJoin('teamMember as mine', (join) => join.onRef('mine.teamId', '=', 'team.id').on('mine.userId', '=', userId))
    .select(['team.id', 'team.organizationId', 'team.title', 'team.createdAt', 'mine.role as callerRole'])
    .select((eb) => [
      eb.selectFrom('teamMember').whereRef('teamMember.teamId', '=', 'team.id').select(countAll).as('members'),
      spacesOfTeam.as('spaces'),
    ])

/** Spaces that a team was given a role on, and those anywhere below a collection that it was given a role on. */
const spacesOfTeam = sql<number>`(
  with recursive "granted" as (
    select "thingId" as "id" from "accessGrant" where "subjectKind" = 'team' and "subjectId" = "team"."id"
    union
    select "collection"."id" from "collection" join "granted" on "collection"."parentId" = "granted"."id"
  )
  select count(*) from "space" where "deletedAt" is null and "organizationId" = "team"."organizationId"
    and ("id" in (select "id" from "granted") or "parentId" in (select "id" from "granted"))
)`

export const findTeam = first((b, p: { id: string; organizationId: string; userId: string }) =>
  teamRows(b, p.userId).where('team.id', '=', p.id).where('team.organizationId', '=', p.organizationId),
)

const teamsIn = all((b, p: { ids: string; organizationId: string; userId: string }, engine) =>
  teamRows(b, p.userId)
    .where(oneOf(sql.ref('team.id'), p.ids, engine))
    .where('team.organizationId', '=', p.organizationId),
)

/** Teams of an organization by their ids; those that are not there are left out. */
export async function teamsByIds(
  db: Connection,
  ids: readonly string[],
  of: { organizationId: string; userId: string },
): Promise<Map<string, TeamRow>> {
  if (ids.length === 0) return new Map()
  return new Map((await teamsIn(db, { ids: JSON.stringify(ids), ...of })).map((row) => [row.id, row]))
}

export type TeamRow = NonNullable<Awaited<ReturnType<typeof findTeam>>>

export interface TeamFilter {
  organizationId: string
  /** Only teams this user owns. */
  owner?: string | undefined
  /** Only teams this user is in. */
  member?: string | undefined
  title?: string | undefined
}

const filtered = <T extends ReturnType<typeof teamRows>>(query: T, filter: TeamFilter): T => {
  let q = query.where('team.organizationId', '=', filter.organizationId) as T
  const { owner, member, title } = filter
  if (owner !== undefined) {
    q = q.where((eb) =>
      eb.exists(
        eb
          .selectFrom('teamMember')
          .select('teamId')
          .whereRef('teamId', '=', 'team.id')
          .where('userId', '=', owner)
          .where('role', '=', 'owner'),
      ),
    ) as T
  }
  if (member !== undefined) {
    q = q.where((eb) =>
      eb.exists(
        eb.selectFrom('teamMember').select('teamId').whereRef('teamId', '=', 'team.id').where('userId', '=', member),
      ),
    ) as T
  }
  if (title) q = q.where(sql<boolean>`${sql.ref('team.folded')} like ${containsPattern(fold(title))} escape '\\'`) as T
  return q
}

export const listTeams = (db: Connection, filter: TeamFilter, caller: string, page: Page) =>
  dynamic(db, (b) =>
    filtered(teamRows(b, caller), filter)
      .where(beyond({ key: 'team.createdAt', id: 'team.id' }, page))
      .orderBy('team.createdAt', page.order)
      .orderBy('team.id', page.order)
      .limit(page.limit),
  )

export async function countTeams(db: Connection, filter: TeamFilter, caller: string): Promise<number> {
  const rows = await dynamic(db, (b) => filtered(teamRows(b, caller), filter).clearSelect().select(countAll))
  return rows[0]?.count ?? 0
}

export const teamRolesOf = (db: Connection, userId: string, teamIds: readonly string[]) =>
  teamIds.length === 0
    ? Promise.resolve([])
    : dynamic(db, (b) =>
        b
          .selectFrom('teamMember')
          .select(['teamId', 'role'])
          .where('userId', '=', userId)
          .where('teamId', 'in', teamIds),
      )

export const insertTeam = run(
  (b, p: { id: string; organizationId: string; title: string; folded: string; createdAt: string }) =>
    b.insertInto('team').values({
      id: p.id,
      organizationId: p.organizationId,
      title: p.title,
      folded: p.folded,
      createdAt: p.createdAt,
    }),
)

export const renameTeam = run((b, p: { id: string; title: string; folded: string }) =>
  b.updateTable('team').set({ title: p.title, folded: p.folded }).where('id', '=', p.id),
)

const removeTeam = run((b, p: { id: string }) => b.deleteFrom('team').where('id', '=', p.id))
const loseGrants = run((b, p: { id: string }) =>
  b.deleteFrom('accessGrant').where('subjectKind', '=', 'team').where('subjectId', '=', p.id),
)

export async function deleteTeam(tx: Connection, id: string): Promise<void> {
  await loseGrants(tx, { id })
  await removeTeam(tx, { id })
}

/** Adds someone, or changes their role when they are in already. */
export const putTeamMember = run(
  (b, p: { teamId: string; userId: string; role: 'owner' | 'member'; addedAt: string }) =>
    b
      .insertInto('teamMember')
      .values({ teamId: p.teamId, userId: p.userId, role: p.role, addedAt: p.addedAt })
      .onConflict((oc) => oc.columns(['teamId', 'userId']).doUpdateSet({ role: p.role })),
)

/** Adds someone as a member; who is in already keeps their role. */
export const addTeamMember = run((b, p: { teamId: string; userId: string; addedAt: string }) =>
  b
    .insertInto('teamMember')
    .values({ teamId: p.teamId, userId: p.userId, role: 'member', addedAt: p.addedAt })
    .onConflict((oc) => oc.doNothing()),
)

export const deleteTeamMember = run((b, p: { teamId: string; userId: string }) =>
  b.deleteFrom('teamMember').where('teamId', '=', p.teamId).where('userId', '=', p.userId),
)

export const listTeamMembers = (db: Connection, teamId: string, page: Page) =>
  dynamic(db, (b) =>
    b
      .selectFrom('teamMember')
      .select(['userId', 'role', 'addedAt'])
      .where('teamId', '=', teamId)
      .where(beyond({ key: 'addedAt', id: 'userId' }, page))
      .orderBy('addedAt', page.order)
      .orderBy('userId', page.order)
      .limit(page.limit),
  )

const memberCount = first((b, p: { teamId: string }) =>
  b.selectFrom('teamMember').select(countAll).where('teamId', '=', p.teamId),
)
export const countTeamMembers = async (db: Connection, teamId: string): Promise<number> =>
  (await memberCount(db, { teamId }))?.count ?? 0
