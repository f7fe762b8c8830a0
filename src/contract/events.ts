/** What happens, as it happens: streams of events, and who is looking at what. Beyond the specification. */
import { z } from 'zod'
import { GET, PUT, twin } from './operation.ts'
import { CR, Id, O, S } from './shapes.ts'

/**
 * One event of a stream. `content`, `comment`, `review` and `status` (of change requests) are about a space; others are
 * named after what they are about (`space`, `site`, `member` …). Each says which `action` it was, `by` whom, `at` what time
 * and its `target`. `ready` comes first, `presence` tells who is looking at which page.
 */
export const StreamedEvent = z
  .object({
    event: z.string(),
    id: z.string().optional().describe('To go on from, as `Last-Event-ID` or `after`.'),
    data: z.record(z.string(), z.unknown()),
  })
  .meta({ id: 'StreamedEvent' })

const Query = {
  after: z
    .string()
    .regex(/^\d{1,15}$/, 'must be the id of an event')
    .optional()
    .describe('What was noted after the event with this id is told first. The header `Last-Event-ID` goes before it.'),
  follow: z.boolean().default(true).describe('`false` ends the stream with what is there.'),
}

const Presence = z.object({
  page: Id.describe('The page they are looking at.'),
  block: z.string().min(1).max(64).optional().describe('The key of the block they are working on.'),
  position: z
    .int()
    .min(0)
    .max(10_000_000)
    .optional()
    .describe('Where in the block their cursor is, in characters; a boundary of an inner block counts as one.'),
})

// biome-ignore format: a table reads best as one.
export const events = {
  streamOrganizationEvents: GET(`${O}/events`,   'organization.view', { query: Query, stream: StreamedEvent, summary: 'What happens in the organization, of what the caller may see.' }),
  streamSpaceEvents:        GET(`${S}/events`,   'space.view',        { query: Query, stream: StreamedEvent, summary: 'What happens in the space, and who is looking at its pages.' }),
  updateSpacePresence:      PUT(`${S}/presence`, 'space.view',        { body: Presence, lock: false, summary: 'Says which page the caller is looking at; repeat it every ten seconds, it is forgotten after thirty.' }),
}

export const changeRequestEvents = {
  streamChangeRequestEvents: twin(`${CR}/events`, events.streamSpaceEvents),
  updateChangeRequestPresence: twin(`${CR}/presence`, events.updateSpacePresence),
}
