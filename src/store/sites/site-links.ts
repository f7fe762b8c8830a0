/** What leads to a site or is counted on it: share links, redirects, insights. */
import { sql } from 'kysely'
import type { Connection } from '../database.ts'
import { beyond, countAll, type Order, type Page, type PageValues, pageIn, pageValues } from '../paging.ts'
import { dynamic, dynamicRun, first, formed, inserter, oneOf, run, updater } from '../query.ts'
import type { RedirectTable, ShareLinkTable, SiteInsightTable, Tables } from '../tables.ts'

export type ShareLinkRow = ShareLinkTable
export type RedirectRow = RedirectTable

/** What a site has of these, in the order in which they were made. */
function listedBySite<T extends 'shareLink' | 'redirect'>(table: T) {
  const list = formed((b, p: { siteId: string } & PageValues, _engine, { order }: { order: Order }) =>
    b
      .selectFrom(table as 'shareLink')
      .selectAll()
      .where('siteId', '=', p.siteId)
      .where(beyond({ key: 'createdAt', id: 'id' }, pageIn(p, order)))
      .orderBy('createdAt', order)
      .orderBy('id', order)
      .limit(sql<number>`${p.limit}`),
  )
  return (db: Connection, siteId: string, page: Page) =>
    list(db, { order: page.order }, { siteId, ...pageValues(page) }) as unknown as Promise<Tables[T][]>
}

function countedBySite(table: 'shareLink' | 'redirect') {
  const count = first((b, p: { siteId: string }) => b.selectFrom(table).select(countAll).where('siteId', '=', p.siteId))
  return async (db: Connection, siteId: string): Promise<number> => (await count(db, { siteId }))?.count ?? 0
}

export const findShareLink = first((b, p: { id: string }) =>
  b.selectFrom('shareLink').selectAll().where('id', '=', p.id),
)
export const insertShareLink = inserter('shareLink')
export const updateShareLink = updater('shareLink')
export const deleteShareLink = run((b, p: { id: string }) => b.deleteFrom('shareLink').where('id', '=', p.id))

export const listShareLinks = listedBySite('shareLink')
export const countShareLinks = countedBySite('shareLink')

export const findRedirect = first((b, p: { id: string }) => b.selectFrom('redirect').selectAll().where('id', '=', p.id))
export const findRedirectBySource = first((b, p: { siteId: string; source: string }) =>
  b.selectFrom('redirect').selectAll().where('siteId', '=', p.siteId).where('source', '=', p.source),
)
export const insertRedirect = inserter('redirect')
export const updateRedirect = updater('redirect')
export const deleteRedirect = run((b, p: { id: string }) => b.deleteFrom('redirect').where('id', '=', p.id))
export const listRedirects = listedBySite('redirect')
export const countRedirects = countedBySite('redirect')

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

export const insertFeedback = inserter('pageFeedback')

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
