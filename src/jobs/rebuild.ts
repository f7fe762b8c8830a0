/**
 * Makes again what is derived from other rows and therefore left out of backups (`derived` in store/table-list.ts). A restore
 * and a copy write this job; the first worker that runs afterwards does it.
 *
 * Each step may be repeated, and must leave the same result however often it runs.
 */
import type { Environment } from '../domain/scope.ts'
import type { Database } from '../store/database.ts'
import type { JobKind } from './kinds.ts'

export interface RebuildStep {
  /** What it makes, in the words of the log. */
  name: string
  run(parts: { db: Database; env: Environment; signal: AbortSignal }): Promise<void>
}

export const rebuildSteps: readonly RebuildStep[] = []

export const rebuild: JobKind = {
  milliseconds: 6 * 60 * 60 * 1000,
  async run({ db, env, log, signal }) {
    for (const step of rebuildSteps) {
      const began = performance.now()
      await step.run({ db, env, signal })
      log.info({ milliseconds: Math.round(performance.now() - began) }, `rebuilt ${step.name}`)
    }
  },
}
