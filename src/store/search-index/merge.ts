/**
 * Merges the index into one part when much was written since it was one: a search asks each part, and each repeats the words
 * it shares with others (docs/benchmarks/cold-history.md).
 *
 * 1. It is done when a third of all sections was written since, so that each section is merged a few times at most, however
 *    many there are and in whatever portions they came.
 * 2. Each step is a transaction of its own that gives way to others, and leaves an index that answers as before. Whoever comes
 *    after a kill goes on with the merge: what was written is counted until it has ended.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Database } from '../database.ts'
import { first, run } from '../query.ts'
import { engineOf } from './engines.ts'

/** The share of all sections that is merged, being new. */
const share = 1 / 3

export interface MergePace {
  /** How long a step holds its transaction, about. */
  milliseconds: number
  /** How long a pause follows it, in times of what it took. */
  pause: number
  signal: AbortSignal
}

/** Whether it was done. */
export async function mergeIndex(db: Database, pace: MergePace): Promise<boolean> {
  if (!engineOf(db).mergeStep) return true
  const written = (await countWritten(db))?.sections ?? 0
  if (written === 0) return false
  // No thread is started for it where nobody waits for the event loop.
  const all = (await countSections(pace.pause > 0 ? db.slow : db))?.sections ?? 0
  if (written < share * all) return false
  await mergeParts(db, pace, { wholly: true })
  return true
}

/** Merges parts of the same size, of which there are many after many steps that left them, into larger ones. */
export const mergeEqualParts = (db: Database, pace: MergePace): Promise<void> => mergeParts(db, pace, { wholly: false })

async function mergeParts(
  db: Database,
  { milliseconds, pause, signal }: MergePace,
  { wholly }: { wholly: boolean },
): Promise<void> {
  const { mergeStep } = engineOf(db)
  if (!mergeStep) return
  let isFirst = wholly
  for (let isMore = true; isMore; ) {
    signal.throwIfAborted()
    const began = performance.now()
    isMore = await db.transaction(
      async (tx) => {
        const entered = performance.now()
        do {
          isMore = await mergeStep(tx, { isFirst })
          isFirst = false
        } while (isMore && performance.now() - entered < milliseconds)
        if (!isMore && wholly) await forgetWritten(tx)
        return isMore
      },
      { derived: true },
    )
    if (pause > 0 && isMore) await sleep(pause * (performance.now() - began), undefined, { signal })
  }
}

const countWritten = first((b) =>
  b.selectFrom('searchSpace').select(({ fn }) => fn.sum<number>('written').as('sections')),
)

const countSections = first((b) =>
  b.selectFrom('searchPage').select(({ fn }) => fn.sum<number>('entries').as('sections')),
)

const forgetWritten = run((b) => b.updateTable('searchSpace').set({ written: 0 }).where('written', '>', 0))
