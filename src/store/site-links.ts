/** What leads to a site or is counted on it: share links, redirects, insights. */
import { sql } from 'kysely'
import type { Connection } from './database.ts'
import { beyond, countAll, type Page } from './paging.ts'
import { dynamic, dynamicRun, first, oneOf, run } from './query.ts'
import type { PageFeedbackTable, RedirectTable, ShareLinkTable, SiteInsightTable } from './tables.ts'

export type ShareLinkRow = ShareLinkTable
export type RedirectRow = RedirectTable

export const findShareLink = first((b, p: { id: string }) =>
  b.selectFrom('shareLink').selectAll().where('id', '=', p.id),
)
export const insertShareLink = (tx: Connection, row: ShareLinkRow) =>
  dynamicRun(tx, (b) => b.insertInto('shareLink').values(row))
export const updateShareLink = (tx: Connection, id: string, change: Partial<ShareLinkRow>) =>
  dynamicRun(tx, (b) => b.updateTable('shareLink').set(change).where('id', '=', id))
export const deleteShareLink = run((b, p: { id: string }) => b.deleteFrom('shareLink').where('id', '=', p.id))

export const listShareLinks = (db: Connection, siteId: string, page: Page): Promise<ShareLinkRow[]> =>
  dynamic(db, (b) =>
    b
      .selectFrom('shareLink')
      .selectAll()
      .where('siteId', '=', siteId)
      .where(beyond({ key: 'createdAt', id: 'id' }, page))
      .orderBy('createdAt', page.order)
      .orderBy('id', page.order)
      .limit(page.limit),
  )
const linkCount = first((b, p: { siteId: string }) =>
  b.selectFrom('shareLink').select(countAll).where('siteId', '=', p.siteId),
)
export const countShareLinks = async (db: Connection, siteId: string): Promise<number> =>
  (await linkCount(db, { siteId }))?.count ?? 0

export const findRedirect = first((b, p: { id: string }) => b.selectFrom('redirect').selectAll().where('id', '=', p.id))
export const findRedirectBySource = first((b, p: { siteId: string; source: string }) =>
  b.selectFrom('redirect').selectAll().where('siteId', '=', p.siteId).where('source', '=', p.source),
)
export const insertRedirect = (tx: Connection, row: RedirectRow) =>
  dynamicRun(tx, (b) => b.insertInto('redirect').values(row))
export const updateRedirect = (tx: Connection, id: string, change: Partial<RedirectRow>) =>
  dynamicRun(tx, (b) => b.updateTable('redirect').set(change).where('id', '=', id))
export const deleteRedirect = run((b, p: { id: string }) => b.deleteFrom('redirect').where('id', '=', p.id))
export const listRedirects = (db: Connection, siteId: string, page: Page): Promise<RedirectRow[]> =>
  dynamic(db, (b) =>
    b
      .selectFrom('redirect')
      .selectAll()
      .where('siteId', '=', siteId)
      .where(beyond({ key: 'createdAt', id: 'id' }, page))
      .orderBy('createdAt', page.order)
      .orderBy('id', page.order)
      .limit(page.limit),
  )
const redirectCount = first((b, p: { siteId: string }) =>
  b.selectFrom('redirect').select(countAll).where('siteId', '=', p.siteId),
)
export const countRedirects = async (db: Connection, siteId: string): Promise<number> =>
  (await redirectCount(db, { siteId }))?.count ?? 0

/** The redirects of these sources. */
export const redirectsFrom = (db: Connection, siteId: string, sources: readonly string[]): Promise<RedirectRow[]> =>
  dynamic(db, (b) =>
    b
      .selectFrom('redirect')
      .selectAll()
      .where('siteId', '=', siteId)
      .where(oneOf(sql.ref('source'), JSON.stringify(sources), db.engine)),
  )

/** Counts what happened, onto what was counted that day. */
export const countInsight = (tx: Connection, row: SiteInsightTable) =>
  dynamicRun(tx, (b) =>
    b
      .insertInto('siteInsight')
      .values(row)
      .onConflict((oc) =>
        oc
          .columns(['siteId', 'day', 'type', 'siteSpaceId', 'pageId'])
          .doUpdateSet({ count: sql<number>`"siteInsight"."count" + ${row.count}` }),
      ),
  )

export const insertFeedback = (tx: Connection, row: PageFeedbackTable) =>
  dynamicRun(tx, (b) => b.insertInto('pageFeedback').values(row))

export const insightsBetween = (
  db: Connection,
  wanted: { siteId: string; from: string; to: string; type?: string | undefined },
): Promise<SiteInsightTable[]> =>
  dynamic(db, (b) =>
    b
      .selectFrom('siteInsight')
      .selectAll()
      .where('siteId', '=', wanted.siteId)
      .where('day', '>=', wanted.from)
      .where('day', '<=', wanted.to)
      .$if(wanted.type !== undefined, (q) => q.where('type', '=', wanted.type ?? ''))
      .orderBy('day')
      .orderBy('count', 'desc')
      .orderBy('type')
      .orderBy('siteSpaceId')
      .orderBy('pageId')
      .limit(1000),
  )
