/** Spaces and collections: where they stand, what they are called, who they are shared with. */
import { sql } from 'kysely'
import type { Connection } from '../database.ts'
import { beyond, countAll, type Page } from '../paging.ts'
import { all, dynamic, elementsOf, first, inserter, oneOf, run, updater } from '../query.ts'
import type { CollectionTable, SpaceTable } from '../tables.ts'
import { stampOfSpecs } from './openapi.ts'

export type SpaceRow = SpaceTable
export type CollectionRow = CollectionTable

export const findSpace = first((b, p: { id: string }) => b.selectFrom('space').selectAll().where('id', '=', p.id))

/** Spaces with the stamp of their organization's specs. */
export const spacesByIds = (db: Connection, ids: readonly string[]) => spacesIn(db, { ids: JSON.stringify(ids) })

const spacesIn = all((b, p: { ids: string }, engine) =>
  b
    .selectFrom('space')
    .selectAll('space')
    .select(stampOfSpecs(sql.ref('space.organizationId')))
    .where(oneOf(sql.ref('space.id'), p.ids, engine)),
)

export const findCollection = first((b, p: { id: string }) =>
  b.selectFrom('collection').selectAll().where('id', '=', p.id),
)

export const insertSpace = inserter('space')
export const updateSpace = updater('space')

export const insertCollection = inserter('collection')
export const updateCollection = updater('collection')
export const deleteCollection = run((b, p: { id: string }) => b.deleteFrom('collection').where('id', '=', p.id))

/** What a list of spaces is narrowed to: everything, or what a member may see (worked out by the domain). */
export interface SpaceFilter {
  organizationId: string
  /** Only in this collection (null: at the root); undefined: anywhere. */
  parent?: string | null | undefined
  /** Those in the trash instead of the others. */
  deleted?: boolean
  /**
   * Undefined: all. Else spaces that have a default level (`byDefault`), that inherit below `inheritUnder` ('' is the
   * root), that stand anywhere below `anyUnder`, or that are listed.
   */
  visible?:
    | { byDefault: boolean; inheritUnder: readonly string[]; anyUnder: readonly string[]; ids: readonly string[] }
    | undefined
}

const where = (db: Connection, filter: SpaceFilter) => {
  const deleted = filter.deleted ? sql<boolean>`"deletedAt" is not null` : sql<boolean>`"deletedAt" is null`
  const parts = [sql<boolean>`"organizationId" = ${filter.organizationId}`, deleted]
  if (filter.parent !== undefined) {
    parts.push(filter.parent === null ? sql<boolean>`"parentId" is null` : sql<boolean>`"parentId" = ${filter.parent}`)
  }
  if (filter.visible) {
    const under = (parents: readonly string[]) =>
      oneOf(sql`coalesce("parentId", '')`, JSON.stringify(parents), db.engine)
    const { byDefault, inheritUnder, anyUnder, ids } = filter.visible
    const inherits = sql<boolean>`("defaultLevel" = 'inherit' and ${under(inheritUnder)})`
    const open = byDefault
      ? sql<boolean>`("defaultLevel" is not null and "defaultLevel" <> 'inherit')`
      : sql<boolean>`1 = 0`
    const listed = oneOf(sql.ref('id'), JSON.stringify(ids), db.engine)
    parts.push(sql<boolean>`(${inherits} or ${open} or ${under(anyUnder)} or ${listed})`)
  }
  return sql<boolean>`${sql.join(parts, sql` and `)}`
}

/** Spaces in the order in which they were made. */
export const listSpaces = (db: Connection, filter: SpaceFilter, page: Page): Promise<SpaceRow[]> =>
  dynamic(db, (b) =>
    b
      .selectFrom('space')
      .selectAll()
      .where(where(db, filter))
      .where(beyond({ key: 'createdAt', id: 'id' }, page))
      .orderBy('createdAt', page.order)
      .orderBy('id', page.order)
      .limit(page.limit),
  )

/** Spaces of one parent in the order in which people put them. */
export const listSpacesByRank = (db: Connection, filter: SpaceFilter, page: Page): Promise<SpaceRow[]> =>
  dynamic(db, (b) =>
    b
      .selectFrom('space')
      .selectAll()
      .where(where(db, filter))
      .where(beyond({ key: 'rank', id: 'id' }, page))
      .orderBy('rank', page.order)
      .orderBy('id', page.order)
      .limit(page.limit),
  )

export async function countSpaces(db: Connection, filter: SpaceFilter): Promise<number> {
  const rows = await dynamic(db, (b) => b.selectFrom('space').select(countAll).where(where(db, filter)))
  return rows[0]?.count ?? 0
}

export const spaceIds = (db: Connection, filter: SpaceFilter): Promise<{ id: string; title: string }[]> =>
  dynamic(db, (b) => b.selectFrom('space').select(['id', 'title']).where(where(db, filter)).limit(10_000))

/** All that are not deleted, whoever may see them. */
export const spaceIdsOf = all((b, p: { organizationId: string }) =>
  b
    .selectFrom('space')
    .select('id')
    .where('organizationId', '=', p.organizationId)
    .where('deletedAt', 'is', null)
    .orderBy('id'),
)

const spaceRanks = all((b, p: { organizationId: string; parent: string }) =>
  b
    .selectFrom('space')
    .select(['id', 'rank'])
    .where('organizationId', '=', p.organizationId)
    .where(sql<boolean>`coalesce("parentId", '') = ${p.parent}`)
    .where('deletedAt', 'is', null),
)
const collectionRanks = all((b, p: { organizationId: string; parent: string }) =>
  b
    .selectFrom('collection')
    .select(['id', 'rank'])
    .where('organizationId', '=', p.organizationId)
    .where(sql<boolean>`coalesce("parentId", '') = ${p.parent}`),
)

/** Where something stands among its siblings. */
export interface Ranked {
  id: string
  rank: string
}

/** Spaces and collections of one parent stand in one order: each with its rank. */
export async function siblingsIn(
  db: Connection,
  { organizationId, parent }: { organizationId: string; parent: string | null },
): Promise<Ranked[]> {
  const key = { organizationId, parent: parent ?? '' }
  return inOrder([...(await spaceRanks(db, key)), ...(await collectionRanks(db, key))])
}

/** All that stands directly in a collection, spaces in the trash among it. */
export async function childrenOf(
  db: Connection,
  { organizationId, parent }: { organizationId: string; parent: string },
): Promise<Ranked[]> {
  const spaces = await spacesWithin(db, { organizationId, parents: [parent] })
  return inOrder([...spaces, ...(await collectionRanks(db, { organizationId, parent }))])
}

const inOrder = (rows: Ranked[]): Ranked[] =>
  rows.sort((a, b) => (a.rank === b.rank ? (a.id < b.id ? -1 : 1) : a.rank < b.rank ? -1 : 1))

/** Spaces and collections get the ranks that stand beside their ids. */
export async function setRanks(tx: Connection, ranks: readonly Ranked[]): Promise<void> {
  await rankSpaces(tx, { ranks: JSON.stringify(ranks) })
  await rankCollections(tx, { ranks: JSON.stringify(ranks) })
}
const rankSpaces = ranker('space')
const rankCollections = ranker('collection')

function ranker(table: 'space' | 'collection') {
  return run((b, p: { ranks: string }, engine) =>
    b
      .updateTable(table)
      .from(elementsOf(p.ranks, engine).as('given'))
      .set({ rank: sql<string>`"given"."value" ->> 'rank'` })
      .where(sql<boolean>`${sql.ref(`${table}.id`)} = "given"."value" ->> 'id'`),
  )
}

/** What a collection holds moves up to its parent; what inherits the collection's level gets it for its own. */
export const raiseSpaces = raiser('space')
export const raiseCollections = raiser('collection')

function raiser(table: 'space' | 'collection') {
  return run((b, p: { from: string; to: string | null; level: SpaceRow['defaultLevel'] }) =>
    b
      .updateTable(table)
      .set({
        parentId: p.to,
        defaultLevel: sql<
          SpaceRow['defaultLevel']
        >`case when "defaultLevel" = 'inherit' then ${p.level} else "defaultLevel" end`,
      })
      .where('parentId', '=', p.from),
  )
}

const placedSpaces = all((b, p: { organizationId: string; parents: string }, engine) =>
  b
    .selectFrom('space')
    .select(['id', 'parentId', 'rank', 'defaultLevel', 'deletedAt'])
    .where('organizationId', '=', p.organizationId)
    .where(oneOf(sql.ref('parentId'), p.parents, engine)),
)

export type PlacedSpace = Awaited<ReturnType<typeof placedSpaces>>[number]

/** What stands directly in some collections of an organization, in the trash or not. */
export const spacesWithin = (
  db: Connection,
  { organizationId, parents }: { organizationId: string; parents: readonly string[] },
): Promise<PlacedSpace[]> => placedSpaces(db, { organizationId, parents: JSON.stringify(parents) })

/** They belong to another organization from now on. */
export const giveSpaces = giver('space')
export const giveCollections = giver('collection')

function giver(table: 'space' | 'collection') {
  const give = run((b, p: { ids: string; organizationId: string }, engine) =>
    b
      .updateTable(table)
      .set({ organizationId: p.organizationId })
      .where(oneOf(sql.ref('id'), p.ids, engine)),
  )
  return (tx: Connection, { ids, organizationId }: { ids: readonly string[]; organizationId: string }) =>
    give(tx, { ids: JSON.stringify(ids), organizationId })
}
