/** Sites with their sections, groups and spaces. */
import { type RawBuilder, sql } from 'kysely'
import { containsPattern, fold } from '../../core/text.ts'
import type { Connection, EngineName } from '../database.ts'
import { beyond, countAll, type Page } from '../paging.ts'
import { all, asJson, type Builder, dynamic, dynamicRun, first, inserter, oneOf, run, updater } from '../query.ts'
import type { SiteSectionGroupTable, SiteSectionTable, SiteSpaceTable, SiteTable } from '../tables.ts'

export type SiteRow = SiteTable
export type GroupRow = SiteSectionGroupTable
export type SectionRow = Omit<SiteSectionTable, 'isDefault'> & { isDefault: boolean }
export type SiteSpaceRow = Omit<SiteSpaceTable, 'isDefault'> & { isDefault: boolean }

export const findSite = first((b, p: { id: string }) => b.selectFrom('site').selectAll().where('id', '=', p.id))
export const findSiteByProxy = (db: Connection, proxies: readonly string[]): Promise<SiteRow[]> =>
  dynamic(db, (b) =>
    b
      .selectFrom('site')
      .selectAll()
      .where(oneOf(sql.ref('proxy'), JSON.stringify(proxies), db.engine))
      .limit(100),
  )
export const findSiteByBasename = first((b, p: { basename: string }) =>
  b.selectFrom('site').selectAll().where('basename', '=', p.basename),
)
export const findSiteByHostname = first((b, p: { hostname: string }) =>
  b.selectFrom('site').selectAll().where('hostname', '=', p.hostname),
)

/** The sites that ask for a host name and have not proved it. */
export const findSitesClaiming = all((b, p: { hostname: string }) =>
  b.selectFrom('site').selectAll().where('claimedHostname', '=', p.hostname).orderBy('claimedAt').limit(100),
)

export const dropClaimsBefore = run((b, p: { oldest: string }) =>
  b.updateTable('site').set({ claimedHostname: null, claimedAt: null }).where('claimedAt', '<', p.oldest),
)

export const insertSite = inserter('site')
export const updateSite = updater('site')
export const deleteSite = run((b, p: { id: string }) => b.deleteFrom('site').where('id', '=', p.id))

export interface SiteFilter {
  organizationId: string
  space?: string | undefined
  title?: string | undefined
  published?: boolean | undefined
  types?: readonly string[] | undefined
  /** Only these, for callers who do not see all. */
  ids?: readonly string[] | undefined
}

const filtered = (db: Connection, b: Builder, filter: SiteFilter) => {
  let q = b.selectFrom('site').where('organizationId', '=', filter.organizationId)
  const { space, title, published, types, ids } = filter
  if (space !== undefined) {
    q = q.where('id', 'in', (eb) => eb.selectFrom('siteSpace').select('siteId').where('spaceId', '=', space))
  }
  if (title) q = q.where(sql<boolean>`${sql.ref('folded')} like ${containsPattern(fold(title))} escape '\\'`)
  if (published !== undefined) q = q.where('published', '=', published ? 1 : 0)
  if (types) q = q.where(oneOf(sql.ref('type'), JSON.stringify(types), db.engine))
  if (ids) q = q.where(oneOf(sql.ref('id'), JSON.stringify(ids), db.engine))
  return q
}

export const listSites = (db: Connection, filter: SiteFilter, page: Page): Promise<SiteRow[]> =>
  dynamic(db, (b) =>
    filtered(db, b, filter)
      .selectAll()
      .where(beyond({ key: 'createdAt', id: 'id' }, page))
      .orderBy('createdAt', page.order)
      .orderBy('id', page.order)
      .limit(page.limit),
  )

export async function countSites(db: Connection, filter: SiteFilter): Promise<number> {
  const rows = await dynamic(db, (b) => filtered(db, b, filter).select(countAll))
  return rows[0]?.count ?? 0
}

export const findGroup = first((b, p: { id: string }) =>
  b.selectFrom('siteSectionGroup').selectAll().where('id', '=', p.id),
)
const sectionById = first((b, p: { id: string }) => b.selectFrom('siteSection').selectAll().where('id', '=', p.id))
export const findSection = async (db: Connection, p: { id: string }): Promise<SectionRow | undefined> => {
  const row = await sectionById(db, p)
  return row && flagged(row)
}
// The place of a deleted space is kept, and not there for anyone until the space comes back.
const siteSpaceById = first((b, p: { id: string }) =>
  b
    .selectFrom('siteSpace')
    .innerJoin('space', 'space.id', 'siteSpace.spaceId')
    .selectAll('siteSpace')
    .where('siteSpace.id', '=', p.id)
    .where('space.deletedAt', 'is', null),
)
export const findSiteSpace = async (db: Connection, p: { id: string }): Promise<SiteSpaceRow | undefined> => {
  const row = await siteSpaceById(db, p)
  return row && flagged(row)
}

const groupsOf = all((b, p: { siteId: string }) =>
  b.selectFrom('siteSectionGroup').selectAll().where('siteId', '=', p.siteId),
)
const sectionsOf = all((b, p: { siteId: string }) =>
  b.selectFrom('siteSection').selectAll().where('siteId', '=', p.siteId),
)
const siteSpacesOf = all((b, p: { siteId: string }) =>
  b.selectFrom('siteSpace').selectAll().where('siteId', '=', p.siteId),
)

/** What a site is made of, also the places of spaces that are deleted and may come back. */
export const findParts = async (db: Connection, siteId: string): Promise<SiteParts> => ({
  groups: await groupsOf(db, { siteId }),
  sections: (await sectionsOf(db, { siteId })).map(flagged),
  spaces: (await siteSpacesOf(db, { siteId })).map(flagged),
})

const shownSiteSpacesOf = all((b, p: { siteId: string }) =>
  b
    .selectFrom('siteSpace')
    .innerJoin('space', 'space.id', 'siteSpace.spaceId')
    .selectAll('siteSpace')
    .where('siteSpace.siteId', '=', p.siteId)
    .where('space.deletedAt', 'is', null),
)

/** What of it decides which spaces visitors find: no groups, and no places of deleted spaces. */
export const findShownParts = async (db: Connection, siteId: string): Promise<SiteParts> => ({
  groups: [],
  sections: (await sectionsOf(db, { siteId })).map(flagged),
  spaces: (await shownSiteSpacesOf(db, { siteId })).map(flagged),
})

const flagged = <T extends { isDefault: number }>({ isDefault, ...row }: T) => ({ ...row, isDefault: isDefault === 1 })

export interface SiteParts {
  groups: readonly GroupRow[]
  sections: readonly SectionRow[]
  spaces: readonly SiteSpaceRow[]
}

/** The spaces a site shows: those that are not deleted. */
export const spacesOfSite = all((b, p: { siteId: string }) =>
  b
    .selectFrom('space')
    .selectAll()
    .where('id', 'in', (eb) => eb.selectFrom('siteSpace').select('spaceId').where('siteId', '=', p.siteId))
    .where('deletedAt', 'is', null),
)

/** Writes what differs between two states of a site's navigation, and tells whether anything does. */
export async function saveParts(tx: Connection, before: SiteParts, after: SiteParts): Promise<boolean> {
  // What others point at comes before what points at it, and goes after it.
  const written =
    (await upsert(tx, 'siteSectionGroup', before.groups, after.groups)) +
    (await upsert(tx, 'siteSection', before.sections, after.sections)) +
    (await upsert(tx, 'siteSpace', before.spaces, after.spaces)) +
    (await remove(tx, 'siteSpace', before.spaces, after.spaces)) +
    (await remove(tx, 'siteSection', before.sections, after.sections)) +
    (await remove(tx, 'siteSectionGroup', before.groups, after.groups))
  return written > 0
}

type PartTable = 'siteSectionGroup' | 'siteSection' | 'siteSpace'
type PartRow = GroupRow | SectionRow | SiteSpaceRow

async function upsert(tx: Connection, table: PartTable, before: readonly PartRow[], after: readonly PartRow[]) {
  const known = new Map(before.map((row) => [row.id, row]))
  const differing = after.filter((row) => JSON.stringify(known.get(row.id)) !== JSON.stringify(row))
  for (const row of differing) {
    if (!known.has(row.id)) await dynamicRun(tx, (b) => b.insertInto(table).values(storable(row)))
    else await dynamicRun(tx, (b) => b.updateTable(table).set(storable(row)).where('id', '=', row.id))
  }
  return differing.length
}

async function remove(tx: Connection, table: PartTable, before: readonly PartRow[], after: readonly PartRow[]) {
  const present = new Set(after.map((row) => row.id))
  const gone = before.filter((row) => !present.has(row.id))
  for (const { id } of gone) await dynamicRun(tx, (b) => b.deleteFrom(table).where('id', '=', id))
  return gone.length
}

// The three tables differ; that a row goes to its own table is what `saveParts` is for.
const storable = (row: PartRow): never =>
  ('isDefault' in row ? { ...row, isDefault: row.isDefault ? 1 : 0 } : row) as never

const spaceCounts = (db: Connection, siteIds: readonly string[]) =>
  dynamic(db, (b) =>
    b
      .selectFrom('siteSpace')
      .innerJoin('space', 'space.id', 'siteSpace.spaceId')
      .select(['siteId'])
      .select(countAll)
      .where('space.deletedAt', 'is', null)
      .where(oneOf(sql.ref('siteId'), JSON.stringify(siteIds), db.engine))
      .groupBy('siteId'),
  )

export const countSiteSpaces = async (db: Connection, siteIds: readonly string[]): Promise<Map<string, number>> =>
  new Map((await spaceCounts(db, siteIds)).map((row) => [row.siteId, row.count]))

/** The published sites that show these spaces, each with the place at which it does. */
export const publishedSitesShowing = (db: Connection, spaceIds: readonly string[]) =>
  showing(db, { spaces: JSON.stringify(spaceIds) })

// Every answer that shows a space asks this, so it is compiled once like any other query.
const showing = all((b, p: { spaces: string }, engine) =>
  b
    .selectFrom('siteSpace')
    .innerJoin('site', 'site.id', 'siteSpace.siteId')
    .leftJoin('siteSection', 'siteSection.id', 'siteSpace.sectionId')
    .leftJoin('siteSection as namesake', (join) =>
      join.onRef('namesake.siteId', '=', 'siteSpace.siteId').onRef('namesake.path', '=', 'siteSpace.path'),
    )
    .select(['siteSpace.spaceId', 'siteSpace.path', 'siteSpace.isDefault'])
    .select(['siteSection.path as sectionPath', 'siteSection.isDefault as sectionIsDefault'])
    .select('namesake.path as namesake')
    .select(['site.id as siteId', 'site.visibility', 'site.basename', 'site.hostname', 'site.proxy', 'site.createdAt'])
    .where('site.published', '=', 1)
    .where(oneOf(sql.ref('siteSpace.spaceId'), p.spaces, engine))
    .orderBy('site.createdAt')
    .orderBy('siteSpace.createdAt')
    .orderBy('siteSpace.id'),
)

type Showing = Awaited<ReturnType<typeof showing>>[number]

const showingColumns: Readonly<Record<keyof Showing, string>> = {
  spaceId: 'siteSpace.spaceId',
  path: 'siteSpace.path',
  isDefault: 'siteSpace.isDefault',
  sectionPath: 'siteSection.path',
  sectionIsDefault: 'siteSection.isDefault',
  namesake: 'namesake.path',
  siteId: 'site.id',
  visibility: 'site.visibility',
  basename: 'site.basename',
  hostname: 'site.hostname',
  proxy: 'site.proxy',
  createdAt: 'site.createdAt',
}

/**
 * The same as a column beside others, of a space that they name: a statement less for whoever loads the space anyway. That there
 * are none, as of most, is found out without beginning to sort.
 */
export const sitesShowing = (spaceId: RawBuilder<unknown>, engine: EngineName) =>
  sql<string | null>`case when exists (select 1 from "siteSpace" where "siteSpace"."spaceId" = ${spaceId}) then
    (select ${asJson(showingColumns, ['site.createdAt', 'siteSpace.createdAt', 'siteSpace.id'], engine)}
    from "siteSpace" join "site" on "site"."id" = "siteSpace"."siteId"
    left join "siteSection" on "siteSection"."id" = "siteSpace"."sectionId"
    left join "siteSection" as "namesake"
      on "namesake"."siteId" = "siteSpace"."siteId" and "namesake"."path" = "siteSpace"."path"
    where "site"."published" = 1 and "siteSpace"."spaceId" = ${spaceId}) end`.as('shownOn')

/** What such a column holds. */
export const readShowing = (shownOn: string | null): Showing[] =>
  shownOn === null || shownOn === '[]' ? [] : JSON.parse(shownOn)

/** Whether any site shows one of these spaces, deleted or not. */
export const siteShowing = async (db: Connection, spaceIds: readonly string[]): Promise<boolean> =>
  (
    await dynamic(db, (b) =>
      b
        .selectFrom('siteSpace')
        .select('siteId')
        .where(oneOf(sql.ref('spaceId'), JSON.stringify(spaceIds), db.engine))
        .limit(1),
    )
  ).length > 0

export const updateSiteSpace = (tx: Connection, id: string, change: { customization: string | null }) =>
  dynamicRun(tx, (b) => b.updateTable('siteSpace').set(change).where('id', '=', id))
