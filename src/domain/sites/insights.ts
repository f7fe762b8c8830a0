/** What readers of a site did: page views and feedback. */
import type { siteInsights } from '../../contract/sites/site-insights.ts'
import { siteInsights as rows } from '../../contract/sites/site-insights.ts'
import { invalid } from '../../core/errors.ts'
import { pageById } from '../../core/revision/content.ts'
import type { Database } from '../../store/database.ts'
import { countInsight, insertFeedback, insightsBetween } from '../../store/sites/site-links.ts'
import { findSite } from '../../store/sites/sites.ts'
import type { ContentAt } from '../content/at.ts'
import { type Base, type HandlersOf, phased } from '../handler.ts'
import type { Things } from '../things.ts'
import { contentOnSite, isAdmitted } from './reading/pages.ts'
import { readableTo, siteState } from './structure/state.ts'

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
  trackEventsInSiteById: phased(rows.trackEventsInSiteById, {
    prepare: ({ site, body, ...base }) => shownSubjects(base, site, body.events),
    async commit({ site, body, ...base }, subjects) {
      const day = base.now.slice(0, 10)
      const counts = new Map<string, Subject & { type: string; count: number }>()
      for (const [index, { type, feedback }] of body.events.entries()) {
        const subject = subjects[index] ?? noSubject
        const key = `${type} ${keyOf(subject)}`
        counts.set(key, { type, ...subject, count: (counts.get(key)?.count ?? 0) + 1 })
        if (feedback && (type === 'page_post_feedback' || type === 'page_post_feedback_comment')) {
          await insertFeedback(base.db, {
            id: base.env.newId(),
            siteId: site.id,
            ...subject,
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
  }),

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

interface Subject {
  siteSpaceId: string
  pageId: string
}

const noSubject: Subject = { siteSpaceId: '', pageId: '' }
const keyOf = ({ siteSpaceId, pageId }: Subject): string => `${siteSpaceId} ${pageId}`

/**
 * What each event is about. Readers write this: an id that names nothing they are shown is left out, not stored, so that nobody
 * fills the counts with pages that do not exist.
 */
async function shownSubjects(
  base: Base,
  site: Things['site'],
  events: readonly { location?: { siteSpace?: string | undefined; pageId?: string | undefined } | undefined }[],
): Promise<Subject[]> {
  const state = await siteState(base, site)
  const { scope } = base.actor.visitor ?? {}
  const shown = new Map(
    readableTo(state).spaces.map((siteSpace) => [siteSpace.id, state.spaces.get(siteSpace.spaceId)]),
  )
  const contents = new Map<string, ContentAt>()
  const pages = new Map<string, boolean>()
  const subjects: Subject[] = []
  for (const { location } of events) {
    const { siteSpace = '', pageId = '' } = location ?? {}
    const space = shown.get(siteSpace)
    const subject = { siteSpaceId: siteSpace, pageId }
    if (space && pageId !== '' && !pages.has(keyOf(subject))) {
      const at = contents.get(siteSpace) ?? (await contentOnSite(base, space))
      contents.set(siteSpace, at)
      const page = await pageById(at.reader, at.content, pageId)
      pages.set(keyOf(subject), page !== undefined && (!scope || (await isAdmitted(at, page, scope))))
    }
    if (!space) subjects.push(noSubject)
    else subjects.push(pages.get(keyOf(subject)) ? subject : { ...subject, pageId: '' })
  }
  return subjects
}
