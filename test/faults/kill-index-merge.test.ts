/**
 * kill -9 while the index of words on SQLite is merged into one part, step by step (store/search-index/merge.ts): whatever was
 * merged by then, everything is found, and the next process brings the merge to its end. `KILL_INDEX_MERGE_ROUNDS=20` makes a
 * longer run.
 */
import { cpSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { type Connection, type Database, openDatabase } from '../../src/store/database.ts'
import { enqueue } from '../../src/store/jobs.ts'
import { sqliteIndex } from '../../src/store/search-index/sqlite.ts'
import { makeFolder } from '../kit/backends.ts'
import { type Running, startProcess } from './process.ts'

const rounds = Number(process.env.KILL_INDEX_MERGE_ROUNDS ?? 4)
const pages = 240

test(`everything is found in ${rounds} kills while the index is merged, and the merge ends`, async () => {
  const filled = makeFolder(tmpdir())
  const folders = [filled]
  const started: Running[] = []
  const start = async (folder: string) => {
    const server = await startProcess({ folder, location: fileIn(folder), env: { LECTERN_RATE_LIMIT: '0' } })
    started.push(server)
    return server
  }
  let halfWay = 0
  try {
    const first = await start(filled)
    const spaceId = await fill(first)
    const found = await searchAll(first, spaceId)
    await first.end('SIGKILL')
    const before = await lookAt(filled)
    expect(before).toMatchObject({ isOnePart: false })
    for (let round = 0; round < rounds; round++) {
      const folder = makeFolder(tmpdir())
      folders.push(folder)
      cpSync(filled, folder, { recursive: true })
      await withDatabase(folder, orderSweep)
      const killed = await start(folder)
      await untilMerging(folder, before.rows)
      await sleep(Math.random() * 150)
      await killed.end('SIGKILL')
      const between = await lookAt(folder)
      if (!between.isOnePart && between.rows !== before.rows) halfWay += 1
      // What was written is counted until there is one part, and a moment longer where time ran out with the last step.
      expect(between.written > 0 || between.isOnePart).toBe(true)
      await withDatabase(folder, orderSweep)
      const next = await start(folder)
      expect(await searchAll(next, spaceId)).toEqual(found)
      await untilMerged(folder)
      expect(await searchAll(next, spaceId)).toEqual(found)
      await next.end('SIGKILL')
      expect(await lookAt(folder)).toMatchObject({ isOnePart: true, written: 0 })
    }
    // Not every kill came before the first step or after the last.
    expect(halfWay).toBeGreaterThan(0)
  } finally {
    for (const server of started) await server.end('SIGKILL')
    for (const folder of folders) rmSync(folder, { recursive: true, force: true })
  }
}, 600_000)

const fileIn = (folder: string): string => `${folder}/lectern.db`

/** Many small writes, so that the index has many parts, of words that differ from page to page. */
async function fill(server: Running): Promise<string> {
  const client = server.client()
  const organizationId = (await client.listOrganizationsForAuthenticatedUser({ query: {} })).items[0]?.id ?? ''
  const { id: spaceId } = await client.createSpace({ organizationId, body: { title: 'Merged' } })
  for (let from = 0; from < pages; from += 12) {
    const changes = Array.from({ length: 12 }, (_, i) => ({
      operation: 'insert_page' as const,
      title: `Page ${from + i}`,
      document: { markdown: wordsOf(from + i) },
    }))
    await client.updateSpaceContent({ spaceId, body: { changes } })
  }
  return spaceId
}

const wordsOf = (page: number): string =>
  Array.from({ length: 400 }, (_, i) => `word${page}x${i} shared${i % 50}`).join(' ')

/** Which pages each question finds, with what is shown of them. */
async function searchAll(server: Running, spaceId: string): Promise<string[]> {
  const client = server.client()
  const found: string[] = []
  for (let page = 0; page < pages; page += 8) {
    for (const query of [`word${page}x7`, `"shared3 word${page}x4"`, `word${page + 1}x39`]) {
      const { items } = await client.searchSpaceContent({ spaceId, query: { query } })
      expect(items.length).toBeGreaterThan(0)
      found.push(JSON.stringify(items).replaceAll(server.url, ''))
    }
  }
  return found
}

async function withDatabase<T>(folder: string, work: (db: Database) => Promise<T>): Promise<T> {
  const db = await openDatabase({ location: fileIn(folder) })
  try {
    return await work(db)
  } finally {
    await db.close()
  }
}

/** The job that merges what edits left, due now; the one that was killed would hold its lease for a while. */
const orderSweep = (db: Database): Promise<void> =>
  db.transaction(async (tx) => {
    await tx.run({ sql: `delete from "job" where "kind" = 'sweep'`, name: '' }, [])
    await enqueue(tx, { kind: 'sweep' })
  })

const numberOf = async (db: Connection, sql: string): Promise<number> =>
  Number((await db.all({ sql, name: '' }, []))[0]?.n)

/** How many rows FTS5 keeps its parts in: another number says that there are other parts. */
const rowsOf = (db: Connection) => numberOf(db, `select count(*) as "n" from "searchIndex_data"`)
const writtenIn = (db: Connection) => numberOf(db, `select sum("written") as "n" from "searchSpace"`)

const untilMerging = (folder: string, rows: number): Promise<void> =>
  withDatabase(folder, async (db) => {
    for (let i = 0; i < 3000 && (await rowsOf(db)) === rows; i++) await sleep(5)
  })

const untilMerged = (folder: string): Promise<void> =>
  withDatabase(folder, async (db) => {
    for (let i = 0; i < 3000 && (await writtenIn(db)) > 0; i++) await sleep(20)
  })

interface Look {
  rows: number
  written: number
  isOnePart: boolean
}

/** What the index is like when nobody runs; leaves it so, and finds whatever is wrong inside it. */
const lookAt = (folder: string): Promise<Look> =>
  withDatabase(folder, async (db) => {
    await db.run({ name: '', sql: `insert into "searchIndex" ("searchIndex") values ('integrity-check')` }, [])
    const undone = new Error('Nothing of this is kept.')
    let isMore = true
    const attempt = db.transaction(async (tx) => {
      isMore = (await sqliteIndex.mergeStep?.(tx, { isFirst: true })) ?? false
      throw undone
    })
    await expect(attempt).rejects.toBe(undone)
    return { rows: await rowsOf(db), written: await writtenIn(db), isOnePart: !isMore }
  })
