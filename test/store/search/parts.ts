/** The parts that SQLite's index of words is made of. */
import { expect } from 'vitest'
import type { Database } from '../../../src/store/database.ts'
import { sqliteIndex } from '../../../src/store/search-index/sqlite.ts'

/** Whether parts of the same size, or wholly all of them, wait to be merged; leaves everything as it was. */
export async function hasPartsToMerge(db: Database, { wholly = false } = {}): Promise<boolean> {
  const undone = new Error('Nothing of this is kept.')
  let isMore = false
  const attempt = db.transaction(async (tx) => {
    isMore = (await sqliteIndex.mergeStep?.(tx, { isFirst: wholly })) ?? false
    throw undone
  })
  await expect(attempt).rejects.toBe(undone)
  return isMore
}
