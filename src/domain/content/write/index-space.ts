/**
 * Makes search and links of a space whose content came at once (a copy), some pages at a time, in the order of their ids.
 *
 * 1. How far it has come stands in the row of the space, moved on in the transaction that indexed those pages: whoever goes
 *    on after a kill begins where it stopped.
 * 2. Edits index what they change themselves. A page behind the mark that an edit has indexed is indexed once more, with
 *    the same result; one before it is the edit's alone.
 * 3. What a step needs is read before its transaction. Where others wait meanwhile, a step is as many pages as take about
 *    `milliseconds`; a command, whose event loop nobody waits for, takes longer ones: each step costs the same beside its
 *    pages. The numbers behind this are in docs/benchmarks/copy.md.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { entries } from '../../../core/revision/map.ts'
import type { PageRecord } from '../../../core/revision/records.ts'
import { readContent } from '../../../store/content/content.ts'
import { findRevision, type RevisionRow } from '../../../store/content/revisions.ts'
import { findSpace, type SpaceRow, updateSpace } from '../../../store/content/spaces.ts'
import type { Connection, Database, EngineName } from '../../../store/database.ts'
import type { Environment } from '../../environment.ts'
import { indexSomePages } from './publish.ts'

/**
 * How long a step is, and how long a pause follows it, as a part of the step. On SQLite a step holds the event loop and the
 * only writer. On PostgreSQL it waits for answers and holds writers of its own space alone, and small steps would cost twice
 * as much a page; but the database writes much, for which others wait.
 */
const paces: Record<EngineName, { milliseconds: number; pause: number }> = {
  sqlite: { milliseconds: 5, pause: 0 },
  postgres: { milliseconds: 40, pause: 1 },
}
/** Of a command: whoever writes beside it waits no longer than this. */
export const longStepMilliseconds = 100
const mostPages = 100
const mostPauseMilliseconds = 100

export interface IndexSteps {
  wantedMilliseconds?: number
  /** Called with the pages of a step when it is committed, while their documents are at hand. */
  afterStep?: (pages: readonly PageRecord[]) => Promise<void>
}

export async function indexSpace(
  parts: { db: Database; env: Environment; signal: AbortSignal },
  spaceId: string,
  { wantedMilliseconds, afterStep }: IndexSteps = {},
): Promise<void> {
  const { db, signal } = parts
  const { milliseconds, pause } =
    wantedMilliseconds === undefined ? paces[db.engine] : { milliseconds: wantedMilliseconds, pause: 0 }
  let size = 4
  for (;;) {
    signal.throwIfAborted()
    const pages = await readAhead(db, spaceId, size)
    let began = 0
    const isDone = await db.transaction(
      (tx) => {
        began = performance.now()
        return indexStep(tx, parts.env, { spaceId, size })
      },
      { lock: spaceId, derived: true },
    )
    const took = performance.now() - began
    await afterStep?.(pages)
    if (isDone) return
    if (pause > 0) await sleep(pause * Math.min(took, mostPauseMilliseconds), undefined, { signal })
    size = Math.max(1, Math.min(mostPages, Math.round((size * milliseconds) / Math.max(took, 1)), size * 2))
  }
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

async function readAhead(db: Database, spaceId: string, limit: number): Promise<PageRecord[]> {
  const progress = await progressOf(db, spaceId)
  if (!progress) return []
  const pages = await pagesFrom(db, progress, limit)
  await readContent(db).documentsAhead(pages.flatMap(({ document }) => document ?? []))
  return pages
}

async function indexStep(
  tx: Connection,
  { urls }: Environment,
  { spaceId, size }: { spaceId: string; size: number },
): Promise<boolean> {
  const progress = await progressOf(tx, spaceId)
  if (!progress) return true
  const pages = await pagesFrom(tx, progress, size)
  const last = pages.at(-1)
  const { organizationId } = progress.space
  const { content } = progress.revision
  if (last) await indexSomePages(tx, { spaceId, organizationId, appUrl: urls.app, content, pages })
  const isDone = last === undefined || pages.length < size
  await updateSpace(tx, spaceId, { indexedUpTo: isDone ? null : last.id })
  return isDone
}
