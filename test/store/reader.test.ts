import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test, vi } from 'vitest'
import { ReaderThread } from '../../src/store/reader.ts'
import { Threads } from '../../src/threads/supervisor.ts'

const folder = mkdtempSync(join(tmpdir(), 'lectern-reader-'))
const threads = new Threads()
const question = { sql: 'select 1 as "one"', name: '' }
afterAll(async () => {
  await threads.close()
  rmSync(folder, { recursive: true })
})

test('a question whose thread ended is answered by another', async () => {
  const reader = new ReaderThread(threads, join(folder, 'later', 'lectern.db'))
  const threadsNow = () => threads.list().find(({ kind }) => kind === 'reader')?.threads
  const answer = reader.all(question, [])
  expect(threadsNow()).toBe(1)
  // It finds no folder to open a database in, and ends.
  await vi.waitFor(() => expect(threadsNow()).toBe(0), { interval: 1, timeout: 30_000 })
  mkdirSync(join(folder, 'later'))
  expect(await answer).toEqual([{ one: 1 }])
})

test('one whose threads end twice is refused', async () => {
  const reader = new ReaderThread(threads, join(folder, 'never', 'lectern.db'))
  await expect(reader.all(question, [])).rejects.toMatchObject({ code: 'storage_unavailable' })
})
