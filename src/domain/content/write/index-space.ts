/**
 * Makes search and links of a space whose content came at once (a copy), some pages at a time, in the order of their ids.
 *
 * 1. How far it has come stands in the row of the space, moved on in the transaction that indexed those pages: whoever goes
 *    on after a kill begins where it stopped.
 * 2. Edits index what they change themselves. A page behind the mark that an edit has indexed is indexed once more, with
 *    the same result; one before it is the edit's alone.
 * 3. What a step writes is worked out before its transaction, from the revision that the space is at then. If it has moved on
 *    meanwhile, that is done again; where it always does, inside the transaction.
 * 4. Where others wait meanwhile, a step is as many pages as hold the transaction for about `milliseconds`; a command, whose
 *    event loop nobody waits for, takes longer ones: each step costs the same beside its pages. The numbers behind this are in
 *    docs/benchmarks/copy.md and docs/benchmarks/import.md.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { entries } from '../../../core/revision/map.ts'
import type { PageRecord } from '../../../core/revision/records.ts'
import type { Extracts } from '../../../core/search/extract.ts'
import { readContent } from '../../../store/content/content.ts'
import { findRevision, type RevisionRow } from '../../../store/content/revisions.ts'
import { findSpace, type SpaceRow, updateSpace } from '../../../store/content/spaces.ts'
import type { Connection, Database, EngineName } from '../../../store/database.ts'
import { KnownWords } from '../../../store/search-index/known-words.ts'
import { mergeEqualParts, mergeIndex } from '../../../store/search-index/merge.ts'
import type { Putting } from '../../../store/search-index/write.ts'
import type { Environment } from '../../environment.ts'
import type { LinkContext } from '../links/link-status.ts'
import { takeExtracts } from './fresh-extracts.ts'
import { indexPreparedPages, type PreparedPages, preparePages } from './publish.ts'

/**
 * How long a step holds its transaction, and how long a pause follows it, in times of all that the step took. On SQLite a step
 * holds the event loop and the only writer (docs/benchmarks/copy.md has what other paces cost). On PostgreSQL it waits for answers and holds writers of its own space alone, and
 * small steps would cost twice as much a page; but the database writes much, for which others wait.
 */
const paces: Record<EngineName, { milliseconds: number; pause: number }> = {
  sqlite: { milliseconds: 3, pause: 1.5 },
  postgres: { milliseconds: 40, pause: 1 },
}
/** So often what a step writes is worked out before its transaction and found to be stale in it. */
const mostPreparedAhead = 3
/** Of a command: whoever writes beside it waits no longer than this. */
export const longStepMilliseconds = 100
const mostPages = 100
/** A search asks every part of the index, and of two hundred FTS5 would make one at a stretch. */
const mostParts = 64
const mostPauseMilliseconds = 100

export interface IndexSteps {
  wantedMilliseconds?: number
  /** Called with the pages of a step when it is committed, while their documents are at hand. */
  afterStep?: (pages: readonly PageRecord[]) => Promise<void>
}

export async function indexSpace(
  { db, env, signal }: { db: Database; env: Environment; signal: AbortSignal },
  spaceId: string,
  { wantedMilliseconds, afterStep }: IndexSteps = {},
): Promise<void> {
  const { milliseconds, pause } =
    wantedMilliseconds === undefined ? paces[db.engine] : { milliseconds: wantedMilliseconds, pause: 0 }
  // A command leaves each step as a part of the index of its own, and merges many at once: each is written again once, not several times.
  const leavesOrder = wantedMilliseconds !== undefined && db.engine === 'sqlite'
  const putting: Putting = {
    known: new KnownWords(),
    leavesOrder,
    ...(db.engine === 'sqlite' ? { milliseconds } : {}),
  }
  // Documents that were read here a moment ago are not read again.
  const extracts = takeExtracts(db.caches, spaceId)
  const pace = { milliseconds, pause, signal }
  let parts = 0
  let size = 4
  let stale = 0
  for (;;) {
    signal.throwIfAborted()
    const began = performance.now()
    const ahead = stale < mostPreparedAhead ? await prepareStep(db, env, { spaceId, size, extracts }) : undefined
    let entered = 0
    // What it let others do first is neither held nor worked.
    let waited = () => 0
    let waitedBefore = 0
    let step = ahead
    const outcome = await db.transaction(
      async (tx) => {
        entered = performance.now()
        waitedBefore = tx.waitedForOthers?.() ?? 0
        waited = () => tx.waitedForOthers?.() ?? 0
        step = ahead ?? (await prepareStep(tx, env, { spaceId, size, extracts }))
        return step ? storeStep(tx, step, putting) : 'done'
      },
      { lock: spaceId, derived: true },
    )
    const ended = performance.now()
    stale = outcome === 'stale' ? stale + 1 : 0
    if (stale > 0) continue
    await afterStep?.(step?.prepared.pages ?? [])
    if (outcome === 'done') break
    parts += 1
    if (leavesOrder && parts % mostParts === 0) await mergeEqualParts(db, pace)
    const worked = Math.min(ended - began - waited(), mostPauseMilliseconds)
    if (pause > 0) await sleep(pause * worked, undefined, { signal })
    const held = Math.max(ended - entered - (waited() - waitedBefore), 1)
    size = Math.max(1, Math.min(mostPages, Math.round((size * milliseconds) / held), size * 2))
  }
  const isMerged = await mergeIndex(db, pace)
  if (leavesOrder && !isMerged) await mergeEqualParts(db, pace)
}

interface Progress {
  space: SpaceRow
  revision: RevisionRow
  after: string
}

/** Where the space is now, if it is there and not indexed yet. */
async function progressOf(db: Connection, spaceId: string): Promise<Progress | undefined> {
  const space = await findSpace(db, { id: spaceId })
  if (!space || space.indexedUpTo === null) return undefined
  const revision = await findRevision(db, { id: space.revisionId, spaceId })
  if (!revision) throw new Error('A space points at a revision of its own.')
  return { space, revision, after: space.indexedUpTo }
}

async function pagesFrom(db: Connection, { revision, after }: Progress, limit: number): Promise<PageRecord[]> {
  const from = after === '' ? '' : `${after}\0`
  return (await entries<PageRecord>(readContent(db), revision.content.pages, { from, limit })).map(([, page]) => page)
}

/** The next pages of a space that is not indexed yet, and what search and links will hold of them. */
interface Step {
  progress: Progress
  context: Omit<LinkContext, 'db' | 'reader'>
  prepared: PreparedPages
  isLast: boolean
}

async function prepareStep(
  db: Connection,
  { urls }: Environment,
  { spaceId, size, extracts }: { spaceId: string; size: number; extracts: Extracts | undefined },
): Promise<Step | undefined> {
  const progress = await progressOf(db, spaceId)
  if (!progress) return undefined
  const pages = await pagesFrom(db, progress, size)
  const reader = readContent(db)
  const read = pages.flatMap(({ document }) => document ?? [])
  await reader.documentsAhead(read.filter((hash) => !extracts?.has(hash)))
  const { organizationId } = progress.space
  const context = { content: progress.revision.content, spaceId, organizationId, appUrl: urls.app, extracts }
  const prepared = await preparePages({ ...context, db, reader }, pages)
  return { progress, context, prepared, isLast: pages.length < size }
}

async function storeStep(
  tx: Connection,
  { progress, context, prepared, isLast }: Step,
  putting: Putting,
): Promise<'more' | 'done' | 'stale'> {
  const now = await findSpace(tx, { id: context.spaceId })
  if (!now || now.indexedUpTo === null) return 'done'
  if (now.revisionId !== progress.revision.id || now.indexedUpTo !== progress.after) return 'stale'
  await indexPreparedPages(tx, { ...context, db: tx, reader: readContent(tx) }, prepared, putting)
  await updateSpace(tx, now.id, { indexedUpTo: isLast ? null : (prepared.pages.at(-1)?.id ?? null) })
  return isLast ? 'done' : 'more'
}
