/** The job that indexes a space whose content came at once: a worker does it, or the command that brought the content. */
import { randomUUID } from 'node:crypto'
import type { Connection, Database } from '../../../store/database.ts'
import {
  deleteJob,
  enqueue,
  type JobRow,
  leaseByKey,
  leaseMilliseconds,
  newLeaseEnd,
  putBack,
  renewLeases,
} from '../../../store/jobs.ts'

const kind = 'index'

export const enqueueIndex = (tx: Connection, spaceId: string): Promise<boolean> =>
  enqueue(tx, { kind, payload: { space: spaceId }, uniqueKey: spaceId })

/**
 * Held by a command, which has read every text already, and two that index one space undo each other's steps. Workers leave the
 * job alone for as long as the command lives.
 */
export class IndexLease {
  readonly #owner = `command:${process.pid}:${randomUUID().slice(0, 8)}`
  #job: JobRow | undefined

  /** In the transaction that moves the content. It may be run again. */
  async take(tx: Connection, spaceId: string): Promise<void> {
    this.#job = await leaseByKey(tx, { kind, key: spaceId, owner: this.#owner, until: newLeaseEnd() })
  }

  /** Does the job's work, and ends it; one that fails is left to the workers. */
  async carryOut(db: Database, work: () => Promise<void>): Promise<void> {
    const renew = () => renewLeases(db, { owner: this.#owner, until: newLeaseEnd() }).catch(() => [])
    const timer = this.#job && setInterval(renew, leaseMilliseconds / 3)
    try {
      await work()
      await this.#end(db, (tx, job) => deleteJob(tx, { id: job.id, owner: this.#owner, attempt: job.attempts }))
    } catch (error) {
      await this.#end(db, (tx, job) =>
        putBack(tx, { job, owner: this.#owner, runAt: new Date().toISOString(), attempts: 0, lastError: null }),
      ).catch(() => {})
      throw error
    } finally {
      clearInterval(timer)
    }
  }

  async #end(db: Database, end: (tx: Connection, job: JobRow) => Promise<boolean>): Promise<void> {
    const job = this.#job
    if (job) await db.transaction((tx) => end(tx, job))
  }
}
