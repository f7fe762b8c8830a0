/** What readers of a site did: page views and feedback. */
import type { siteInsights } from '../../contract/sites/site-insights.ts'
import { invalid } from '../../core/errors.ts'
import type { Database } from '../../store/database.ts'
import { countInsight, insertFeedback, insightsBetween } from '../../store/sites/site-links.ts'
import { findParts, findSite } from '../../store/sites/sites.ts'
import type { HandlersOf } from '../handler.ts'

const longestDays = 366
/** A part of what was asked for would pass for all of it: who asks for more is told to ask for less at a time. */
const mostCounts = 20_000

/** Page views that whoever serves sites has counted, of any number of sites. Those of sites that are gone are dropped. */
export async function addViews(
  db: Database,
  {
    day,
    views,
  }: { day: string; views: readonly { siteId: string; siteSpaceId: string; pageId: string; count: number }[] },
): Promise<void> {
  const bySite = new Map<string, typeof views>()
  for (const view of views) bySite.set(view.siteId, [...(bySite.get(view.siteId) ?? []), view])
  for (const [siteId, counted] of bySite) {
    await db.transaction(async (tx) => {
      if (!(await findSite(tx, { id: siteId }))) return
      // In one order everywhere, so that two processes never wait for each other in a circle.
      const inOrder = counted.map((view) => [`${view.siteSpaceId} ${view.pageId}`, view] as const)
      for (const [, view] of inOrder.sort(([a], [b]) => (a < b ? -1 : 1)))
        await countInsight(tx, { ...view, day, type: 'page_view' })
    })
  }
}

export const siteInsightHandlers: HandlersOf<typeof siteInsights> = {
  async trackEventsInSiteById({ site, body, ...base }) {
    const known = new Set((await findParts(base.db, site.id)).spaces.map((siteSpace) => siteSpace.id))
    const day = base.now.slice(0, 10)
    const counts = new Map<string, { type: string; siteSpaceId: string; pageId: string; count: number }>()
    for (const { type, location, feedback } of body.events) {
      // Readers write this: an id that is not of this site is left out, not stored.
      const siteSpaceId = location?.siteSpace !== undefined && known.has(location.siteSpace) ? location.siteSpace : ''
      const pageId = siteSpaceId === '' ? '' : (location?.pageId ?? '')
      const key = `${type} ${siteSpaceId} ${pageId}`
      const counted = counts.get(key)
      counts.set(key, { type, siteSpaceId, pageId, count: (counted?.count ?? 0) + 1 })
      if (feedback && (type === 'page_post_feedback' || type === 'page_post_feedback_comment')) {
        await insertFeedback(base.db, {
          id: base.env.newId(),
          siteId: site.id,
          siteSpaceId,
          pageId,
          rating: feedback.rating ?? null,
          comment: feedback.comment ?? null,
          createdAt: base.now,
        })
      }
    }
    // In one order everywhere, so that two requests never wait for each other in a circle.
    for (const [, counted] of [...counts].sort(([a], [b]) => (a < b ? -1 : 1)))
      await countInsight(base.db, { siteId: site.id, day, ...counted })
    return undefined
  },

  async aggregateSiteEvents({ db, site, body }) {
    const days = (Date.parse(body.to) - Date.parse(body.from)) / 86_400_000
    if (Number.isNaN(days)) throw invalid('from', 'must be a day that exists, like `to`')
    if (days < 0) throw invalid('to', 'must not be before `from`')
    if (days > longestDays) throw invalid('to', `must be at most ${longestDays} days after \`from\``)
    const { from, to, type } = body
    const rows = await insightsBetween(db, { siteId: site.id, from, to, type, limit: mostCounts + 1 })
    if (rows.length > mostCounts)
      throw invalid('to', `covers more than ${mostCounts} counts: ask for fewer days at a time, or for one type`)
    return {
      events: rows.map((row) => ({
        day: row.day,
        type: row.type as (typeof body)['type'] & string,
        ...(row.siteSpaceId === '' ? {} : { siteSpace: row.siteSpaceId }),
        ...(row.pageId === '' ? {} : { page: row.pageId }),
        count: row.count,
      })),
    }
  },
}
