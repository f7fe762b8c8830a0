/**
 * A worker: leases jobs, runs them, renews its leases, and lets go of them when it stops.
 *
 * It looks once a second, and at once when this process writes a job. Looking is one small read, so an idle worker costs
 * next to nothing. A worker that is killed renews no more: when its leases run out, others take its jobs over.
 */

import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { ApiError } from '../core/errors.ts'
import { cutTo } from '../core/text.ts'
import type { Environment } from '../domain/environment.ts'
import type { Log } from '../platform/log.ts'
import { jobRuns, jobSeconds } from '../platform/metrics.ts'
import type { Connection, Database, TransactionOptions } from '../store/database.ts'
import * as store from '../store/jobs.ts'
import { JobFailed, type JobKind, type JobKinds, type JobRun, LeaseLost } from './kinds.ts'

export interface WorkerOptions {
  db: Database
  env: Environment
  log: Log
  handlers: JobKinds
  /** Jobs at once in this process (4). */
  concurrency?: number
  /** 15 s, unless a test has less time. */
  leaseMilliseconds?: number
  pollMilliseconds?: number
  /** The first wait before a retry (2 s); each further one is twice as long, up to a quarter of an hour. */
  retryMilliseconds?: number
}

export interface Worker {
  start(): Promise<void>
  /**
   * Takes no more jobs, lets those under way finish, and after `milliseconds` calls them off and gives them back; those in the
   * background at once.
   */
  stop(options?: { milliseconds?: number }): Promise<void>
}

const longestRetryMilliseconds = 15 * 60 * 1000
/** How often the end of a job is to be stored while the database is away. */
const mostTries = 5

const isPassing = (error: unknown): boolean => error instanceof ApiError && error.status >= 500

interface Held {
  job: store.JobRow
  abort: AbortController
  done: Promise<void>
}

export function makeWorker(options: WorkerOptions): Worker {
  return new QueueWorker(options)
}

class QueueWorker implements Worker {
  readonly #options: Required<WorkerOptions>
  readonly #owner = `${hostname()}:${process.pid}:${randomUUID().slice(0, 8)}`
  readonly #held = new Map<string, Held>()
  readonly #wanted: store.WantedKinds
  readonly #findDue: ReturnType<typeof store.dueJobsOf>
  #timers: NodeJS.Timeout[] = []
  #stopListening: (() => void) | undefined
  #looking: Promise<void> | undefined
  #pollAgain = false
  #stopped = true

  constructor(options: WorkerOptions) {
    this.#options = {
      concurrency: 4,
      leaseMilliseconds: store.leaseMilliseconds,
      pollMilliseconds: 1000,
      retryMilliseconds: 2000,
      ...options,
    }
    this.#wanted = wantedKinds(options.handlers)
    this.#findDue = store.dueJobsOf(this.#wanted)
  }

  async start(): Promise<void> {
    const { db, handlers, pollMilliseconds, leaseMilliseconds } = this.#options
    this.#stopped = false
    for (const [kind, { every }] of Object.entries(handlers)) {
      if (every !== undefined)
        await this.#untilThere(() => store.ensureSchedule(db, { kind, next: () => nextSlot(every) }))
    }
    if (this.#stopped) return
    this.#stopListening = store.onEnqueued(() => this.#poll())
    this.#timers = [
      setInterval(() => this.#poll(), pollMilliseconds),
      setInterval(() => this.#renew(), leaseMilliseconds / 3),
    ]
    this.#poll()
  }

  /** A database that goes away while the process starts comes back; the process that waits for it must not end. */
  async #untilThere(work: () => Promise<void>): Promise<void> {
    while (!this.#stopped) {
      try {
        return await work()
      } catch (error) {
        if (!(error instanceof ApiError) || error.status < 500) throw error
        this.#options.log.warn({ err: error }, 'recurring jobs could not be scheduled yet')
        await sleep(this.#options.pollMilliseconds)
      }
    }
  }

  async stop({ milliseconds = 5000 }: { milliseconds?: number } = {}): Promise<void> {
    this.#stopped = true
    this.#stopListening?.()
    clearInterval(this.#timers[0])
    await this.#looking
    const inBackground = [...this.#held.values()].filter(({ job }) => this.#wanted.background.includes(job.kind))
    await Promise.all(inBackground.map((held) => this.#release(held)))
    const finished = await within(milliseconds, Promise.all([...this.#held.values()].map(({ done }) => done)))
    if (!finished) await Promise.all([...this.#held.values()].map((held) => this.#release(held)))
    for (const timer of this.#timers) clearInterval(timer)
  }

  /** Looks for jobs now; one look at a time, and once more when something was written meanwhile. */
  #poll(): void {
    if (this.#stopped) return
    if (this.#looking) {
      this.#pollAgain = true
      return
    }
    this.#looking = this.#lease()
      .catch((error) => this.#options.log.warn({ err: error }, 'jobs could not be looked for'))
      .finally(() => {
        this.#looking = undefined
        if (!this.#pollAgain) return
        this.#pollAgain = false
        this.#poll()
      })
  }

  async #lease(): Promise<void> {
    const { db, concurrency, leaseMilliseconds } = this.#options
    const limit = concurrency - this.#held.size
    const now = new Date()
    if (limit <= 0 || this.#wanted.kinds.length === 0) return
    if (!(await this.#findDue(db, { now: now.toISOString() }))) return
    const until = store.newLeaseEnd(leaseMilliseconds)
    const jobs = await store.leaseJobs(db, {
      ...this.#wanted,
      limit,
      owner: this.#owner,
      now: now.toISOString(),
      until,
    })
    for (const job of jobs) this.#begin(job)
  }

  #begin(job: store.JobRow): void {
    const kind = this.#options.handlers[job.kind]
    if (!kind) return
    const abort = new AbortController()
    const held: Held = { job, abort, done: Promise.resolve() }
    this.#held.set(job.id, held)
    held.done = this.#run(kind, held).finally(() => {
      this.#held.delete(job.id)
      // There is room for another, and often another is due.
      this.#poll()
    })
  }

  async #run(kind: JobKind, { job, abort }: Held): Promise<void> {
    const log = this.#options.log.child({ job: job.id, kind: job.kind, attempt: job.attempts })
    const milliseconds = kind.milliseconds ?? 10 * 60 * 1000
    const timer = setTimeout(() => abort.abort(new Error(`The job took longer than ${milliseconds} ms.`)), milliseconds)
    const began = performance.now()
    try {
      if (job.attempts > attemptsOf(kind)) throw new JobFailed('Its worker was killed each time it ran.')
      await Promise.race([kind.run(this.#contextOf(job, abort.signal, log)), aborted(abort.signal)])
      await this.#options.db.transaction((tx) => this.#end(tx, job))
      jobRuns.inc({ kind: job.kind, outcome: 'done' })
      log.debug({ milliseconds: Math.round(performance.now() - began) }, 'job done')
    } catch (error) {
      // A worker that stops has given the job back already; one whose lease is lost has no say any more.
      const isLost = error instanceof LeaseLost || abort.signal.reason instanceof LeaseLost
      if (isLost) log.info('job left to another worker')
      const outcome = isLost ? 'lost' : await this.#retry(kind, job, toError(error), log)
      jobRuns.inc({ kind: job.kind, outcome })
    } finally {
      clearTimeout(timer)
      jobSeconds.observe({ kind: job.kind }, (performance.now() - began) / 1000)
      // Whatever the job left running is called off.
      abort.abort(new LeaseLost('The job has ended.'))
    }
  }

  #contextOf(job: store.JobRow, signal: AbortSignal, log: Log): JobRun<unknown> {
    const { db, env } = this.#options
    const complete = async (tx: Connection): Promise<void> => {
      if (!(await this.#end(tx, job))) throw new LeaseLost('Another worker has taken the job over.')
    }
    const finish = <T>(effect: (tx: Connection) => Promise<T>, options: TransactionOptions = {}): Promise<T> =>
      db.transaction(async (tx) => {
        const result = await effect(tx)
        await complete(tx)
        return result
      }, options)
    const payload: unknown = JSON.parse(job.payload)
    return { id: job.id, payload, attempt: job.attempts, db, env, log, signal, finish, complete }
  }

  /** Deletes the job, or lets a recurring one wait for its next time; false when it is no longer held. */
  #end(tx: Connection, job: store.JobRow): Promise<boolean> {
    const every = this.#options.handlers[job.kind]?.every
    if (every === undefined || !store.isScheduled(job)) return store.deleteJob(tx, this.#leaseOf(job))
    return store.putBack(tx, { job, owner: this.#owner, runAt: nextSlot(every), attempts: 0, lastError: null })
  }

  async #retry(kind: JobKind, job: store.JobRow, error: Error, log: Log): Promise<'retried' | 'failed'> {
    const { db } = this.#options
    const lastError = cutTo(error.message, 2000)
    const isOver = error instanceof JobFailed || job.attempts >= attemptsOf(kind)
    log[isOver ? 'error' : 'warn']({ err: error }, isOver ? 'job failed' : 'job will be retried')
    const end = (tx: Connection): Promise<unknown> => {
      if (!isOver) {
        const runAt = new Date(Date.now() + this.#backOff(job.attempts)).toISOString()
        return store.putBack(tx, { job, owner: this.#owner, runAt, attempts: job.attempts, lastError })
      }
      if (kind.every !== undefined && store.isScheduled(job))
        return store.putBack(tx, { job, owner: this.#owner, runAt: nextSlot(kind.every), attempts: 0, lastError })
      return this.#giveUp(tx, kind, job, error)
    }
    for (let tries = 1; tries <= mostTries; tries++) {
      try {
        await db.transaction(end)
        break
      } catch (failure) {
        log.error({ err: failure }, 'the end of a job could not be stored')
        if (isPassing(failure)) await sleep(this.#backOff(tries))
        else {
          // What was to be told could not be: give the job up without, or it would come back for ever.
          if (isOver) await store.failJob(db, { ...this.#leaseOf(job), lastError }).catch(() => {})
          break
        }
      }
      // Should it fail each time, the lease runs out by itself, and the job is tried again.
    }
    return isOver ? 'failed' : 'retried'
  }

  /** Tells whoever waits for it, unless another worker has it now. */
  async #giveUp(tx: Connection, kind: JobKind, job: store.JobRow, error: Error): Promise<void> {
    const lastError = cutTo(error.message, 2000)
    if (!(await store.failJob(tx, { ...this.#leaseOf(job), lastError }))) return
    await kind.failed?.(tx, { id: job.id, payload: JSON.parse(job.payload), env: this.#options.env }, error)
  }

  #backOff(attempts: number): number {
    const full = Math.min(longestRetryMilliseconds, this.#options.retryMilliseconds * 2 ** (attempts - 1))
    // Jobs that failed together must not come back together.
    return full * (0.5 + Math.random() / 2)
  }

  #leaseOf(job: store.JobRow): store.Lease {
    return { id: job.id, owner: this.#owner, attempt: job.attempts }
  }

  #renew(): void {
    if (this.#held.size === 0) return
    const until = store.newLeaseEnd(this.#options.leaseMilliseconds)
    const asked = [...this.#held.values()]
    store.renewLeases(this.#options.db, { owner: this.#owner, until }).then(
      (rows) => {
        const still = new Set(rows.map(({ id }) => id))
        for (const { job, abort } of asked) {
          if (!still.has(job.id) && this.#held.has(job.id)) abort.abort(new LeaseLost('The lease is lost.'))
        }
      },
      (error) => this.#options.log.warn({ err: error }, 'leases could not be renewed'),
    )
  }

  async #release({ job, abort }: Held): Promise<void> {
    abort.abort(new LeaseLost('The worker stops.'))
    const attempts = job.attempts - 1
    const back = { job, owner: this.#owner, runAt: new Date().toISOString(), attempts, lastError: job.lastError }
    await this.#options.db
      .transaction((tx) => store.putBack(tx, back))
      .catch((error) => {
        this.#options.log.warn({ err: error }, 'a job could not be given back: its lease will run out')
      })
  }
}

function wantedKinds(handlers: JobKinds): store.WantedKinds {
  const kinds = Object.keys(handlers)
  return { kinds, background: kinds.filter((kind) => handlers[kind]?.background) }
}

const attemptsOf = (kind: JobKind): number => kind.attempts ?? 8

/** The next full interval since the epoch: the same moment in every process. */
const nextSlot = (every: number): string => new Date((Math.floor(Date.now() / every) + 1) * every).toISOString()

const toError = (error: unknown): Error => (error instanceof Error ? error : new Error(String(error)))

/** Rejects when the signal is aborted. */
const aborted = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(toError(signal.reason)), { once: true })
  })

/** True when it was done in time. */
async function within(milliseconds: number, work: Promise<unknown>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), milliseconds)
  })
  const inTime = await Promise.race([work.then(() => true), late])
  clearTimeout(timer)
  return inTime
}
