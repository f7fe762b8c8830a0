/** What leads to a site or is counted on it: share links, redirects, insights. */
import { sql } from 'kysely'
import type { Connection } from '../database.ts'
import { listedBy } from '../listed.ts'

import { dynamic, dynamicRun, first, inserter, oneOf, run, updater } from '../query.ts'
import type { RedirectTable, ShareLinkTable, SiteInsightTable } from '../tables.ts'

export type ShareLinkRow = ShareLinkTable
export type RedirectRow = RedirectTable

export const findShareLink = first((b, p: { id: string }) =>
  b.selectFrom('shareLink').selectAll().where('id', '=', p.id),
)
export const insertShareLink = inserter('shareLink')
export const updateShareLink = updater('shareLink')
export const deleteShareLink = run((b, p: { id: string }) => b.deleteFrom('shareLink').where('id', '=', p.id))

const shareLinks = listedBy('shareLink', 'siteId')
export const listShareLinks = shareLinks.list
export const countShareLinks = shareLinks.count

export const findRedirect = first((b, p: { id: string }) => b.selectFrom('redirect').selectAll().where('id', '=', p.id))
export const insertRedirect = inserter('redirect')
export const updateRedirect = updater('redirect')
export const deleteRedirect = run((b, p: { id: string }) => b.deleteFrom('redirect').where('id', '=', p.id))
const redirects = listedBy('redirect', 'siteId')
export const listRedirects = redirects.list
export const countRedirects = redirects.count

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
  wanted: { siteId: string; from: string; to: string; type?: string | undefined; limit: number },
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
      .limit(wanted.limit),
  )
