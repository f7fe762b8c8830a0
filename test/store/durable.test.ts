/** What is acknowledged was synced: nothing but the disk itself could show it after a power cut, so the calls are watched. */
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { setTimeout } from 'node:timers/promises'
import { expect, test, vi } from 'vitest'
import { openBlobFolder } from '../../src/platform/blobs.ts'
import { openDatabase } from '../../src/store/database.ts'
import { Threads } from '../../src/threads/supervisor.ts'
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

test.each([
  { patient: true, asked: [] },
  { patient: false, asked: ['reader'] },
])('the log stays short while much is written, patient: $patient, by threads $asked', async ({ patient, asked }) => {
  const place = await sqlite.make()
  const threads = new Threads()
  const db = await openDatabase({ location: place.location, patient, threads })
  try {
    await db.script('create table "large" ("text" text)')
    // Ten times four megabytes, each over in its place when the log was taken over before it.
    for (let i = 0; i < 10; i++) {
      const sql = i === 0 ? 'insert into "large" values (?)' : 'update "large" set "text" = ?'
      await db.run({ sql, name: '' }, [`${i}`.repeat(4 * 1024 * 1024)])
      await setTimeout(300)
    }
    expect(statSync(`${place.location}-wal`).size).toBeLessThan(25 * 1024 * 1024)
    expect(threads.list().flatMap(({ kind, threads: some }) => (some > 0 ? [kind] : []))).toEqual(asked)
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
