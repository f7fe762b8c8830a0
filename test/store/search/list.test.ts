/** On PostgreSQL new entries wait in a list of the index: who writes much empties it, and what waits in it is found. */
import { expect, test } from 'vitest'
import type { Connection } from '../../../src/store/database.ts'
import { search } from '../../../src/store/search-index/search.ts'
import { putPages } from '../../../src/store/search-index/write.ts'
import { postgres, useStore } from '../../kit/backends.ts'
import { page } from './corpus.ts'

const store = useStore(postgres)

/** How many pages of the list were emptied: what nobody had emptied before. */
async function emptied(db: Connection): Promise<number> {
  const sql = `select gin_clean_pending_list('"searchText_words"') as "pages"`
  return Number((await db.all({ name: 'test_empty_list', sql }, []))[0]?.pages)
}

const text = Array.from({ length: 800 }, (_, i) => `word${i % 400}`).join(' ')
const manyOf = (name: string) => Array.from({ length: 10 }, (_, i) => page(`${name}${i}`, `Page ${i}`, { '': text }))

async function find(query: string): Promise<string[]> {
  const { db } = store
  const asked = { spaces: ['space'], query, limit: 50, includeHidden: false }
  return (await search({ db, slow: db.slow }, asked)).pages.map(({ pageId }) => pageId)
}

test('many pages leave nothing in the list, one may, and is found there', async () => {
  const { db } = store
  await db.transaction((tx) => putPages(tx, 'space', manyOf('first')))
  expect(await emptied(db)).toBe(0)
  await db.transaction((tx) => putPages(tx, 'space', [page('late', 'Quince')]))
  expect(await find('quince')).toEqual(['late'])
  expect(await emptied(db)).toBeGreaterThan(0)
  expect(await find('quince')).toEqual(['late'])
})

test('who does not own the tables writes all the same', async () => {
  const { db } = store
  const run = (tx: Connection, name: string, sql: string) => tx.run({ name, sql }, [])
  const leftBehind = new Error('Nothing of this is kept.')
  const attempt = db.transaction(async (tx) => {
    await run(tx, 'test_role', 'create role "lectern_guest"')
    await run(tx, 'test_grant', 'grant all on all tables in schema public to "lectern_guest"')
    await run(tx, 'test_become', 'set local role "lectern_guest"')
    await putPages(tx, 'space', manyOf('second'))
    throw leftBehind
  })
  await expect(attempt).rejects.toBe(leftBehind)
  expect(await emptied(db)).toBeGreaterThan(0)
})
