/** How translations follow the spaces they are made from, and why nothing else changes them. */
import { fail } from '../../core/errors.ts'
import { findTranslationHeldBy, markPending, translationsFrom, wishWholeRun } from '../../store/content/translations.ts'
import type { Connection } from '../../store/database.ts'
import { enqueue } from '../../store/jobs.ts'

/** A series of saves is translated once. */
const saveMilliseconds = 60_000

/** A space that holds a translation is written by its runs and by nobody else. */
export async function refuseTranslated(db: Connection, spaceId: string): Promise<void> {
  if (await findTranslationHeldBy(db, { spaceId })) throw fail('space_translated')
}

/** The main content of a space has moved on: what is translated from it runs again, at once after a merge. */
export async function followSource(
  tx: Connection,
  { spaceId, isMerge, now }: { spaceId: string; isMerge: boolean; now: string },
): Promise<void> {
  const translations = await translationsFrom(tx, { spaceId })
  if (translations.length === 0) return
  await markPending(tx, { spaceId })
  const runAt = new Date(Date.parse(now) + (isMerge ? 0 : saveMilliseconds))
  for (const { id } of translations) await enqueueRun(tx, id, runAt)
}

/** Instructions or glossary are others: what depends on them is translated anew, once for a series of changes. */
export async function followRules(tx: Connection, ids: readonly string[], now: string): Promise<void> {
  for (const id of ids) {
    await wishWholeRun(tx, { id, now })
    await enqueueRun(tx, id, new Date(Date.parse(now) + saveMilliseconds))
  }
}

export const enqueueRun = (tx: Connection, id: string, runAt?: Date): Promise<boolean> =>
  enqueue(tx, { kind: 'translation', payload: { translation: id }, uniqueKey: id, ...(runAt ? { runAt } : {}) })
