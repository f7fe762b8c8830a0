/** On SQLite the index of words is made of parts: when much was written they are merged into one, in steps, and it answers as before. */
import { afterEach, describe, expect, test } from 'vitest'
import type { Database } from '../../../src/store/database.ts'
import { mergeEqualParts, mergeIndex } from '../../../src/store/search-index/merge.ts'
import { searchAnew } from '../../../src/store/search-index/search.ts'
import { putPages, removeSpace } from '../../../src/store/search-index/write.ts'
import { eachBackend, sqlite, useStore } from '../../kit/backends.ts'
import { page, pages, questions } from './corpus.ts'
import { hasPartsToMerge } from './parts.ts'

const never = new AbortController().signal
const quick = { milliseconds: 0, pause: 0, signal: never }

/** Words that differ from page to page, so that a part of the index has several pages. */
const wordsOf = (name: string) => Array.from({ length: 600 }, (_, i) => `word${name}x${i} shared${i % 50}`).join(' ')
const manual = (name: string) => page(name, `Manual ${name}`, { '': wordsOf(name) })

/** The database, with a note of each transaction. */
function counting(db: Database, begun: string[]): Database {
  return new Proxy(db, {
    get(target, key) {
      const value: unknown = Reflect.get(target, key, target)
      if (key === 'transaction') begun.push('transaction')
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
}

describe('SQLite', () => {
  const store = useStore(sqlite)
  const put = (name: string) => store.db.transaction((tx) => putPages(tx, 'space', [manual(name)]))
  const answers = () =>
    Promise.all(
      [...questions.map(([query]) => query), 'wordax1', 'shared7', 'manual c'].map((query) =>
        searchAnew(store.db.slow, { spaces: ['space'], query, limit: 50, includeHidden: true }),
      ),
    )
  const isOnePart = async () => !(await hasPartsToMerge(store.db, { wholly: true }))
  afterEach(() =>
    store.db.run({ name: '', sql: `insert into "searchIndex" ("searchIndex") values ('integrity-check')` }, []),
  )

  test('the parts become one in many steps, interrupted ones go on, and the answers stay', async () => {
    await store.db.transaction((tx) => putPages(tx, 'space', pages))
    for (const name of 'abcdefghijklmnopqr') await put(name)
    const before = await answers()
    expect(before.flatMap((answer) => answer.pages).length).toBeGreaterThan(20)
    expect(await isOnePart()).toBe(false)
    const interrupted: string[] = []
    const stop = new AbortController()
    const stopping = counting(store.db, interrupted)
    const twice = new Proxy(stop.signal, {
      get(target, key) {
        if (key === 'throwIfAborted' && interrupted.length === 2) stop.abort()
        const value: unknown = Reflect.get(target, key, target)
        return typeof value === 'function' ? value.bind(target) : value
      },
    })
    await expect(mergeIndex(stopping, { ...quick, signal: twice })).rejects.toThrow()
    expect(interrupted).toHaveLength(2)
    expect(await answers()).toEqual(before)
    await put('s')
    const then = await answers()
    const begun: string[] = []
    await mergeIndex(counting(store.db, begun), quick)
    expect(begun.length).toBeGreaterThan(3)
    expect(await isOnePart()).toBe(true)
    expect(await answers()).toEqual(then)
  })

  test('little that is new stays a part of its own until it is a third of all', async () => {
    await store.db.transaction((tx) => removeSpace(tx, 'space'))
    for (const name of 'abcdefghi') await put(name)
    await mergeIndex(store.db, quick)
    const begun: string[] = []
    for (const name of 'jklm') {
      expect(begun).toEqual([])
      await put(name)
      await mergeIndex(counting(store.db, begun), quick)
    }
    expect(begun).toEqual([])
    await put('n')
    await mergeIndex(counting(store.db, begun), quick)
    expect(begun.length).toBeGreaterThan(0)
    expect(await isOnePart()).toBe(true)
  })

  test('steps that leave their parts are merged by whoever made them, and the answers stay', async () => {
    await store.db.transaction((tx) => removeSpace(tx, 'space'))
    await mergeEqualParts(store.db, quick)
    for (const name of 'abcdefghijklmnopqrst')
      await store.db.transaction((tx) => putPages(tx, 'space', [manual(name)], { leavesOrder: true }))
    const before = await answers()
    expect(await hasPartsToMerge(store.db)).toBe(true)
    await mergeEqualParts(store.db, quick)
    expect(await hasPartsToMerge(store.db)).toBe(false)
    expect(await answers()).toEqual(before)
  })
})

eachBackend((backend) => {
  const store = useStore(backend)
  test('where there is nothing to merge, nothing is done', async () => {
    const begun: string[] = []
    await mergeIndex(counting(store.db, begun), quick)
    expect(begun).toEqual([])
  })
})
