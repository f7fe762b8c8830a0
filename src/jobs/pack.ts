/**
 * Packs the content that an older version wrote as plain text, while everything else goes on: a step packs some rows and
 * commits them, readers take either form. Whoever runs it again goes on where it stopped, because what is packed is
 * passed over. See docs/decisions/0060-stored-form.md.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { packedTables, packNext } from '../store/packing.ts'
import type { JobKind } from './kinds.ts'

/** Between two steps, so that others have the disk and the processor too. */
const restMilliseconds = 20

export const pack: JobKind = {
  // Each start goes on from the last; a large database takes as many as it takes.
  attempts: 1000,
  milliseconds: 60 * 60 * 1000,
  async run({ db, signal, log }) {
    let steps = 0
    for (const table of packedTables) {
      for (let after: string | undefined = ''; after !== undefined; ) {
        signal.throwIfAborted()
        after = await packNext(db, table, after)
        steps += 1
        await sleep(restMilliseconds, undefined, { signal })
      }
    }
    log.info({ steps }, 'packed all content')
  },
}
