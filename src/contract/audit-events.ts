/** Who did what, when: for an organization's admins. Beyond the specification. */
import { z } from 'zod'
import { GET } from './operation.ts'
import { Id, List, O, P, Timestamp } from './shapes.ts'

const AuditEvent = z
  .object({
    object: z.literal('audit-event'),
    id: Id,
    occurredAt: Timestamp,
    action: z.string(),
    actor: z.object({ type: z.enum(['user', 'system']), id: z.string(), label: z.string() }),
    source: z.literal('api'),
    target: z.object({ type: z.string(), id: z.string() }),
    credential: z
      .object({ type: z.string(), id: z.string() })
      .optional()
      .describe('By what the actor was known: a token, a session or a job, with its id.'),
    address: z.string().optional().describe('The network address the request came from.'),
    data: z
      .record(z.string(), z.unknown())
      .describe('Ids of what else was concerned; `before` and `after` where something was replaced.'),
  })
  .meta({ id: 'AuditEvent' })

const EventsQuery = {
  page: P.page,
  limit: z.number().int().min(1).max(100).default(20),
  from: z.iso.datetime().optional().describe('Not before this time.'),
  to: z.iso.datetime().optional().describe('Before this time.'),
  action: z.string().max(100).optional(),
  actor: Id.optional(),
  target: Id.optional(),
}

// biome-ignore format: a table reads best as one.
export const auditEvents = {
  listOrganizationAuditEvents:       GET(`${O}/audit-events`,        'organization.admin', { query: EventsQuery, ok: List(AuditEvent) }),
  listOrganizationAuditEventActions: GET(`${O}/audit-event-actions`, 'organization.admin', { ok: z.object({ items: z.array(z.string()) }) }),
}
