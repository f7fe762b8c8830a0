/** Roles given directly to users and teams on spaces, collections and sites. */
import { sql } from 'kysely'
import { type Role, roles } from '../../core/permissions.ts'
import type { Connection } from '../database.ts'
import { beyond, countAll, type Page } from '../paging.ts'
import { dynamic, first, oneOf, run } from '../query.ts'
import type { AccessGrantTable } from '../tables.ts'

export type GrantRow = AccessGrantTable

/** Gives a role, or changes the one given before. */
export const putGrant = run((b, p: GrantRow) =>
  b
    .insertInto('accessGrant')
    .values({
      thingKind: p.thingKind,
      thingId: p.thingId,
      subjectKind: p.subjectKind,
      subjectId: p.subjectId,
      role: p.role,
      organizationId: p.organizationId,
      createdAt: p.createdAt,
    })
    .onConflict((oc) => oc.columns(['thingId', 'subjectKind', 'subjectId']).doUpdateSet({ role: p.role })),
)

export const findGrant = first((b, p: { thingId: string; subjectKind: 'user' | 'team'; subjectId: string }) =>
  b
    .selectFrom('accessGrant')
    .selectAll()
    .where('thingId', '=', p.thingId)
    .where('subjectKind', '=', p.subjectKind)
    .where('subjectId', '=', p.subjectId),
)

export const deleteGrant = run((b, p: { thingId: string; subjectKind: 'user' | 'team'; subjectId: string }) =>
  b
    .deleteFrom('accessGrant')
    .where('thingId', '=', p.thingId)
    .where('subjectKind', '=', p.subjectKind)
    .where('subjectId', '=', p.subjectId),
)

const deleteGrants = run((b, p: { things: string }, engine) =>
  b.deleteFrom('accessGrant').where(oneOf(sql.ref('thingId'), p.things, engine)),
)
const deleteInvites = run((b, p: { things: string }, engine) =>
  b.deleteFrom('invite').where(oneOf(sql.ref('thingId'), p.things, engine)),
)

/** All grants on some things and all invites to them: they are gone, or belong to another organization now. */
export async function deleteRightsOn(tx: Connection, ids: readonly string[]): Promise<void> {
  const things = JSON.stringify(ids)
  await deleteGrants(tx, { things })
  await deleteInvites(tx, { things })
}

/** Whoever was given something on a collection has it on what stands in it, too; what they had there stays where it is more. */
export const copyGrantsToSpaces = grantCopier('space')
export const copyGrantsToCollections = grantCopier('collection')

function grantCopier(table: 'space' | 'collection') {
  return run((b, p: { from: string }) =>
    b
      .insertInto('accessGrant')
      .columns(['thingKind', 'thingId', 'subjectKind', 'subjectId', 'role', 'organizationId', 'createdAt'])
      .expression(
        sql`select ${sql.lit(table)}, "child"."id", "given"."subjectKind", "given"."subjectId", "given"."role",
          "given"."organizationId", "given"."createdAt" from "accessGrant" as "given"
          join ${sql.table(table)} as "child" on "child"."organizationId" = "given"."organizationId"
          where "given"."thingId" = ${p.from} and "child"."parentId" = ${p.from}`,
      )
      .onConflict((oc) =>
        oc
          .columns(['thingId', 'subjectKind', 'subjectId'])
          .doUpdateSet((eb) => ({ role: eb.ref('excluded.role') }))
          .where(sql<boolean>`${strength('excluded.role')} > ${strength('accessGrant.role')}`),
      ),
  )
}

const strength = (column: string) =>
  sql`case ${sql.ref(column)} ${sql.join(
    roles.map((role, index) => sql`when ${sql.lit(role)} then ${sql.lit(index)}`),
    sql` `,
  )} end`

export interface GrantFilter {
  thingId: string
  subjectKind: 'user' | 'team'
  role?: Role | undefined
  /** Only those to teams that this user is in. */
  teamsOf?: string | undefined
}

const inTeamOf = (userId: string | undefined) =>
  sql<boolean>`"subjectId" in (select "teamId" from "teamMember" where "userId" = ${userId})`

export const listGrants = (db: Connection, filter: GrantFilter, page: Page): Promise<GrantRow[]> =>
  dynamic(db, (b) =>
    b
      .selectFrom('accessGrant')
      .selectAll()
      .where('thingId', '=', filter.thingId)
      .where('subjectKind', '=', filter.subjectKind)
      .$if(filter.teamsOf !== undefined, (q) => q.where(inTeamOf(filter.teamsOf)))
      .$if(filter.role !== undefined, (q) => q.where('role', '=', filter.role as Role))
      .where(beyond({ key: 'createdAt', id: 'subjectId' }, page))
      .orderBy('createdAt', page.order)
      .orderBy('subjectId', page.order)
      .limit(page.limit),
  )

export async function countGrants(db: Connection, filter: GrantFilter): Promise<number> {
  const rows = await dynamic(db, (b) =>
    b
      .selectFrom('accessGrant')
      .select(countAll)
      .where('thingId', '=', filter.thingId)
      .where('subjectKind', '=', filter.subjectKind)
      .$if(filter.teamsOf !== undefined, (q) => q.where(inTeamOf(filter.teamsOf)))
      .$if(filter.role !== undefined, (q) => q.where('role', '=', filter.role as Role)),
  )
  return rows[0]?.count ?? 0
}
