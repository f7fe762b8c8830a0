/**
 * What decides a level on a space or collection: the caller's membership, the grants to them and their teams on the thing
 * and on the collections above it, and the default levels from the thing upwards.
 */
import { sql } from 'kysely'
import { contentLevel, type DefaultLevel, type Level, type Role } from '../../core/permissions.ts'
import { stampOfSpecs } from '../content/openapi.ts'
import type { Connection } from '../database.ts'
import { countAll } from '../paging.ts'
import { all, oneOf } from '../query.ts'
import { versionColumn } from '../row-versions.ts'
import { sitesShowing } from '../sites/sites.ts'
import type { AccessGrantTable } from '../tables.ts'

/** Whether a grant is the user's own or one of a team of theirs. */
const isTo = (userId: string) =>
  sql<boolean>`("accessGrant"."subjectKind" = 'user' and "accessGrant"."subjectId" = ${userId}
    or "accessGrant"."subjectKind" = 'team' and "accessGrant"."subjectId" in (select "teamId" from "teamMember" where "userId" = ${userId}))`

// One row for each grant on the thing itself, or one with none.
const spaceRows = ({ forCache }: { forCache: boolean }) =>
  all((b, p: { id: string; userId: string }, engine) =>
    b
      .selectFrom('space')
      .leftJoin('member', (join) =>
        join.onRef('member.organizationId', '=', 'space.organizationId').on('member.userId', '=', p.userId),
      )
      .leftJoin('accessGrant', (join) => join.onRef('accessGrant.thingId', '=', 'space.id').on(isTo(p.userId)))
      .selectAll('space')
      .select(['member.userId as memberId', 'member.role as memberRole', 'member.disabled as memberDisabled'])
      .select(stampOfSpecs(sql.ref('space.organizationId')))
      .select('accessGrant.role as granted')
      .$if(forCache, (query) =>
        query.select([
          sitesShowing(sql.ref('space.id'), engine),
          versionColumn(sql.ref('space.id')).as('spaceVersion'),
          versionColumn(sql.ref('space.organizationId')).as('organizationVersion'),
        ]),
      )
      .where('space.id', '=', p.id),
  )

const cacheableSpaceRows = spaceRows({ forCache: true })
const spaceRowsAlone = spaceRows({ forCache: false })

const collectionRows = all((b, p: { id: string; userId: string }) =>
  b
    .selectFrom('collection')
    .leftJoin('member', (join) =>
      join.onRef('member.organizationId', '=', 'collection.organizationId').on('member.userId', '=', p.userId),
    )
    .leftJoin('accessGrant', (join) => join.onRef('accessGrant.thingId', '=', 'collection.id').on(isTo(p.userId)))
    .selectAll('collection')
    .select(['member.userId as memberId', 'member.role as memberRole', 'member.disabled as memberDisabled'])
    .select('accessGrant.role as granted')
    .where('collection.id', '=', p.id),
)

/**
 * A space with the caller's membership and the grants to them on it, in one statement; one that is kept also with the sites that
 * show it, for whoever shows its address, and with the versions of the rows it came from.
 */
export const findSpaceFor = async (db: Connection, p: { id: string; userId: string }, form: { forCache: boolean }) =>
  withGrants(await (form.forCache ? cacheableSpaceRows : spaceRowsAlone)(db, p))

export const findCollectionFor = async (db: Connection, p: { id: string; userId: string }) =>
  withGrants(await collectionRows(db, p))

function withGrants<Row extends { granted: Grant | null }>(rows: Row[]): (Row & Grants) | undefined {
  const [row] = rows
  if (!row) return undefined
  const grants: Grant[] = []
  for (const { granted } of rows) if (granted !== null) grants.push(granted)
  return Object.assign(row, { grants })
}

type Grant = AccessGrantTable['role']

/** The roles given to the caller and to their teams on the thing itself. */
export interface Grants {
  grants: Grant[]
}

export interface Membership {
  memberId: string | null
  memberRole: Role | null
  memberDisabled: number | null
}

// The thing itself and every collection above it, each with the caller's grants on it.
const chain = all((b, p: { id: string; parent: string | null; userId: string }) =>
  b
    .withRecursive('above(id, parentId, defaultLevel, depth)', (db) =>
      db
        .selectFrom('collection')
        .select(['id', 'parentId', 'defaultLevel', sql<number>`1`.as('depth')])
        .where('id', '=', p.parent)
        .unionAll(
          db
            .selectFrom('collection')
            .innerJoin('above', 'above.parentId', 'collection.id')
            .select([
              'collection.id',
              'collection.parentId',
              'collection.defaultLevel',
              sql<number>`above.depth + 1`.as('depth'),
            ]),
        ),
    )
    .selectFrom('above')
    .leftJoin('accessGrant', (join) => join.onRef('accessGrant.thingId', '=', 'above.id').on(isTo(p.userId)))
    .select(['above.defaultLevel', 'above.depth', 'accessGrant.role'])
    .orderBy('above.depth'),
)

/** The roles given to a user and to their teams on one thing. */
export const directGrants = all((b, p: { id: string; userId: string }) =>
  b.selectFrom('accessGrant').select('role').where('thingId', '=', p.id).where(isTo(p.userId)),
)

type Placed = { id: string; parentId: string | null; defaultLevel: DefaultLevel } & Membership & Grants

/**
 * The caller's level on a space or collection of an organization they may or may not belong to. Not always a promise: only what
 * stands in a collection has to be asked for.
 */
export function levelOn(db: Connection, thing: Placed, userId: string): Level | Promise<Level> {
  if (thing.memberId === null || thing.memberDisabled === 1) return 'none'
  if (thing.memberRole === 'admin') return 'admin'
  if (thing.parentId !== null) return levelBelow(db, thing, { parent: thing.parentId, userId })
  return contentLevel({ role: thing.memberRole, grants: thing.grants, defaults: [thing.defaultLevel] })
}

async function levelBelow(db: Connection, thing: Placed, chained: { parent: string; userId: string }): Promise<Level> {
  const grants = [...thing.grants]
  const defaults: DefaultLevel[] = [thing.defaultLevel]
  for (const row of await chain(db, { id: thing.id, ...chained })) {
    if (defaults.length < row.depth + 1) defaults.push(row.defaultLevel)
    if (row.role !== null) grants.push(row.role)
  }
  return contentLevel({ role: thing.memberRole, grants, defaults })
}

/**
 * Everything that decides which spaces and collections of an organization a member sees, in two statements:
 * its collections, and the member's grants in it.
 */
export const collectionsOf = all((b, p: { organizationId: string }) =>
  b.selectFrom('collection').selectAll().where('organizationId', '=', p.organizationId).orderBy('rank').orderBy('id'),
)

export const grantsOf = all((b, p: { organizationId: string; userId: string }) =>
  b
    .selectFrom('accessGrant')
    .select(['thingKind', 'thingId', 'role'])
    .where('organizationId', '=', p.organizationId)
    .where(isTo(p.userId)),
)

const noText = sql<string | null>`cast(null as text)`

/**
 * What decides how many spaces each of some users reaches, in one statement: how many spaces stand under each parent with each default
 * level (`spaces`), the collections, and what was given to each user or to a team of theirs; a space that was given comes with its place.
 */
export const reachOf = all((b, p: { organizationId: string; userIds: string }, engine) => {
  const spaces = b
    .selectFrom('space')
    .select([
      sql<'spaces' | 'collection' | 'granted space' | 'granted collection'>`'spaces'`.as('kind'),
      noText.as('userId'),
      noText.as('id'),
      'space.parentId',
      'space.defaultLevel',
      countAll,
    ])
    .where('space.organizationId', '=', p.organizationId)
    .where('space.deletedAt', 'is', null)
    .groupBy(['space.parentId', 'space.defaultLevel'])
  const collections = b
    .selectFrom('collection')
    .select([
      sql<'collection'>`'collection'`.as('kind'),
      noText.as('userId'),
      'collection.id',
      'collection.parentId',
      'collection.defaultLevel',
      sql<number>`0`.as('count'),
    ])
    .where('collection.organizationId', '=', p.organizationId)
  const given = (userId: 'accessGrant.subjectId' | 'teamMember.userId') =>
    b
      .selectFrom('accessGrant')
      .leftJoin('teamMember', (join) =>
        join.onRef('teamMember.teamId', '=', 'accessGrant.subjectId').on('accessGrant.subjectKind', '=', 'team'),
      )
      .leftJoin('space', (join) => join.onRef('space.id', '=', 'accessGrant.thingId').on('space.deletedAt', 'is', null))
      .select([
        sql<'granted space' | 'granted collection'>`'granted ' || "accessGrant"."thingKind"`.as('kind'),
        `${userId} as userId`,
        'accessGrant.thingId as id',
        'space.parentId',
        'space.defaultLevel',
        sql<number>`0`.as('count'),
      ])
      .where('accessGrant.organizationId', '=', p.organizationId)
      .where('accessGrant.subjectKind', '=', userId === 'teamMember.userId' ? 'team' : 'user')
      .where(oneOf(sql.ref(userId), p.userIds, engine))
      .where((eb) => eb.or([eb('accessGrant.thingKind', '=', 'collection'), eb('space.id', 'is not', null)]))
  return spaces.unionAll(collections).unionAll(given('accessGrant.subjectId')).unionAll(given('teamMember.userId'))
})
