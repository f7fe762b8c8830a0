/** The audit log: what was noted, newest first. */
import type { auditEvents } from '../../contract/audit-events.ts'
import { countEvents, listEvents } from '../../store/events.ts'
import { findUsers } from '../../store/users.ts'
import { listOf } from '../lists.ts'
import type { HandlersOf } from '../scope.ts'
import { eventActions } from './note.ts'

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
        actor: { type: 'user' as const, id: row.actorId, label: names.get(row.actorId) ?? 'Deleted user' },
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
