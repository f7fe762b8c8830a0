/** The references in the pages of a space's main content, kept in step with it for the pages that change. */
import { sql } from 'kysely'
import type { Connection } from '../database.ts'
import { beyond, countAll, type Page } from '../paging.ts'
import { all, dynamic, first, oneOf } from '../query.ts'
import type { LinkTable } from '../tables.ts'
import { withRef } from './link-refs.ts'
import { insertLinkRows, removeLinkRows, removeLinksAt } from './link-rows.ts'

export type LinkRow = LinkTable
export type LinkStatus = LinkTable['status']

/** Takes the links of pages away. */
export async function forgetLinks(tx: Connection, spaceId: string, pageIds: readonly string[]): Promise<void> {
  for (let i = 0; i < pageIds.length; i += 200) await removeLinkRows(tx, spaceId, pageIds.slice(i, i + 200))
}

/** Puts the links of pages in the place of those they had (`known`: pages that had some), and writes only what is another. */
export async function replaceLinks(
  tx: Connection,
  spaceId: string,
  { known, rows }: { known: readonly string[]; rows: readonly LinkRow[] },
): Promise<void> {
  const gone = new Map<string, LinkRow>()
  if (known.length > 0)
    for (const row of await rowsOfPages(tx, { spaceId, pageIds: JSON.stringify(known) })) gone.set(positionOf(row), row)
  const fresh = rows.filter((row) => {
    const stored = gone.get(positionOf(row))
    if (stored === undefined || factsOf(withRef(stored)) !== factsOf(row)) return true
    gone.delete(positionOf(row))
    return false
  })
  if (gone.size > 0) await removeLinksAt(tx, spaceId, [...gone.values()])
  await insertLinkRows(tx, spaceId, fresh)
}

const positionOf = ({ pageId, position }: LinkRow): string => `${position} ${pageId}`
const factsOf = ({ nodeKey, kind, target, ref, status }: LinkRow): string =>
  JSON.stringify([nodeKey, kind, target.toWellFormed(), ref, status])

const rowsOfPages = all((b, p: { spaceId: string; pageIds: string }, engine) =>
  b
    .selectFrom('everyLink')
    .selectAll()
    .where('spaceId', '=', p.spaceId)
    .where(oneOf(sql.ref('pageId'), p.pageIds, engine)),
)

/** Links to things that came or went. */
export async function linksTo(db: Connection, spaceId: string, targets: readonly string[]): Promise<LinkRow[]> {
  if (targets.length === 0) return []
  const rows = await dynamic(db, (b) =>
    b
      .selectFrom('everyLink')
      .selectAll()
      .where('spaceId', '=', spaceId)
      .where('kind', 'in', ['page', 'anchor', 'file', 'reusable-content'])
      .where(oneOf(sql.ref('target'), JSON.stringify(targets), db.engine)),
  )
  return rows.map(withRef)
}

/** The pages of a space whose blocks show specs: by name, or one of these addresses or files. */
export async function pagesWithSpecs(
  db: Connection,
  spaceId: string,
  { urls, files }: { urls: readonly string[]; files: readonly string[] },
): Promise<string[]> {
  const rows = await dynamic(db, (b) =>
    b
      .selectFrom('everyLink')
      .select('pageId')
      .distinct()
      .where('spaceId', '=', spaceId)
      .where((eb) =>
        eb.or([
          eb('kind', '=', 'openapi'),
          eb.and([eb('kind', '=', 'url'), oneOf(sql.ref('target'), JSON.stringify(urls), db.engine)]),
          eb.and([eb('kind', '=', 'file'), oneOf(sql.ref('target'), JSON.stringify(files), db.engine)]),
        ]),
      ),
  )
  return rows.map(({ pageId }) => pageId)
}

/** The files that pages of a space refer to. */
export const filesLinkedIn = all((b, p: { spaceId: string }) =>
  b.selectFrom('everyLink').select('target').distinct().where('spaceId', '=', p.spaceId).where('kind', '=', 'file'),
)

/** Whether a page of the organization refers to the address. */
export const isNamedUrl = async (db: Connection, p: { organizationId: string; url: string }): Promise<boolean> =>
  (await linkToUrl(db, p)) !== undefined
const linkToUrl = first((b, p: { organizationId: string; url: string }) =>
  b
    .selectFrom('everyLink')
    .select('pageId')
    .where('spaceId', 'in', (eb) => eb.selectFrom('space').select('id').where('organizationId', '=', p.organizationId))
    .where('kind', '=', 'url')
    .where('target', '=', p.url)
    .limit(1),
)

const rowsOfSpace = all((b, p: { spaceId: string }) =>
  b.selectFrom('everyLink').selectAll().where('spaceId', '=', p.spaceId),
)

export const linksOfSpace = async (db: Connection, space: { spaceId: string }): Promise<LinkRow[]> =>
  (await rowsOfSpace(db, space)).map(withRef)

export interface LinkFilter {
  spaceId: string
  pageId?: string | undefined
  status?: LinkStatus | undefined
}

export interface LinkTarget {
  kind: string
  target: string
  status: LinkStatus
  ref: string
}

/** Which anchor of its target a link leads to, if it leads to one. */
const anchor = sql<string>`case when "kind" = 'anchor' then ' ' || "ref" else '' end`

/** What is linked to, each once, and each anchor of a page by itself: the unit in which links are listed. */
export async function listTargets(
  db: Connection,
  filter: LinkFilter,
  page: Page,
): Promise<(LinkTarget & { key: string })[]> {
  const rows = await dynamic(db, (b) =>
    b
      .selectFrom(
        b
          .selectFrom(viewFor(filter))
          .select(['kind', 'target', 'status'])
          .select((eb) => [
            eb.fn.min<string>('ref').as('ref'),
            sql<string>`"kind" || ' ' || "target" || ${anchor}`.as('key'),
          ])
          .where('spaceId', '=', filter.spaceId)
          .$if(filter.pageId !== undefined, (q) => q.where('pageId', '=', filter.pageId as string))
          .$if(filter.status !== undefined, (q) => q.where('status', '=', filter.status as LinkStatus))
          .groupBy(['kind', 'target', 'status', anchor])
          .as('t'),
      )
      .selectAll()
      .where(beyond({ key: 'key', id: 'status' }, page))
      .orderBy('key', page.order)
      .orderBy('status', page.order)
      .limit(page.limit),
  )
  return rows.map(withRef)
}

/** The few links that are not in order are found by an index of their own, which only their view is sure to use. */
const viewFor = ({ status }: LinkFilter): 'everyLink' | 'linkNotOk' =>
  status === undefined || status === 'ok' ? 'everyLink' : 'linkNotOk'

export async function countTargets(db: Connection, filter: LinkFilter): Promise<number> {
  const rows = await dynamic(db, (b) =>
    b
      .selectFrom(
        b
          .selectFrom(viewFor(filter))
          .select(['kind', 'target', 'status'])
          .where('spaceId', '=', filter.spaceId)
          .$if(filter.pageId !== undefined, (q) => q.where('pageId', '=', filter.pageId as string))
          .$if(filter.status !== undefined, (q) => q.where('status', '=', filter.status as LinkStatus))
          .groupBy(['kind', 'target', 'status', anchor])
          .as('t'),
      )
      .select(countAll),
  )
  return rows[0]?.count ?? 0
}

/** As many places are told of a target; the more targets at once, the fewer. */
export const mostLocations = 100
const mostLocationsInAll = 5000

/** Where some targets are linked from: of each the first pages by their ids. */
export async function locationsOf(
  db: Connection,
  filter: LinkFilter,
  targets: readonly Pick<LinkTarget, 'kind' | 'target'>[],
): Promise<LinkRow[]> {
  if (targets.length === 0) return []
  const most = Math.min(mostLocations, Math.floor(mostLocationsInAll / targets.length))
  const rows = await dynamic(db, (b) =>
    b
      .selectFrom(
        b
          .selectFrom('everyLink')
          .selectAll()
          .select(
            sql<number>`row_number() over (partition by "kind", "target", "status", ${anchor} order by "pageId", "position")`.as(
              'serial',
            ),
          )
          .where('spaceId', '=', filter.spaceId)
          .$if(filter.pageId !== undefined, (q) => q.where('pageId', '=', filter.pageId as string))
          .where('kind', 'in', [...new Set(targets.map(({ kind }) => kind))])
          .where(oneOf(sql.ref('target'), JSON.stringify(targets.map(({ target }) => target)), db.engine))
          .as('located'),
      )
      .select(['spaceId', 'pageId', 'position', 'nodeKey', 'kind', 'target', 'ref', 'status'])
      .where('serial', '<=', most)
      .orderBy('pageId')
      .orderBy('position'),
  )
  return rows.map(withRef)
}

const countLinks = first((b, p: { spaceId: string }) =>
  b.selectFrom('everyLink').select(countAll).where('spaceId', '=', p.spaceId),
)
const countBroken = first((b, p: { spaceId: string }) =>
  b.selectFrom('linkNotOk').select(countAll).where('spaceId', '=', p.spaceId).where('status', '=', 'broken'),
)

export const countByStatus = async (db: Connection, spaceId: string): Promise<{ total: number; broken: number }> => ({
  total: (await countLinks(db, { spaceId }))?.count ?? 0,
  broken: (await countBroken(db, { spaceId }))?.count ?? 0,
})

/** Pages that refer to a file, each once. */
export const pagesLinking = (db: Connection, key: { spaceId: string; kind: string; target: string }, page: Page) =>
  dynamic(db, (b) =>
    b
      .selectFrom('everyLink')
      .select(['pageId'])
      .distinct()
      .where('spaceId', '=', key.spaceId)
      .where('kind', '=', key.kind)
      .where('target', '=', key.target)
      .where(beyond({ key: 'pageId', id: 'pageId' }, page))
      .orderBy('pageId', page.order)
      .limit(page.limit),
  )

/** Pages of any of these spaces that link a file or a reusable content, by its id. */
export const pagesUsing = all((b, p: { spaces: string; targets: string; limit: number }, engine) =>
  b
    .selectFrom('everyLink')
    .select(['spaceId', 'pageId'])
    .distinct()
    .where(oneOf(sql.ref('spaceId'), p.spaces, engine))
    .where('kind', 'in', ['file', 'reusable-content'])
    .where(oneOf(sql.ref('target'), p.targets, engine))
    .orderBy('spaceId')
    .orderBy('pageId')
    .limit(p.limit),
)

const linking = first((b, p: { spaceId: string; kind: string; target: string }) =>
  b
    .selectFrom('everyLink')
    .select(sql<number>`count(distinct "pageId")`.as('count'))
    .where('spaceId', '=', p.spaceId)
    .where('kind', '=', p.kind)
    .where('target', '=', p.target),
)

export const countPagesLinking = async (
  db: Connection,
  key: { spaceId: string; kind: string; target: string },
): Promise<number> => (await linking(db, key))?.count ?? 0
