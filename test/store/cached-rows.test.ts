/** Rows in memory: read again when they have changed, whoever changed them, and not before. */
import { setImmediate as yieldLoop } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { cachedRows } from '../../src/store/cached-rows.ts'
import { type CommitVersion, type Connection, type Database, openDatabase } from '../../src/store/database.ts'
import { readVersions } from '../../src/store/row-versions.ts'
import { eachBackend, useStore } from '../kit/backends.ts'

const statement = (sql: string) => ({ sql, name: '' })
const move = (db: Connection, topic: string, version: number) =>
  db.run(
    statement(
      `insert into "rowVersion" (topic, version) values ('${topic}', ${version}) on conflict (topic) do update set version = ${version}`,
    ),
    [],
  )

eachBackend((backend) => {
  describe('cached rows', () => {
    const store = useStore(backend)
    const rows = cachedRows<{ n: number }, undefined>(`rows of a test on ${backend.name}`, { share: 0.01 })
    let other: Database
    let reads = 0
    let there = true

    const read = (db: Connection, key: string, commitVersion?: CommitVersion) => {
      const begin = async () => {
        const versions = await readVersions(db, [key])
        return there ? { value: { n: ++reads }, versions, bytes: 100 } : undefined
      }
      return rows(db, key, begin, commitVersion)
    }
    /** How many statements it takes to read, and what comes of it. */
    const counted = async (work: () => unknown) => {
      const all = vi.spyOn(store.db, 'all')
      const value = await work()
      const { length } = all.mock.calls
      all.mockRestore()
      return { value, statements: length }
    }

    beforeAll(async () => {
      other = await openDatabase({ location: store.place.location })
    })
    afterAll(() => other.close())

    test('are read once, and are frozen', async () => {
      const first = await read(store.db, 'a')
      expect(await read(store.db, 'a')).toBe(first)
      expect(reads).toBe(1)
      expect(Object.isFrozen(first)).toBe(true)
    })

    test('cost no question while nothing is committed, where the engine knows that; else one', async () => {
      await read(store.db, 'a')
      const { statements } = await counted(() => read(store.db, 'a'))
      expect(statements).toBe(backend.name === 'sqlite' ? 0 : 1)
    })

    test('cost all who ask at once one question after a commit of something else', async () => {
      await read(store.db, 'b')
      const before = reads
      await move(store.db, 'something else', 1)
      await yieldLoop()
      const asked = () => Promise.all(['a', 'b', 'a', 'b', 'a'].map((key) => read(store.db, key)))
      expect((await counted(asked)).statements).toBe(1)
      expect(reads).toBe(before)
    })

    for (const who of ['this process', 'another'])
      test(`are read again once ${who} has changed them`, async () => {
        const [a, b] = [await read(store.db, 'a'), await read(store.db, 'b')]
        await move(who === 'another' ? other : store.db, 'a', Math.random() * 1e9)
        // By the next request, which comes in another turn of the event loop.
        await yieldLoop()
        expect(await read(store.db, 'a')).not.toBe(a)
        expect(await read(store.db, 'b')).toBe(b)
      })

    test('cost no question at a commit version that was asked for, and one at the next, also for what shares topics', async () => {
      const both = async (commitVersion: CommitVersion) => {
        await read(store.db, 'a', commitVersion)
        await rows(
          store.db,
          'of a and b',
          async () => ({ value: { n: 0 }, versions: await readVersions(store.db, ['a', 'b']), bytes: 100 }),
          commitVersion,
        )
        return read(store.db, 'b', commitVersion)
      }
      const first = await store.db.readCommitVersion()
      await both(first)
      expect((await counted(() => both(first))).statements).toBe(0)
      await move(other, 'something else', Math.random() * 1e9)
      await yieldLoop()
      const second = await store.db.readCommitVersion()
      // What 'a' was asked for is known when 'a' and 'b' are, and then that of 'b' is.
      expect((await counted(() => both(second))).statements).toBe(2)
    })

    test('that changed are read once for all who ask at the same commit version', async () => {
      await read(store.db, 'a')
      await move(other, 'a', Math.random() * 1e9)
      await yieldLoop()
      const commitVersion = await store.db.readCommitVersion()
      const before = reads
      const values = await Promise.all(Array.from({ length: 5 }, () => read(store.db, 'a', commitVersion)))
      expect(new Set(values).size).toBe(1)
      expect(reads).toBe(before + 1)
    })

    test('are read anew inside a transaction, and not kept from there', async () => {
      const before = await read(store.db, 'a')
      const given = new Error('given up')
      await expect(
        store.db.transaction(async (tx) => {
          await move(tx, 'a', 7)
          expect(await read(tx, 'a')).not.toBe(before)
          throw given
        }),
      ).rejects.toBe(given)
      expect(await read(store.db, 'a')).toBe(before)
    })

    test('that changed while they were read do not stay', async () => {
      const late = await rows(store.db, 'late', async () => {
        const versions = await readVersions(store.db, ['late'])
        await move(other, 'late', 1)
        return { value: { n: 0 }, versions, bytes: 100 }
      })
      await yieldLoop()
      expect(await read(store.db, 'late')).not.toBe(late)
    })

    test('that are gone are gone, and there again when they come back', async () => {
      await read(store.db, 'gone')
      there = false
      await move(store.db, 'gone', 1)
      await yieldLoop()
      expect(await read(store.db, 'gone')).toBeUndefined()
      there = true
      expect(await read(store.db, 'gone')).toBeDefined()
    })

    test('are found out in tests when they changed and no version tells', async () => {
      store.db.caches.checksCachedRows = true
      try {
        await read(store.db, 'checked')
        await expect(read(store.db, 'checked')).rejects.toThrow('not what is stored')
      } finally {
        store.db.caches.checksCachedRows = false
      }
    })
  })
})
