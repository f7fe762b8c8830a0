/** What readers do on a site, counted by day; who they are is never stored. */
import { z } from 'zod'
import { ratings } from '../../core/enumerations.ts'
import { POST } from '../operation.ts'
import { Id, SITE } from '../shapes.ts'

const insightTypes = [
  'page_view',
  'search_open',
  'search_type_query',
  'search_open_result',
  'page_post_feedback',
  'page_post_feedback_comment',
  'ask_question',
  'ask_rate_response',
  'link_click',
  'api_client_open',
  'api_client_request',
  'ad_click',
  'ad_display',
  'trademark_click',
  'page_markdown_request',
  'llms_request',
  'mcp_request',
  'rss_request',
] as const

const InsightEvent = z.object({
  type: z.enum(insightTypes),
  location: z
    .object({
      url: z.string().max(2048).optional(),
      siteSpace: Id.optional(),
      space: Id.optional(),
      pageId: Id.optional(),
    })
    .optional(),
  feedback: z.object({ rating: z.enum(ratings).optional(), comment: z.string().max(512).optional() }).optional(),
  query: z.string().max(512).optional(),
})

const Day = z.string().regex(/^\d{4}-\d{2}-\d{2}$/, 'must be a day such as 2026-11-15')
const Aggregate = z.object({
  events: z.array(
    z.object({
      day: Day,
      type: z.enum(insightTypes),
      siteSpace: Id.optional(),
      page: Id.optional(),
      count: z.number().int(),
    }),
  ),
})

// biome-ignore format: held side by side with the specification, it matches line for line.
export const siteInsights = {
  trackEventsInSiteById: POST(`${SITE}/insights/events`,    'site.view', { body: z.object({ events: z.array(InsightEvent).min(1).max(100) }), lock: false, visitors: true }),
  aggregateSiteEvents:   POST(`${SITE}/insights/aggregate`, 'site.view', { body: z.object({ from: Day, to: Day, type: z.enum(insightTypes).optional() }), ok: Aggregate, reads: true }),
}
