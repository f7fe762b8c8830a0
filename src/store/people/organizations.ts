/** Organizations, their e-mail domains and their link invites. */
import { sql } from 'kysely'
import type { Connection } from '../database.ts'
import { listedBy } from '../listed.ts'
import { beyond, countAll, type Page } from '../paging.ts'
import { all, dynamic, first, inserter, run, updater } from '../query.ts'
import { versionColumn } from '../row-versions.ts'
import type { InviteTable, OrganizationTable } from '../tables.ts'

export type OrganizationRow = OrganizationTable
export type InviteRow = InviteTable

/** A team of the organization that the user owns, if there is one. */
const ownedTeam = (userId: string) =>
  sql<string | null>`(select "team"."id" from "teamMember" inner join "team" on "team"."id" = "teamMember"."teamId"
    where "team"."organizationId" = "organization"."id" and "teamMember"."userId" = ${userId}
    and "teamMember"."role" = 'owner' limit 1)`.as('ownedTeam')

/** The organization as one user meets it: with their membership, if they have one, and whether they own a team. */
export const findOrganizationFor = first((b, p: { id: string; userId: string }) =>
  b
    .selectFrom('organization')
    .leftJoin('member', (join) =>
      join.onRef('member.organizationId', '=', 'organization.id').on('member.userId', '=', p.userId),
    )
    .selectAll('organization')
    .select(['member.userId as memberId', 'member.role', 'member.disabled'])
    .select([ownedTeam(p.userId), versionColumn(sql.ref('organization.id')).as('version')])
    .where('organization.id', '=', p.id),
)

export type OrganizationForUser = NonNullable<Awaited<ReturnType<typeof findOrganizationFor>>>

/** The organizations a user belongs to, each as they meet it. */
export const listOrganizationsFor = (db: Connection, userId: string, page: Page) =>
  dynamic(db, (b) =>
    b
      .selectFrom('member')
      .innerJoin('organization', 'organization.id', 'member.organizationId')
      .selectAll('organization')
      .select(['member.userId as memberId', 'member.role', 'member.disabled'])
      .select(ownedTeam(userId))
      .where('member.userId', '=', userId)
      .where('member.disabled', '=', 0)
      .where(beyond({ key: 'organization.createdAt', id: 'organization.id' }, page))
      .orderBy('organization.createdAt', page.order)
      .orderBy('organization.id', page.order)
      .limit(page.limit),
  )

const membershipCount = first((b, p: { userId: string }) =>
  b.selectFrom('member').select(countAll).where('userId', '=', p.userId).where('disabled', '=', 0),
)

export const countOrganizationsFor = async (db: Connection, userId: string): Promise<number> =>
  (await membershipCount(db, { userId }))?.count ?? 0

export const anyOrganization = first((b) => b.selectFrom('organization').selectAll().orderBy('createdAt').limit(1))

export const findOrganization = first((b, p: { id: string }) =>
  b.selectFrom('organization').selectAll().where('id', '=', p.id),
)

export const findOrganizationByHostname = first((b, p: { hostname: string }) =>
  b.selectFrom('organization').selectAll().where('hostname', '=', p.hostname),
)

export const organizationsForDomain = all((b, p: { domain: string; userId: string }) =>
  b
    .selectFrom('emailDomain')
    .innerJoin('organization', 'organization.id', 'emailDomain.organizationId')
    .leftJoin('member', (join) =>
      join.onRef('member.organizationId', '=', 'organization.id').on('member.userId', '=', p.userId),
    )
    .selectAll('organization')
    .select(['member.userId as memberId', 'member.role', 'member.disabled'])
    .select(ownedTeam(p.userId))
    .where('emailDomain.domain', '=', p.domain)
    .orderBy('organization.createdAt')
    .limit(1000),
)

export const insertOrganization = inserter('organization')

export const updateOrganization = updater('organization')

const forgetDomains = run((b, p: { organizationId: string }) =>
  b.deleteFrom('emailDomain').where('organizationId', '=', p.organizationId),
)
const insertDomain = run((b, p: { organizationId: string; domain: string }) =>
  b
    .insertInto('emailDomain')
    .values({ organizationId: p.organizationId, domain: p.domain })
    .onConflict((oc) => oc.doNothing()),
)

export async function replaceDomains(tx: Connection, organizationId: string, domains: readonly string[]) {
  await forgetDomains(tx, { organizationId })
  for (const domain of domains) await insertDomain(tx, { organizationId, domain })
}

export const findInvite = first((b, p: { id: string }) => b.selectFrom('invite').selectAll().where('id', '=', p.id))

export const insertInvite = inserter('invite')

export const updateInvite = updater('invite')

export const deleteInvite = run((b, p: { id: string; organizationId: string }) =>
  b.deleteFrom('invite').where('id', '=', p.id).where('organizationId', '=', p.organizationId),
)

const invites = listedBy('invite', 'organizationId')
export const listInvites = invites.list
export const countInvites = invites.count
