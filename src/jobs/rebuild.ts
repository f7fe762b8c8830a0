/**
 * Makes again what is derived from other rows and therefore left out of backups (`derived` in store/upkeep/table-list.ts). A restore
 * and a copy write this job; the first worker that runs afterwards does it.
 *
 * Each step may be repeated, and must leave the same result however often it runs.
 */
import { printSpaces } from '../domain/content/markdown/print-spaces.ts'
import { indexSpace } from '../domain/content/write/index-space.ts'
import type { Environment } from '../domain/environment.ts'
import { renderShown } from '../domain/sites/render-ahead.ts'
import { forgetSpaceLinks } from '../store/content/link-rows.ts'
import { updateSpace } from '../store/content/spaces.ts'
import type { Connection, Database } from '../store/database.ts'
import { removeSpace } from '../store/search-index/write.ts'
import { listSpaceIds } from '../store/upkeep/rebuild.ts'
import type { JobKind } from './kinds.ts'
import { packContent } from './pack.ts'

export interface RebuildStep {
  /** What it makes, in the words of the log. */
  name: string
  run(parts: { db: Database; env: Environment; signal: AbortSignal }): Promise<void>
}

const rebuildSteps: readonly RebuildStep[] = [
  { name: 'the search index', run: indexSpaces },
  { name: 'the packed form of content', run: packContent },
  { name: 'the Markdown of pages', run: async ({ db, signal }) => void (await printSpaces(db, signal)) },
  {
    name: 'the wish for rendered parts of pages',
    run: ({ db }) => db.transaction(async (tx) => void (await renderShown(tx))),
  },
]

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

async function indexSpaces(parts: Parameters<RebuildStep['run']>[0]): Promise<void> {
  const { db, signal } = parts
  const failures: string[] = []
  for (let after = ''; ; ) {
    const spaces = await listSpaceIds(db, { after, limit: 100 })
    for (const { id } of spaces) {
      if (signal.aborted) return
      // One space that cannot be indexed leaves the others to be found.
      try {
        await db.transaction((tx) => forgetIndex(tx, id), { lock: id })
        await indexSpace(parts, id)
      } catch (error) {
        failures.push(`space ${id}: ${error instanceof Error ? error.message : error}`)
      }
    }
    const last = spaces.at(-1)
    if (!last) break
    after = last.id
  }
  if (failures.length > 0) throw new Error(`${failures.length} not indexed; ${failures.slice(0, 5).join('; ')}`)
}

/** Takes away what search and links hold of a space, and says that all of its pages are still to come. */
async function forgetIndex(tx: Connection, id: string): Promise<void> {
  // A backup brings links along, and a run that broke off has left pages behind.
  await forgetSpaceLinks(tx, { spaceId: id })
  await removeSpace(tx, id)
  await updateSpace(tx, id, { indexedUpTo: '' })
}
