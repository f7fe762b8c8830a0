/**
 * The rows of the job queue.
 *
 * 1. A job is written in the transaction that causes it, so there is one exactly when the cause was committed.
 * 2. A worker leases a job for a while and renews the lease while it works. Each lease has its own owner and attempt;
 *    ending a job asks for both, so that a worker that lost its lease can end nothing. Clocks that disagree can make two
 *    workers start the same job, never end it twice.
 * 3. A unique key: at most one job of its kind waits under it, and at most one runs (`running:` + key), one after the other.
 *    The table's unique constraint holds both.
 * 4. A recurring job is one row that is never deleted: when it ends, it waits for its next time.
 */
import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import type { Connection, Database } from './database.ts'
import { countAll } from './paging.ts'
import { all, type Builder, dynamic, first, run } from './query.ts'
import type { JobTable } from './tables.ts'

export type JobRow = JobTable

export interface NewJob {
  kind: string
  /** Anything that JSON can say, as the kind wants it. */
  payload?: unknown
  /** Not before this time. */
  runAt?: Date | undefined
  /** While a job of the same kind and key waits, this one is that one: its payload stays. */
  uniqueKey?: string | undefined
}

/** A lease, as its holder shows it. */
export interface Lease {
  id: string
  owner: string
  attempt: number
}

/** Others take a job over when its worker has been silent for this long. */
export const leaseMilliseconds = 15_000

export const newLeaseEnd = (milliseconds = leaseMilliseconds): string =>
  new Date(Date.now() + milliseconds).toISOString()

const scheduleKey = '@schedule'
const running = (key: string): string => `running:${key}`

const insert = first(
  (b, p: { id: string; kind: string; payload: string; uniqueKey: string | null; runAt: string; now: string }) =>
    b
      .insertInto('job')
      .values({
        id: p.id,
        kind: p.kind,
        payload: p.payload,
        uniqueKey: p.uniqueKey,
        state: 'waiting',
        attempts: 0,
        runAt: p.runAt,
        leaseOwner: null,
        leaseUntil: null,
        lastError: null,
        createdAt: p.now,
      })
      // Written even when the job is there: until this transaction commits, no worker may take the job that waits, because
      // it would not yet see what this one changes.
      .onConflict((oc) =>
        oc.columns(['kind', 'uniqueKey']).doUpdateSet({
          runAt: sql<string>`case when "excluded"."runAt" < "job"."runAt" then "excluded"."runAt" else "job"."runAt" end`,
        }),
      )
      .returning('id'),
)

/** Writes a job in the open transaction `tx`; false when one with its key waits already. */
export async function enqueue(tx: Connection, { kind, payload = null, runAt, uniqueKey }: NewJob): Promise<boolean> {
  const now = new Date()
  const id = randomUUID()
  const row = await insert(tx, {
    id,
    kind,
    payload: JSON.stringify(payload),
    uniqueKey: uniqueKey ?? null,
    runAt: (runAt ?? now).toISOString(),
    now: now.toISOString(),
  })
  if (tx.afterCommit) tx.afterCommit(wakeWorkers)
  else wakeWorkers()
  return row?.id === id
}

const insertAlone = run((b, p: { id: string; kind: string; payload: string; now: string }) =>
  b.insertInto('job').values({
    id: p.id,
    kind: p.kind,
    payload: p.payload,
    uniqueKey: null,
    state: 'waiting',
    attempts: 0,
    runAt: p.now,
    leaseOwner: null,
    leaseUntil: null,
    lastError: null,
    createdAt: p.now,
  }),
)

/** Writes a job that nothing else is written with: one statement, which needs no transaction. */
export async function enqueueAlone(
  db: Connection,
  { kind, payload }: { kind: string; payload: unknown },
): Promise<void> {
  await insertAlone(db, { id: randomUUID(), kind, payload: JSON.stringify(payload), now: new Date().toISOString() })
  wakeWorkers()
}

const listeners = new Set<() => void>()

/** Workers of this process hear of new jobs at once; those of other processes see them when they next look. */
export function onEnqueued(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

function wakeWorkers(): void {
  for (const listener of listeners) listener()
}

/** What a worker takes. Of each kind in the background one job runs at a time, after all others that are due. */
export interface WantedKinds {
  kinds: readonly string[]
  background: readonly string[]
}

/** What could be leased now: due, or left behind by a worker whose lease ran out. */
const dueJobs = (b: Builder, { kinds, background, now }: WantedKinds & { now: string }) =>
  b
    .selectFrom('job')
    .select(['job.id', 'job.kind'])
    .where('job.kind', 'in', kinds)
    .where((eb) => {
      const others = eb.selectFrom('job as other').select('other.id').whereRef('other.kind', '=', 'job.kind')
      const sameKey = others.where('other.uniqueKey', '=', sql<string>`'running:' || ${sql.ref('job.uniqueKey')}`)
      // ';' follows ':'.
      const anyKey = others.where('other.uniqueKey', '>=', running('')).where('other.uniqueKey', '<', 'running;')
      return eb.or([
        eb.and([
          eb('job.state', '=', 'waiting'),
          eb('job.runAt', '<=', now),
          eb.not(eb.exists(sameKey)),
          ...(background.length === 0
            ? []
            : [eb.or([eb('job.kind', 'not in', background), eb.not(eb.exists(anyKey))])]),
        ]),
        eb.and([eb('job.state', '=', 'running'), eb('job.leaseUntil', '<', now)]),
      ])
    })

/** Looks whether there is something to lease: one read, so that an idle worker never keeps writers waiting. */
export const dueJobsOf = (wanted: WantedKinds) =>
  first((b, p: { now: string }) => dueJobs(b, { ...wanted, now: p.now }).limit(1))

/**
 * Takes up to `limit` jobs, the longest due first, and those in the background last. Two processes on PostgreSQL that look at
 * the same moment can each take one of a kind in the background.
 */
export function leaseJobs(
  db: Database,
  wanted: WantedKinds & { limit: number; owner: string; now: string; until: string },
): Promise<JobRow[]> {
  const { background } = wanted
  return db.transaction(async (tx) => {
    const due = await dynamic(tx, (b) => {
      const all = dueJobs(b, wanted)
      const ordered =
        background.length === 0
          ? all
          : all.orderBy((eb) => eb.case().when('job.kind', 'in', background).then(1).else(0).end())
      const longest = ordered.orderBy('job.runAt').limit(wanted.limit)
      // Writers of SQLite take turns; workers on PostgreSQL step around the rows that another is just taking.
      return db.engine === 'postgres' ? longest.forUpdate('job').skipLocked() : longest
    })
    const taken = due.filter(
      ({ kind }, at) => !background.includes(kind) || due.findIndex((other) => other.kind === kind) === at,
    )
    if (taken.length === 0) return []
    const ids = taken.map(({ id }) => id)
    return dynamic(tx, (b) =>
      b
        .updateTable('job')
        .set((eb) => ({
          state: 'running',
          attempts: eb('attempts', '+', 1),
          leaseOwner: wanted.owner,
          leaseUntil: wanted.until,
          uniqueKey: sql<string>`case when "state" = 'waiting' then 'running:' || "uniqueKey" else "uniqueKey" end`,
        }))
        .where('id', 'in', ids)
        .returningAll(),
    )
  })
}

/**
 * Takes the job that waits under a key, due or not, for somebody who does its work without being a worker; nothing when one runs
 * under it. In the transaction that wrote the job no worker can be sooner.
 */
export const leaseByKey = (tx: Connection, p: { kind: string; key: string; owner: string; until: string }) =>
  leaseWaiting(tx, { ...p, running: running(p.key) })

const leaseWaiting = first((b, p: { kind: string; key: string; running: string; owner: string; until: string }) =>
  b
    .updateTable('job')
    .set((eb) => ({
      state: 'running',
      attempts: eb('attempts', '+', 1),
      leaseOwner: p.owner,
      leaseUntil: p.until,
      uniqueKey: p.running,
    }))
    .where('kind', '=', p.kind)
    .where('uniqueKey', '=', p.key)
    .where('state', '=', 'waiting')
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('job as other')
            .select('other.id')
            .where('other.kind', '=', p.kind)
            .where('other.uniqueKey', '=', p.running),
        ),
      ),
    )
    .returningAll(),
)

/** Renews all leases of an owner; the ids of those it still holds. */
export const renewLeases = (db: Database, lease: { owner: string; until: string }): Promise<{ id: string }[]> =>
  db.transaction((tx) => renew(tx, lease))

const renew = all((b, p: { owner: string; until: string }) =>
  b.updateTable('job').set({ leaseUntil: p.until }).where('leaseOwner', '=', p.owner).returning('id'),
)

/** Ends a job for good; false when the lease is no longer held. */
export const deleteJob = async (tx: Connection, lease: Lease): Promise<boolean> => (await remove(tx, lease)) > 0

const remove = run((b, p: Lease) =>
  b.deleteFrom('job').where('id', '=', p.id).where('leaseOwner', '=', p.owner).where('attempts', '=', p.attempt),
)

/**
 * Lets a job wait again: to be retried (with the error), to be run at its next time (a recurring one), or because its
 * worker stops (`attempts` one less, since it was not the job's fault). False when the lease is no longer held.
 */
export async function putBack(
  tx: Connection,
  { job, owner, ...next }: { job: JobRow; owner: string; runAt: string; attempts: number; lastError: string | null },
): Promise<boolean> {
  const lease = { id: job.id, owner, attempt: job.attempts }
  const key = job.uniqueKey?.replace(/^running:/, '') ?? null
  // Another job has come under the same key meanwhile: it does this one's work too.
  if (key !== null && (await findByKey(tx, { kind: job.kind, key }))) return deleteJob(tx, lease)
  return (await wait(tx, { ...lease, ...next, uniqueKey: key })) > 0
}

const findByKey = first((b, p: { kind: string; key: string }) =>
  b.selectFrom('job').select('id').where('kind', '=', p.kind).where('uniqueKey', '=', p.key),
)

const wait = run(
  (b, p: Lease & { runAt: string; attempts: number; lastError: string | null; uniqueKey: string | null }) =>
    b
      .updateTable('job')
      .set({
        state: 'waiting',
        runAt: p.runAt,
        attempts: p.attempts,
        lastError: p.lastError,
        uniqueKey: p.uniqueKey,
        leaseOwner: null,
        leaseUntil: null,
      })
      .where('id', '=', p.id)
      .where('leaseOwner', '=', p.owner)
      .where('attempts', '=', p.attempt),
)

/** Gives a job up. The row stays for the operator to see; its key is free for the next one. */
export const failJob = async (tx: Connection, lease: Lease & { lastError: string }): Promise<boolean> =>
  (await giveUp(tx, lease)) > 0

const giveUp = run((b, p: Lease & { lastError: string }) =>
  b
    .updateTable('job')
    .set({ state: 'failed', lastError: p.lastError, uniqueKey: null, leaseOwner: null, leaseUntil: null })
    .where('id', '=', p.id)
    .where('leaseOwner', '=', p.owner)
    .where('attempts', '=', p.attempt),
)

/**
 * Makes sure that the row of a recurring job exists, and that it does not wait for a time of a longer interval. `next` is asked
 * behind the lock: a time that has come while others had it would have the job run twice for it.
 */
export async function ensureSchedule(
  db: Database,
  { kind, next }: { kind: string; next: () => string },
): Promise<void> {
  await db.transaction(
    async (tx) => {
      const runAt = next()
      const keys = await schedules(tx, { kind, waiting: scheduleKey, running: running(scheduleKey) })
      const now = new Date().toISOString()
      if (keys.length === 0) {
        await insert(tx, { id: randomUUID(), kind, payload: 'null', uniqueKey: scheduleKey, runAt, now })
      } else await sooner(tx, { kind, key: scheduleKey, runAt })
    },
    { lock: 'schedule' },
  )
}

export const isScheduled = (job: JobRow): boolean =>
  job.uniqueKey === scheduleKey || job.uniqueKey === running(scheduleKey)

const schedules = all((b, p: { kind: string; waiting: string; running: string }) =>
  b.selectFrom('job').select('id').where('kind', '=', p.kind).where('uniqueKey', 'in', [p.waiting, p.running]),
)

const sooner = run((b, p: { kind: string; key: string; runAt: string }) =>
  b
    .updateTable('job')
    .set({ runAt: p.runAt })
    .where('kind', '=', p.kind)
    .where('uniqueKey', '=', p.key)
    .where('state', '=', 'waiting')
    .where('attempts', '=', 0)
    .where('runAt', '>', p.runAt),
)

export const findJob = first((b, p: { id: string }) => b.selectFrom('job').selectAll().where('id', '=', p.id))

export const listJobs = all((b, p: { kind: string }) =>
  b.selectFrom('job').selectAll().where('kind', '=', p.kind).orderBy('createdAt').orderBy('id').limit(1000),
)

export const deleteFailedJobsBefore = run((b, p: { oldest: string }) =>
  b.deleteFrom('job').where('state', '=', 'failed').where('runAt', '<', p.oldest),
)

/** Jobs that were given up, or failed at least once and will be tried again. */
export const listTroubledJobs = all((b) =>
  b
    .selectFrom('job')
    .select(['kind', 'state', 'attempts', 'lastError'])
    .where((e) => e.or([e('state', '=', 'failed'), e('lastError', 'is not', null)]))
    .orderBy('createdAt')
    .limit(1000),
)

/** How many jobs there are of each kind and state. */
export const countJobs = all((b) => b.selectFrom('job').select(['kind', 'state', countAll]).groupBy(['kind', 'state']))
