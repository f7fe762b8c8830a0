/**
 * Removes for good what has expired, once an hour.
 *
 * Each step removes one kind of thing in small transactions of its own and may be repeated at any time, so a purge that is
 * killed is simply run again. A room that keeps things with an end adds its step to the list.
 */

import type { Environment } from '../domain/environment.ts'
import { idleSince } from '../domain/sessions/session.ts'
import { claimDays } from '../domain/sites/hostnames.ts'
import { sweepTemporaryFolders } from '../platform/imports/temporary.ts'
import type { Database } from '../store/database.ts'
import { deletePresenceBefore } from '../store/events/presence.ts'
import { deleteKeysBefore } from '../store/idempotency.ts'
import { deleteRunsBefore } from '../store/imports/runs.ts'
import { deleteFailedJobsBefore } from '../store/jobs.ts'
import { deleteRenderedPartsBefore } from '../store/packed/rendered-parts.ts'
import { deleteGuessesBefore } from '../store/people/guesses.ts'
import { deleteEndedLinks, deleteEndedSessions } from '../store/people/sessions.ts'
import { deleteEndedAssertions, deleteEndedSsoRequests } from '../store/people/sso.ts'
import { dropClaimsBefore } from '../store/sites/sites.ts'
import { deleteVisitorTokensBefore } from '../store/sites/visitor-tokens.ts'
import { listExpiredSpaces, purgeSpace } from '../store/upkeep/purge.ts'
import type { JobKind } from './kinds.ts'

const hour = 60 * 60 * 1000
const day = 24 * hour

export interface PurgeStep {
  /** What it removes, in the words of the log. */
  name: string
  /** How many it removed. */
  run(parts: { db: Database; env: Environment; now: Date; signal: AbortSignal }): Promise<number>
}

const purgeSteps: readonly PurgeStep[] = [
  { name: 'idempotency keys', run: ({ db, now }) => deleteKeysBefore(db, { oldest: before(now, day) }) },
  {
    name: 'sessions',
    run: ({ db, now }) => deleteEndedSessions(db, { now: now.toISOString(), idleSince: idleSince(now.toISOString()) }),
  },
  { name: 'sign-in links', run: ({ db, now }) => deleteEndedLinks(db, { now: now.toISOString() }) },
  { name: 'single sign-ons', run: ({ db, now }) => deleteEndedSsoRequests(db, { now: now.toISOString() }) },
  { name: 'used assertions', run: ({ db, now }) => deleteEndedAssertions(db, { now: now.toISOString() }) },
  { name: 'counts of guesses', run: ({ db, now }) => deleteGuessesBefore(db, { oldest: before(now, hour) }) },
  { name: 'spaces', run: purgeSpaces },
  { name: 'tokens of visitors', run: ({ db, now }) => deleteVisitorTokensBefore(db, { now: now.toISOString() }) },
  { name: 'unproved host names', run: ({ db, now }) => dropClaimsBefore(db, { oldest: before(now, claimDays * day) }) },
  { name: 'failed jobs', run: ({ db, now }) => deleteFailedJobsBefore(db, { oldest: before(now, 30 * day) }) },
  { name: 'presence', run: ({ db, now }) => deletePresenceBefore(db, { oldest: before(now, hour) }) },
  { name: 'runs of imports', run: ({ db, now }) => deleteRunsBefore(db, { oldest: before(now, 90 * day) }) },
  {
    name: 'unused parts of pages',
    run: ({ db, now }) => deleteRenderedPartsBefore(db, { oldest: before(now, 30 * day).slice(0, 10) }),
  },
  { name: 'folders of imports', run: ({ now }) => sweepTemporaryFolders(now) },
  { name: 'unfinished files', run: ({ env }) => env.blobs.sweepTemporary() },
]

export const purge: JobKind = {
  every: hour,
  milliseconds: hour,
  async run({ db, env, log, signal }) {
    const now = new Date()
    const failures: unknown[] = []
    for (const step of purgeSteps) {
      if (signal.aborted) return
      try {
        const removed = await step.run({ db, env, now, signal })
        if (removed > 0) log.info({ removed }, `purged ${step.name}`)
      } catch (error) {
        // One step that fails must not keep the others from their work.
        failures.push(error)
      }
    }
    if (failures.length > 0) throw new AggregateError(failures, failures.map(String).join('; '))
  },
}

async function purgeSpaces({ db, now, signal }: { db: Database; now: Date; signal: AbortSignal }): Promise<number> {
  const deletedBefore = before(now, 7 * day)
  let removed = 0
  for (;;) {
    const spaces = await listExpiredSpaces(db, { deletedBefore, limit: 50 })
    let progress = 0
    for (const { id } of spaces) {
      if (signal.aborted) return removed
      if (await db.transaction((tx) => purgeSpace(tx, { id, deletedBefore }), { lock: id })) progress++
    }
    removed += progress
    // Nothing removed although some were listed: others are at it.
    if (progress === 0) return removed
  }
}

const before = (now: Date, milliseconds: number): string => new Date(now.getTime() - milliseconds).toISOString()
