/**
 * What a kind of job is. `index.ts` lists them all; a worker runs them.
 *
 * The effect of a job happens exactly once although it may start several times: what it changes in the database is
 * written in the transaction that ends it (`finish`), and a worker that lost its lease cannot end it.
 */
import type { Environment } from '../domain/environment.ts'
import type { Log } from '../platform/log.ts'
import type { Connection, Database } from '../store/database.ts'

export interface JobRun<P> {
  id: string
  payload: P
  /** 1 for the first time. */
  attempt: number
  db: Database
  env: Environment
  log: Log
  /** Aborted when the time is up, the lease is lost or the process stops: give up whatever is under way. */
  signal: AbortSignal
  /**
   * Runs the effect in the transaction that ends the job: both happen or neither. Throws `LeaseLost`, and undoes the effect,
   * when another worker has taken the job over.
   */
  finish<T>(effect: (tx: Connection) => Promise<T>, options?: { lock?: string }): Promise<T>
  /** The same for a transaction that the handler opened itself: call it last. */
  complete(tx: Connection): Promise<void>
}

export interface JobKind<P = unknown> {
  /** Starts before the job is given up (8). */
  attempts?: number
  /** One start is cut off after this long (10 minutes). */
  milliseconds?: number
  /** A recurring job: every so many milliseconds, counted from the epoch, once for all processes together. */
  every?: number
  /** Work that nobody waits for: begun after all else that is due, and one of its kind at a time. Its jobs have unique keys. */
  background?: boolean
  /** A job that returns without `finish` or `complete` is ended for it. */
  run(job: JobRun<P>): Promise<void>
  /** Told in the transaction that gives the job up, so that what it worked for can say so. */
  failed?(tx: Connection, job: { id: string; payload: P; env: Environment }, error: Error): Promise<void>
}

export type JobKinds = Readonly<Record<string, JobKind>>

/** A kind whose payload is checked before it runs: a zod schema, or anything else that parses. */
export function defineJob<P>({
  payload,
  run,
  failed,
  ...rest
}: JobKind<P> & { payload: { parse(value: unknown): P } }): JobKind {
  return {
    ...rest,
    run: (job) => run({ ...job, payload: payload.parse(job.payload) }),
    ...(failed
      ? { failed: (tx, job, error) => failed(tx, { ...job, payload: payload.parse(job.payload) }, error) }
      : {}),
  }
}

/** Thrown by a job that no retry can help: it is given up at once. */
export class JobFailed extends Error {
  override name = 'JobFailed'
}

/** Another worker has the job now; nothing that this one did is kept. */
export class LeaseLost extends Error {
  override name = 'LeaseLost'
}
