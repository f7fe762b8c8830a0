/** What happened, for the audit log and for whoever is to be told: written in the transaction of the deed. */
import type { Connection } from './database.ts'
import { newPlace, renumber } from './engines/event-order.ts'
import { beyond, countAll, type Page } from './paging.ts'
import { dynamic, first, run } from './query.ts'
import type { EventTable } from './tables.ts'

export type EventRow = EventTable

export const insertEvent = run((b, p: Omit<EventTable, 'seq' | 'xact'>, engine) =>
  b.insertInto('event').values({
    ...newPlace(engine),
    id: p.id,
    organizationId: p.organizationId,
    action: p.action,
    actorId: p.actorId,
    targetType: p.targetType,
    targetId: p.targetId,
    data: p.data,
    occurredAt: p.occurredAt,
    spaceId: p.spaceId,
    changeRequestId: p.changeRequestId,
    credentialKind: p.credentialKind,
    credentialId: p.credentialId,
    address: p.address,
  }),
)

/** What somebody did to something at one moment. */
export const findEvent = first(
  (b, p: Pick<EventTable, 'organizationId' | 'action' | 'targetId' | 'actorId' | 'occurredAt'>) =>
    b
      .selectFrom('event')
      .select(['id', 'data'])
      .where('organizationId', '=', p.organizationId)
      .where('occurredAt', '=', p.occurredAt)
      .where('action', '=', p.action)
      .where('targetId', '=', p.targetId)
      .where('actorId', '=', p.actorId)
      .orderBy('seq', 'desc')
      .limit(1),
)

/** Forgets an event, because another took its place. */
export const removeEvent = run((b, p: { id: string }) => b.deleteFrom('event').where('id', '=', p.id))

export interface EventFilter {
  organizationId: string
  action?: string | undefined
  actor?: string | undefined
  target?: string | undefined
  from?: string | undefined
  to?: string | undefined
}

const filtered = (filter: EventFilter) => ({
  organizationId: filter.organizationId,
  ...(filter.action === undefined ? {} : { action: filter.action }),
  ...(filter.actor === undefined ? {} : { actorId: filter.actor }),
  ...(filter.target === undefined ? {} : { targetId: filter.target }),
})

export const listEvents = (db: Connection, filter: EventFilter, page: Page): Promise<EventRow[]> =>
  dynamic(db, (b) =>
    b
      .selectFrom('event')
      .selectAll()
      .where((eb) => eb.and(filtered(filter)))
      .$if(filter.from !== undefined, (q) => q.where('occurredAt', '>=', filter.from ?? ''))
      .$if(filter.to !== undefined, (q) => q.where('occurredAt', '<', filter.to ?? ''))
      .where(beyond({ key: 'occurredAt', id: 'id' }, page))
      .orderBy('occurredAt', page.order)
      .orderBy('id', page.order)
      .limit(page.limit),
  )

export async function countEvents(db: Connection, filter: EventFilter): Promise<number> {
  const rows = await dynamic(db, (b) =>
    b
      .selectFrom('event')
      .select(countAll)
      .where((eb) => eb.and(filtered(filter)))
      .$if(filter.from !== undefined, (q) => q.where('occurredAt', '>=', filter.from ?? ''))
      .$if(filter.to !== undefined, (q) => q.where('occurredAt', '<', filter.to ?? '')),
  )
  return rows[0]?.count ?? 0
}

const forgetTransactions = run((b) => b.updateTable('event').set({ xact: 0 }).where('xact', '<>', 0))

/** After a restore: the transactions of another database mean nothing here, and its numbers are taken. */
export async function settleRestoredEvents(tx: Connection): Promise<void> {
  await forgetTransactions(tx)
  await renumber(tx)
}
