/** Members of organizations: who they are and their role. */
import { sql } from 'kysely'
import type { Role } from '../../core/permissions.ts'
import { containsPattern, fold } from '../../core/text.ts'
import type { Connection } from '../database.ts'
import { beyond, countAll, type Order, type Page, type PageValues, pageIn, pageValues } from '../paging.ts'
import { all, type Builder, dynamic, dynamicRun, first, formed, oneOf, run } from '../query.ts'
import type { MemberTable } from '../tables.ts'

/** A member with the account behind it and in how many teams they are. */
const memberRows = (b: Builder) =>
  b
    .selectFrom('member')
    .innerJoin('user', 'user.id', 'member.userId')
    .select([
      'member.organizationId',
      'member.userId',
      'member.role',
      'member.disabled',
      'member.sso',
      'member.joinedAt',
      'member.lastSeenAt',
      'user.displayName',
      'user.email',
      'user.photoURL',
    ])
    .select((eb) => [
      eb
        .selectFrom('teamMember')
        .innerJoin('team', 'team.id', 'teamMember.teamId')
        .whereRef('teamMember.userId', '=', 'member.userId')
        .whereRef('team.organizationId', '=', 'member.organizationId')
        .select(countAll)
        .as('teams'),
    ])

export type MemberRow = Awaited<ReturnType<typeof membersByIds>>[number]

export const findMember = first((b, p: { organizationId: string; userId: string }) =>
  memberRows(b).where('member.organizationId', '=', p.organizationId).where('member.userId', '=', p.userId),
)

/** Only the membership itself: what a permission check needs. */
export const findMembership = first((b, p: { organizationId: string; userId: string }) =>
  b.selectFrom('member').selectAll().where('organizationId', '=', p.organizationId).where('userId', '=', p.userId),
)

const membersIn = all((b, p: { organizationId: string; ids: string }, engine) =>
  memberRows(b)
    .where('member.organizationId', '=', p.organizationId)
    .where(oneOf(sql.ref('member.userId'), p.ids, engine)),
)

export const membersByIds = (db: Connection, organizationId: string, ids: readonly string[]) =>
  membersIn(db, { organizationId, ids: JSON.stringify(ids) })

/** The members among these users, given by id or e-mail. */
export const membersNamed = (db: Connection, organizationId: string, names: readonly string[]) =>
  dynamic(db, (b) =>
    b
      .selectFrom('member')
      .innerJoin('user', 'user.id', 'member.userId')
      .select(['member.userId', 'user.email'])
      .where('member.organizationId', '=', organizationId)
      .where((eb) =>
        eb.or([
          oneOf(sql.ref('member.userId'), JSON.stringify(names), db.engine),
          oneOf(sql.ref('user.email'), JSON.stringify(names.map((name) => name.toLowerCase())), db.engine),
        ]),
      ),
  )

export interface MemberFilter {
  organizationId: string
  role?: Role | 'guest' | undefined
  search?: string | undefined
  sort: 'joinedAt' | 'lastSeenAt' | 'name'
}

const sortColumn = { joinedAt: 'member.joinedAt', lastSeenAt: 'member.lastSeenAt', name: 'user.folded' } as const

/** The value a member is sorted by, for the page token. */
export const memberSortKey = (
  row: { joinedAt: string; lastSeenAt: string | null; displayName: string; email: string },
  sort: MemberFilter['sort'],
): string => {
  if (sort === 'joinedAt') return row.joinedAt
  if (sort === 'lastSeenAt') return row.lastSeenAt ?? ''
  return fold(`${row.displayName}\n${row.email}`)
}

/** Which of the filters are given. */
interface Form {
  role: 'any' | 'guest' | 'named'
  search: boolean
  sort: MemberFilter['sort']
}

interface Values {
  organizationId: string
  role: string | undefined
  pattern: string
}

const formOf = ({ role, search, sort }: MemberFilter): Form => ({
  role: role === undefined ? 'any' : role === 'guest' ? 'guest' : 'named',
  search: Boolean(search),
  sort,
})

const valuesOf = ({ organizationId, role, search }: MemberFilter): Values => ({
  organizationId,
  role,
  pattern: search ? containsPattern(fold(search)) : '',
})

const filtered = <T extends ReturnType<typeof memberRows>>(query: T, p: Values, form: Form): T => {
  let q = query.where('member.organizationId', '=', p.organizationId) as T
  if (form.role === 'guest') q = q.where('member.role', 'is', null) as T
  else if (form.role === 'named') q = q.where('member.role', '=', p.role as Role) as T
  if (form.search) q = q.where(sql<boolean>`${sql.ref('user.folded')} like ${p.pattern} escape '\\'`) as T
  if (form.sort === 'lastSeenAt') q = q.where('member.lastSeenAt', 'is not', null) as T
  return q
}

const membersOf = formed((b, p: Values & PageValues, _engine, form: Form & { order: Order }) => {
  const key = sortColumn[form.sort]
  return filtered(memberRows(b), p, form)
    .where(beyond({ key, id: 'member.userId' }, pageIn(p, form.order)))
    .orderBy(key, form.order)
    .orderBy('member.userId', form.order)
    .limit(sql<number>`${p.limit}`)
})

export const listMembers = (db: Connection, filter: MemberFilter, page: Page) =>
  membersOf(db, { ...formOf(filter), order: page.order }, { ...valuesOf(filter), ...pageValues(page) })

const memberCount = formed((b, p: Values, _engine, form: Form) => {
  // The same filters over the bare tables. Accounts are joined only where they are looked into: then an index can count.
  const members = b.selectFrom('member')
  const rows = form.search ? members.innerJoin('user', 'user.id', 'member.userId') : members
  return filtered(rows as unknown as ReturnType<typeof memberRows>, p, form)
    .clearSelect()
    .select(countAll)
})

export const countMembers = async (db: Connection, filter: MemberFilter): Promise<number> =>
  (await memberCount(db, formOf(filter), valuesOf(filter)))[0]?.count ?? 0

const adminCount = first((b, p: { organizationId: string; except: string }) =>
  b
    .selectFrom('member')
    .select(countAll)
    .where('organizationId', '=', p.organizationId)
    .where('role', '=', 'admin')
    .where('disabled', '=', 0)
    .where('userId', '!=', p.except),
)

/** How many admins would be left without this one. */
export const countOtherAdmins = async (db: Connection, organizationId: string, except: string): Promise<number> =>
  (await adminCount(db, { organizationId, except }))?.count ?? 0

const insert = run((b, p: MemberTable) =>
  b
    .insertInto('member')
    .values({
      organizationId: p.organizationId,
      userId: p.userId,
      role: p.role,
      disabled: p.disabled,
      sso: p.sso,
      joinedAt: p.joinedAt,
      lastSeenAt: p.lastSeenAt,
    })
    .onConflict((oc) => oc.doNothing()),
)

/** Makes someone a member; false when they already were, and then nothing changes. */
export const insertMember = async (
  tx: Connection,
  member: { organizationId: string; userId: string; role: Role | null; sso?: boolean; joinedAt: string },
): Promise<boolean> => (await insert(tx, { ...member, sso: member.sso ? 1 : 0, disabled: 0, lastSeenAt: null })) > 0

export const updateMember = (
  tx: Connection,
  { organizationId, userId }: { organizationId: string; userId: string },
  change: Partial<Pick<MemberTable, 'role' | 'sso' | 'disabled' | 'lastSeenAt'>>,
) =>
  dynamicRun(tx, (b) =>
    b.updateTable('member').set(change).where('organizationId', '=', organizationId).where('userId', '=', userId),
  )

const remove = run((b, p: { organizationId: string; userId: string }) =>
  b.deleteFrom('member').where('organizationId', '=', p.organizationId).where('userId', '=', p.userId),
)
const leaveTeams = run((b, p: { organizationId: string; userId: string }) =>
  b
    .deleteFrom('teamMember')
    .where('userId', '=', p.userId)
    .where('teamId', 'in', (eb) => eb.selectFrom('team').select('id').where('organizationId', '=', p.organizationId)),
)
const loseGrants = run((b, p: { organizationId: string; userId: string }) =>
  b
    .deleteFrom('accessGrant')
    .where('subjectKind', '=', 'user')
    .where('subjectId', '=', p.userId)
    .where('organizationId', '=', p.organizationId),
)

/** Ends a membership with all that came with it: teams and grants do not wait for the person to come back. */
export async function deleteMember(tx: Connection, key: { organizationId: string; userId: string }): Promise<void> {
  await leaveTeams(tx, key)
  await loseGrants(tx, key)
  await remove(tx, key)
}

/** Any organization that somebody is an admin of. */
export const anyAdministered = first((b, p: { userId: string }) =>
  b
    .selectFrom('member')
    .select('organizationId')
    .where('userId', '=', p.userId)
    .where('role', '=', 'admin')
    .where('disabled', '=', 0)
    .limit(1),
)

/** The organizations someone is a member of. */
export const organizationIdsOf = all((b, p: { userId: string }) =>
  b.selectFrom('member').select('organizationId').where('userId', '=', p.userId).where('disabled', '=', 0),
)
