/** What is acknowledged was synced: nothing but the disk itself could show it after a power cut, so the calls are watched. */
import { mkdtempSync, rmSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { expect, test, vi } from 'vitest'
import { openBlobFolder } from '../../src/platform/blobs.ts'
import { openDatabase } from '../../src/store/database.ts'
import { sqlite } from '../kit/backends.ts'

test('SQLite syncs its log at every commit', async () => {
  const place = await sqlite.make()
  const db = await openDatabase({ location: place.location })
  const ask = (name: string) => db.transaction((tx) => tx.all({ sql: `PRAGMA ${name}`, name: '' }, []))
  try {
    expect(await ask('synchronous')).toEqual([{ synchronous: 2 }])
    expect(await ask('journal_mode')).toEqual([{ journal_mode: 'wal' }])
  } finally {
    await db.close()
    await place.drop()
  }
})

test('a file and its folders are synced before it is acknowledged', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'lectern-test-'))
  const some = await open(folder, 'r')
  const prototype = Object.getPrototypeOf(some)
  await some.close()
  const synced: string[] = []
  const sync = prototype.sync
  vi.spyOn(prototype, 'sync').mockImplementation(async function (this: Awaited<ReturnType<typeof open>>) {
    synced.push((await this.stat()).isFile() ? 'file' : 'folder')
    return sync.call(this)
  })
  try {
    await openBlobFolder(join(folder, 'blobs')).put(Readable.from([Buffer.from('bytes')]), { limit: 100 })
    expect(synced).toEqual(['file', 'folder', 'folder'])
  } finally {
    vi.restoreAllMocks()
    rmSync(folder, { recursive: true, force: true })
  }
})
