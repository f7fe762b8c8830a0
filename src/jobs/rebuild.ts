/**
 * Makes again what is derived from other rows and therefore left out of backups (`derived` in store/upkeep/table-list.ts). A restore
 * and a copy write this job; the first worker that runs afterwards does it.
 *
 * Each step may be repeated, and must leave the same result however often it runs.
 */
import { indexWholeSpace } from '../domain/content/write/publish.ts'
import type { Environment } from '../domain/environment.ts'
import { forgetSpaceLinks } from '../store/content/links.ts'
import { findRevision } from '../store/content/revisions.ts'
import { findSpace } from '../store/content/spaces.ts'
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

async function indexSpaces({
  db,
  env,
  signal,
}: {
  db: Database
  env: Environment
  signal: AbortSignal
}): Promise<void> {
  const failures: string[] = []
  for (let after = ''; ; ) {
    const spaces = await listSpaceIds(db, { after, limit: 100 })
    for (const { id } of spaces) {
      if (signal.aborted) return
      // One space that cannot be indexed leaves the others to be found.
      await db
        .transaction((tx) => indexSpace(tx, id, env), { lock: id })
        .catch((error: unknown) => failures.push(`space ${id}: ${error instanceof Error ? error.message : error}`))
    }
    const last = spaces.at(-1)
    if (!last) break
    after = last.id
  }
  if (failures.length > 0) throw new Error(`${failures.length} not indexed; ${failures.slice(0, 5).join('; ')}`)
}

/** Where the space is when its turn comes: it may have moved on, or be gone, since it was listed. */
async function indexSpace(tx: Connection, id: string, { urls }: Environment): Promise<void> {
  const space = await findSpace(tx, { id })
  const revision = space && (await findRevision(tx, { id: space.revisionId, spaceId: id }))
  if (!space || !revision) return
  const { organizationId } = space
  // A backup brings links along, and a run that broke off has left pages behind.
  await forgetSpaceLinks(tx, { spaceId: id })
  await removeSpace(tx, id)
  const now = new Date().toISOString()
  await indexWholeSpace(tx, { spaceId: id, organizationId, content: revision.content, appUrl: urls.app, now })
}
