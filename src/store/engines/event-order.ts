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
  engine === 'sqlite' ? sql<boolean>`true` : sql<boolean>`"xact" < ${oldestUnderWay}`

/**
 * The oldest transaction of this database that was under way when the statement began. Those of other databases on the same server, which
 * `pg_snapshot_xmin` would wait for as well, write no events here; one that has just ended counts as ours.
 */
const oldestUnderWay = sql<number>`coalesce(
  (select "under"."way"::text::bigint from pg_snapshot_xip(pg_current_snapshot()) as "under"("way")
    where not exists (
      select 1 from pg_locks join pg_stat_activity on pg_stat_activity.pid = pg_locks.pid
      where pg_locks.locktype = 'transactionid' and pg_locks.granted and pg_locks.transactionid = "under"."way"::xid
        and pg_stat_activity.datname <> current_database())
    order by "under"."way" limit 1),
  pg_snapshot_xmax(pg_current_snapshot())::text::bigint)`

/** Has the numbers of new events begin behind those that came with restored rows. */
export const renumber = async (tx: Connection): Promise<void> => {
  if (tx.engine === 'sqlite') return
  await tx.all(
    { sql: `select setval('event_numbers', (select coalesce(max("seq"), 0) + 1 from "event"), false)`, name: '' },
    [],
  )
}
