/** On PostgreSQL an older version stored vectors: they are found as they are, moved in steps, and found the same; the room they took is given back. */
import { beforeEach, expect, test } from 'vitest'
import type { Database } from '../../../src/store/database.ts'
import { countIndexed } from '../../../src/store/search-index/inspect.ts'
import { moveNextVectors } from '../../../src/store/search-index/move-vectors.ts'
import { searchAnew } from '../../../src/store/search-index/search.ts'
import { putPages, removePages, removeSpace } from '../../../src/store/search-index/write.ts'
import { postgres, useStore } from '../../kit/backends.ts'
import { countVectors, storeVectors } from '../../kit/search-vectors.ts'
import { page, pages, questions } from './corpus.ts'

const store = useStore(postgres)
const others = Array.from({ length: 130 }, (_, i) =>
  page(`other${i}`, `Other ${i}`, { '': 'one thing after the other', More: `number ${i} of the other things` }),
)
const phrases = ['"after the other"', '"the after other"', 'other-things', '"number 7 of"', '"other things number"']

const answers = async (db: Database) => {
  const found: string[] = []
  for (const query of [...questions.map(([question]) => question), ...phrases])
    for (const includeHidden of [true, false]) {
      const answer = await searchAnew(db.slow, { spaces: ['one', 'two'], query, limit: 50, includeHidden })
      found.push(`${query}: ${JSON.stringify(answer)}`)
    }
  return found
}

const wordsStored = async (db: Database) =>
  (await db.all({ name: '', sql: `select "number", "words" from "searchText" order by "number"` }, [])).map((row) => [
    Number(row.number),
    // Several gaps part words no more than one does, and none is needed behind the last.
    String(row.words)
      .replace(/~( ~)+/g, '~')
      .replace(/(?<=.) ~$/, ''),
  ])

const sizeOf = async (db: Database) =>
  Number(
    (await db.all({ name: '', sql: `select pg_total_relation_size('"searchIndex"')::integer as "bytes"` }, []))[0]
      ?.bytes,
  )

beforeEach(async () => {
  for (const space of ['one', 'two']) await store.db.transaction((tx) => removeSpace(tx, space))
  await store.db.transaction((tx) => putPages(tx, 'one', [...pages, ...others]))
  await store.db.transaction((tx) => putPages(tx, 'two', pages))
})

test('vectors are found, moved step by step, and found the same', async () => {
  const { db } = store
  const empty = await sizeOf(db)
  const before = { answers: await answers(db), words: await wordsStored(db), count: await countIndexed(db, 'one') }
  expect(before.answers.filter((answer) => !answer.includes('"pages":[]')).length).toBeGreaterThan(40)
  await db.transaction(storeVectors)
  const vectors = await countVectors(db)
  expect(vectors).toBeGreaterThan(before.count)
  expect(await answers(db)).toEqual(before.answers)
  let steps = 0
  for (let left = vectors; await moveNextVectors(db); steps++) {
    const now = await countVectors(db)
    expect(now).toBeLessThan(left)
    left = now
    expect(await countIndexed(db, 'one')).toBe(before.count)
    if (steps < 4) expect(await answers(db)).toEqual(before.answers)
  }
  expect(steps).toBeGreaterThan(3)
  expect(await answers(db)).toEqual(before.answers)
  expect(await wordsStored(db)).toEqual(before.words)
  expect(await sizeOf(db)).toBe(empty)
})

test('pages that are changed or removed before their vectors were moved are not found by what they said', async () => {
  const { db } = store
  await db.transaction(storeVectors)
  await db.transaction((tx) => putPages(tx, 'one', [page('other1', 'Other 1', { '': 'quincewords' })]))
  await db.transaction((tx) => removePages(tx, 'one', ['other2']))
  await db.transaction((tx) => removeSpace(tx, 'two'))
  const look = async () => {
    const asked = { spaces: ['one', 'two'], limit: 50, includeHidden: false }
    const counts = []
    for (const query of ['quincewords', '"number 1 of"', '"number 2 of"', '"number 3 of"', 'docker'])
      counts.push((await searchAnew(db.slow, { ...asked, query })).count)
    return counts
  }
  expect(await look()).toEqual([1, 0, 0, 1, 3])
  while (await moveNextVectors(db));
  expect(await look()).toEqual([1, 0, 0, 1, 3])
})

test('room is given back as well when the server has tidied the table by itself', async () => {
  const { db } = store
  const empty = await sizeOf(db)
  await db.transaction(storeVectors)
  while ((await countVectors(db)) > 0) await moveNextVectors(db)
  // As autovacuum may at any moment: it cuts off the end of the table, and leaves the indexes as long as they are.
  await db.run({ name: '', sql: 'vacuum "searchIndex"' }, [])
  expect(await sizeOf(db)).toBeGreaterThan(empty)
  await moveNextVectors(db)
  expect(await sizeOf(db)).toBe(empty)
})
