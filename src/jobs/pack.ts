/**
 * Packs the content and the texts of the search index that an older version wrote as they are, and moves its links to where
 * they are numbers and its vectors of words to where they are words, while everything else goes on: a step packs or moves some rows and commits them, readers take either
 * form. Whoever runs it again goes on where it stopped, because what is packed is passed over and what is moved is gone. See docs/decisions/0060-stored-form.md.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { moveNextLinks } from '../store/content/link-rows.ts'
import type { Database } from '../store/database.ts'
import { packedTables, packNext, packNextSections } from '../store/packed/packing.ts'
import { moveNextVectors } from '../store/search-index/move-vectors.ts'
import type { JobKind } from './kinds.ts'

/** Between two steps, so that others have the disk and the processor too. */
const restMilliseconds = 20

export const pack: JobKind = {
  // Each start goes on from the last; a large database takes as many as it takes.
  attempts: 1000,
  milliseconds: 60 * 60 * 1000,
  run: packContent,
}

export async function packContent({ db, signal }: { db: Database; signal: AbortSignal }): Promise<void> {
  for (const table of packedTables) {
    for (let after: string | undefined = ''; after !== undefined; ) {
      signal.throwIfAborted()
      after = await packNext(db, table, after)
      await sleep(restMilliseconds, undefined, { signal })
    }
  }
  for (let after: number | undefined = -1; after !== undefined; ) {
    signal.throwIfAborted()
    after = await packNextSections(db, after)
    await sleep(restMilliseconds, undefined, { signal })
  }
  do {
    await sleep(restMilliseconds, undefined, { signal })
  } while (await moveNextLinks(db))
  do {
    await sleep(restMilliseconds, undefined, { signal })
  } while (await moveNextVectors(db))
}
