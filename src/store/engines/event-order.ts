/** How each engine puts events in the order of their commits; see migrations/0001-0049/0011-events.ts. */
import { sql } from 'kysely'
import type { Connection, EngineName } from '../database.ts'

/** The place of a new event. */
export const newPosition = (engine: EngineName) =>
  engine === 'sqlite'
    ? { seq: sql<number>`(select coalesce(max("seq"), 0) + 1 from "event")`, xact: 0 }
    : { seq: sql<number>`nextval('event_numbers')`, xact: sql<number>`pg_current_xact_id()::text::bigint` }

/** Events before which no other can appear any more: no transaction that may still commit began before theirs. */
export const isSettled = (engine: EngineName) =>
  engine === 'sqlite'
    ? sql<boolean>`true`
    : sql<boolean>`"xact" < pg_snapshot_xmin(pg_current_snapshot())::text::bigint`

/** Has the numbers of new events begin behind those that came with restored rows. */
export const renumber = async (tx: Connection): Promise<void> => {
  if (tx.engine === 'sqlite') return
  await tx.all(
    { sql: `select setval('event_numbers', (select coalesce(max("seq"), 0) + 1 from "event"), false)`, name: '' },
    [],
  )
}
