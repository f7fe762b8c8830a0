/** What happened, for the audit log and for whoever is to be told: written in the transaction of the deed. */
import { sql } from 'kysely'
import type { Connection } from '../database.ts'
import { isSettled, newPosition, renumber } from '../engines/event-order.ts'
import { beyond, countAll, type Page } from '../paging.ts'
import { dynamic, first, pick, rowsIn, run } from '../query.ts'
import type { EventTable } from '../tables.ts'

export type EventRow = EventTable

/** Its place among the others is given to it when it is written. */
export type NewEvent = Omit<EventTable, 'seq' | 'xact'>

const ownColumns = [
  'id',
  'organizationId',
  'action',
  'actorId',
  'targetType',
  'targetId',
  'data',
  'occurredAt',
  'spaceId',
  'changeRequestId',
  'credentialKind',
  'credentialId',
  'address',
] as const satisfies readonly (keyof NewEvent)[]

export const insertEvent = run((b, p: NewEvent, engine) =>
  b.insertInto('event').values({ ...newPosition(engine), ...pick(p, ownColumns) }),
)

export const eventColumns = ['seq', 'xact', ...ownColumns] as const

/** A JSON array of new events as rows of these columns, on PostgreSQL. */
export function newEventsIn(json: string) {
  const { seq, xact } = newPosition('postgres')
  const others = ownColumns.map((column) => sql.ref(column))
  return sql`select ${seq}, ${xact}, ${sql.join(others)} from ${rowsIn('event', json)}`
}

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

/** Where a stream stands: everything up to the event with this number was told. 0 is before the first. */
export type Position = number

/** What a stream is about. */
export interface StreamSubject {
  organizationId: string
  spaceId?: string | undefined
  changeRequestId?: string | undefined
}

const aboutSubject = ({ organizationId, spaceId, changeRequestId }: StreamSubject) => ({
  organizationId,
  ...(spaceId === undefined ? {} : { spaceId }),
  ...(changeRequestId === undefined ? {} : { changeRequestId }),
})

/** The events of a subject after a position, in the order of their commits; none that another could still come before. */
export const eventsAfter = (
  db: Connection,
  subject: StreamSubject,
  { after, limit }: { after: Position; limit: number },
): Promise<EventRow[]> =>
  dynamic(db, (b) =>
    b
      .selectFrom('event')
      .selectAll()
      .where((eb) => eb.and(aboutSubject(subject)))
      .where(isSettled(db.engine))
      .where(isAfter(after))
      .orderBy('xact')
      .orderBy('seq')
      .limit(limit),
  )

/** An event that is gone since stands where the one before it does. */
const isAfter = (after: Position) =>
  sql<boolean>`("xact", "seq") > (coalesce((select "e"."xact" from "event" as "e" where "e"."seq" <= ${after} order by "e"."seq" desc limit 1), 0), ${after})`

/** The position of the newest settled event of a subject. */
export async function lastPosition(db: Connection, subject: StreamSubject): Promise<Position> {
  const rows = await dynamic(db, (b) =>
    b
      .selectFrom('event')
      .select('seq')
      .where((eb) => eb.and(aboutSubject(subject)))
      .where(isSettled(db.engine))
      .orderBy('xact', 'desc')
      .orderBy('seq', 'desc')
      .limit(1),
  )
  return rows[0]?.seq ?? 0
}

const newestEvent = first((b, _p: Record<never, never>, engine) =>
  b
    .selectFrom('event')
    .select(['xact', 'seq'])
    .where(isSettled(engine))
    .orderBy('xact', 'desc')
    .orderBy('seq', 'desc')
    .limit(1),
)

const newestPresence = first((b, _p: Record<never, never>) =>
  b.selectFrom('presence').select('seenAt').orderBy('seenAt', 'desc').limit(1),
)

/** Differs from what it was when there is something new to tell, to anyone. */
export async function newestOf(db: Connection): Promise<string> {
  const event = await newestEvent(db, {})
  const presence = await newestPresence(db, {})
  return `${event?.xact ?? 0} ${event?.seq ?? 0} ${presence?.seenAt ?? ''}`
}
