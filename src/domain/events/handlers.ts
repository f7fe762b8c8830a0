/** What was noted, newest first (the audit log) and as it happens (streams); who is looking at what. */
import type { auditEvents } from '../../contract/audit-events.ts'
import type { events } from '../../contract/events.ts'
import { countEvents, type EventRow, listEvents } from '../../store/events/events.ts'
import { putPresence } from '../../store/events/presence.ts'
import { findUsers } from '../../store/people/users.ts'
import type { ContentCall } from '../content/at.ts'
import type { HandlersOf } from '../handler.ts'
import { listOf } from '../lists.ts'
import { eventActions } from './note.ts'
import { followEvents } from './stream.ts'

export const auditEventHandlers: HandlersOf<typeof auditEvents> = {
  async listOrganizationAuditEvents({ organization, query, ...base }) {
    const filter = {
      organizationId: organization.id,
      action: query.action,
      actor: query.actor,
      target: query.target,
      from: query.from,
      to: query.to,
    }
    const list = await listOf({
      base,
      name: `events:${JSON.stringify(filter)}`,
      query,
      rows: (page) => listEvents(base.db, filter, page),
      count: () => countEvents(base.db, filter),
      keyOf: (row) => ({ key: row.occurredAt, id: row.id }),
      present: (row) => row,
    })
    const users = await findUsers(
      base.db,
      list.items.map((row) => row.actorId),
    )
    const names = new Map(users.map((user) => [user.id, user.displayName]))
    return {
      ...list,
      items: list.items.map((row) => ({
        object: 'audit-event' as const,
        id: row.id,
        occurredAt: row.occurredAt,
        action: row.action,
        actor: actorOf(row, names),
        source: 'api' as const,
        target: { type: row.targetType, id: row.targetId },
        ...(row.credentialKind === null || row.credentialId === null
          ? {}
          : { credential: { type: row.credentialKind, id: row.credentialId } }),
        ...(row.address === null ? {} : { address: row.address }),
        data: JSON.parse(row.data),
      })),
    }
  },

  async listOrganizationAuditEventActions() {
    return { items: [...eventActions] }
  },
}

export const eventHandlers: HandlersOf<typeof events> = {
  async streamOrganizationEvents({ organization, query, ...base }) {
    return followEvents(base, { organizationId: organization.id }, query)
  },

  async streamSpaceEvents({ query, ...call }) {
    const { space, changeRequest, ...base }: ContentCall = call
    const subject = { organizationId: space.organizationId, spaceId: space.id, changeRequestId: changeRequest?.id }
    return followEvents(base, subject, query)
  },

  async updateSpacePresence({ body, ...call }) {
    const { db, actor, now, space, changeRequest }: ContentCall = call
    await putPresence(db, {
      spaceId: space.id,
      changeRequestId: changeRequest?.id ?? '',
      userId: actor.user.id,
      pageId: body.page,
      block: body.block ?? null,
      position: body.position ?? null,
      seenAt: now,
    })
    return undefined
  },
}

/** Who was refused is nobody that we know: then we ourselves did it, and the target says for whom. */
const refusals: Readonly<Record<string, string>> = {
  sign_in_refused: 'Sign-in page',
  sso_sign_in_refused: 'Single sign-on',
}

const actorOf = ({ action, actorId: id }: EventRow, names: ReadonlyMap<string, string>) => {
  const refusal = refusals[action]
  return refusal === undefined
    ? { type: 'user' as const, id, label: names.get(id) ?? 'Deleted user' }
    : { type: 'system' as const, id, label: refusal }
}
