/** Those who share a transaction and name no lock: what they gather is written at once, and what one has read holds for the others. */
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { cachedRows } from '../../src/store/cached-rows.ts'
import type { Connection, TransactionOptions } from '../../src/store/database.ts'
import { gathered } from '../../src/store/gathered.ts'
import { all, run } from '../../src/store/query.ts'
import { readSetting } from '../../src/store/settings.ts'
import { eachBackend, useStore } from '../kit/backends.ts'
import { stopClock } from './stop-clock.ts'

const put = run((b, p: { name: string; value: string }) =>
  b.insertInto('setting').values({ name: p.name, value: p.value }),
)

const putTold = all((b, p: { name: string; value: string }) =>
  b.insertInto('setting').values({ name: p.name, value: p.value }).returning('name'),
)

/** How many came to be written at once, one number for each time. */
let sizes: number[] = []
const putGathered = gathered<string>(async (tx, names) => {
  sizes.push(names.length)
  for (const name of names) await put(tx, { name, value: 'gathered' })
})

eachBackend((backend) => {
  const store = useStore(backend)
  const together = { together: 'a' }
  let clock: ReturnType<typeof stopClock>
  let tests = 0
  /** Another name in each test. */
  const named = (name: string): string => `${tests} ${name}`
  const isThere = async (name: string): Promise<boolean> => (await readSetting(store.db, named(name))) !== undefined

  /** Runs all of them behind one that holds them up, so that they share a transaction; what became of each. */
  const share = async (
    works: readonly ((tx: Connection) => Promise<unknown>)[],
    optionsOf: (i: number) => TransactionOptions = () => together,
  ): Promise<unknown[]> => {
    const first = store.db.transaction(() => sleep(20), together)
    const outcomes = await Promise.allSettled(works.map((work, i) => store.db.transaction(work, optionsOf(i))))
    await first
    return outcomes.map((outcome) => (outcome.status === 'fulfilled' ? 'done' : outcome.reason.message))
  }

  beforeEach(() => {
    sizes = []
    tests += 1
    // However slow the machine is, all that wait share a transaction.
    clock = stopClock()
  })
  afterEach(() => clock.mockRestore())

  test('what forty gather is written at once', async () => {
    const works = Array.from({ length: 40 }, (_, i) => (tx: Connection) => putGathered(tx, named(`forty ${i}`)))
    expect(new Set(await share(works))).toEqual(new Set(['done']))
    expect(sizes).toEqual([40])
    for (let i = 0; i < 40; i++) expect(await isThere(`forty ${i}`)).toBe(true)
  })

  test('one by itself writes at once, and so does one that names a lock', async () => {
    await store.db.transaction(async (tx) => {
      await putGathered(tx, named('alone'))
      expect(sizes).toEqual([1])
    })
    const works = ['one', 'two'].map((name) => (tx: Connection) => putGathered(tx, named(name)))
    expect(await share(works, () => ({ lock: 'a' }))).toEqual(['done', 'done'])
    expect(sizes).toEqual([1, 1, 1])
  })

  test('one whose part the database refuses is told so, and the others are there', async () => {
    await put(store.db, { name: named('taken'), value: 'before' })
    const names = ['before', 'taken', 'after']
    const outcomes = await share(names.map((name) => (tx) => putGathered(tx, named(name))))
    expect(outcomes).toEqual(['done', 'There already is one of that name.', 'done'])
    expect(sizes).toEqual([3, 1, 1, 1])
    expect(await Promise.all(names.map(isThere))).toEqual([true, true, true])
    expect(await readSetting(store.db, named('taken'))).toBe('before')
  })

  test('whoever asks for something after it has gathered finds it written', async () => {
    const found: unknown[] = []
    const outcomes = await share([
      (tx) => putGathered(tx, named('other')),
      async (tx) => {
        await putGathered(tx, named('own'))
        for (const name of ['other', 'own']) found.push(await readSetting(tx, named(name)))
      },
      (tx) => putGathered(tx, named('later')),
    ])
    expect(outcomes).toEqual(['done', 'done', 'done'])
    expect(found).toEqual(['gathered', 'gathered'])
    expect(sizes).toEqual([2, 1])
  })

  test('a write after one has gathered comes after it', async () => {
    const change = run((b, p: { name: string }) =>
      b.updateTable('setting').set({ value: 'changed' }).where('name', '=', p.name),
    )
    const outcomes = await share([
      async (tx) => {
        await putGathered(tx, named('own'))
        expect(await change(tx, { name: named('own') })).toBe(1)
      },
      (tx) => putGathered(tx, named('other')),
    ])
    expect(outcomes).toEqual(['done', 'done'])
    expect(await readSetting(store.db, named('own'))).toBe('changed')
  })

  // On PostgreSQL they do not share a transaction.
  const findingGathered = async () => {
    let found: unknown
    const works = [
      (tx: Connection) => putGathered(tx, named('before')),
      async (tx: Connection) => {
        found = await readSetting(tx, named('before'))
      },
      (tx: Connection) => putGathered(tx, named('after')),
    ]
    expect(await share(works, (i) => (i === 1 ? { lock: 'a' } : together))).toEqual(['done', 'done', 'done'])
    expect(found).toBe('gathered')
    expect(sizes).toEqual([1, 1])
  }
  if (backend.name === 'sqlite') test('one that names a lock finds what was gathered before it', findingGathered)

  test('cached rows are read once for all of them, until one writes', async () => {
    const values = cachedRows<{ n: number }>(`shared rows on ${backend.name}`, { share: 0.001 })
    let reads = 0
    const read = (tx: Connection) => {
      const begin = async () => ({ value: { n: ++reads }, versions: [], bytes: 1 })
      return values(tx, 'key', begin)
    }
    const found: unknown[] = []
    const reading = async (tx: Connection) => found.push(await read(tx))
    const outcomes = await share([
      reading,
      reading,
      (tx) => put(tx, { name: named('put'), value: '1' }),
      reading,
      (tx) => putTold(tx, { name: named('told'), value: '1' }),
      reading,
      async (tx) => {
        await putGathered(tx, named('gathered'))
        await readSetting(tx, named('gathered'))
      },
      reading,
      reading,
    ])
    expect(outcomes).toEqual(Array(9).fill('done'))
    expect(found).toEqual([1, 1, 2, 3, 4, 4].map((n) => ({ n })))
    expect(Object.isFrozen(found[1])).toBe(true)
    // The next transaction reads for itself; so does each that names a lock.
    await share([reading, reading])
    await share([reading, reading], () => ({ lock: 'a' }))
    expect(found.slice(6)).toEqual([5, 5, 6, 7].map((n) => ({ n })))
  })

  // The last one: for a second after it nobody shares what they do.
  test('one that fails after it has gathered leaves nothing behind, and the others are there', async () => {
    const outcomes = await share([
      (tx) => putGathered(tx, named('before')),
      async (tx) => {
        await putGathered(tx, named('failing'))
        throw new Error('no')
      },
      (tx) => putGathered(tx, named('after')),
    ])
    expect(outcomes).toEqual(['done', 'no', 'done'])
    expect(await Promise.all(['before', 'failing', 'after'].map(isThere))).toEqual([true, false, true])
  })
})
