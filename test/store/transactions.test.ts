/** The promises of store/database.ts: all or nothing, acknowledged means committed, turns, and errors as codes. */
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { type Connection, type Database, openDatabase, type TransactionOptions } from '../../src/store/database.ts'
import { all, first, run } from '../../src/store/query.ts'
import { ensureSetting, readSetting } from '../../src/store/settings.ts'
import { eachBackend, useStore } from '../kit/backends.ts'
import { stopClock } from './stop-clock.ts'

const put = run((b, p: { name: string; value: string }) =>
  b.insertInto('setting').values({ name: p.name, value: p.value }),
)
const set = run((b, p: { name: string; value: string }) =>
  b.updateTable('setting').set({ value: p.value }).where('name', '=', p.name),
)
const find = first((b, p: { name: string }) => b.selectFrom('setting').select('value').where('name', '=', p.name))

const putTold = all((b, p: { name: string; value: string }) =>
  b.insertInto('setting').values({ name: p.name, value: p.value }).returning('name'),
)
const lawful = all((b, p: { like: string }) => b.selectFrom('setting').select('name').where('name', 'like', p.like))
type Write = (tx: Connection, name: string) => Promise<unknown>

/** The same numbers each time. */
const numbersFrom = (state: number) => () => {
  state = (state * 1664525 + 1013904223) >>> 0
  return state / 2 ** 32
}

/** Whether and how transactions that run at the same time meet. */
const ways: Record<string, TransactionOptions> = {
  'by themselves': {},
  'behind a lock': { lock: 'a' },
  together: { together: 'a' },
}

eachBackend((backend) => {
  const store = useStore(backend)

  test('a transaction is all or nothing', async () => {
    const outcome = store.db.transaction(async (tx) => {
      await put(tx, { name: 'half', value: '1' })
      expect(await readSetting(tx, 'half')).toBe('1')
      throw new Error('no')
    })
    await expect(outcome).rejects.toThrow('no')
    expect(await readSetting(store.db, 'half')).toBeUndefined()
  })

  test('only what is derived, on PostgreSQL, is committed without waiting for the disk, and what waits beside it does wait', async () => {
    const sql = backend.name === 'sqlite' ? 'PRAGMA synchronous' : 'SHOW synchronous_commit'
    const asked = async (tx: Connection): Promise<string> =>
      String(Object.values((await tx.all({ sql, name: 'synced' }, []))[0] ?? {})[0])
    // The database of the tests never waits for its disk, unless it is told to.
    const { location } = store.place
    const db = await openDatabase({
      location:
        backend.name === 'sqlite'
          ? location
          : `${location}${location.includes('?') ? '&' : '?'}options=-c%20synchronous_commit%3Don`,
    })
    const ask = (options?: { derived: boolean }) => db.transaction(asked, options)
    const derived = { derived: true }
    const [on, off] = backend.name === 'sqlite' ? ['2', '2'] : ['on', 'off']
    expect(await Promise.all([ask(derived), ask(), ask(derived), ask()])).toMatchObject(
      // One that waits together with others that are synced may be synced with them.
      { 0: off, 1: on, 3: on },
    )
    expect(await ask(derived)).toBe(off)
    expect(await ask()).toBe(on)
    await db.close()
  })

  test('others do not see what is not committed', async () => {
    await store.db.transaction(async (tx) => {
      await put(tx, { name: 'hidden', value: '1' })
      await sleep(20)
      expect(await readSetting(store.db, 'hidden')).toBeUndefined()
      expect(await readSetting(store.db.slow, 'hidden')).toBeUndefined()
    })
    expect(await readSetting(store.db, 'hidden')).toBe('1')
    expect(await readSetting(store.db.slow, 'hidden')).toBe('1')
  })

  describe.each(Object.entries(ways))('those that run %s', (way, options) => {
    test('one that fails among fifty undoes only itself', async () => {
      const outcomes = await Promise.allSettled(
        Array.from({ length: 50 }, (_, i) =>
          store.db.transaction(async (tx) => {
            await put(tx, { name: `many-${way}-${i}`, value: 'a' })
            await sleep(i % 3)
            await put(tx, { name: `many-${way}-${i}-more`, value: 'b' })
            if (i === 17) throw new Error('seventeen')
            // A statement the database refuses must not take the neighbours down either.
            if (i === 23) await put(tx, { name: `many-${way}-23`, value: 'again' })
          }, options),
        ),
      )
      expect(outcomes.map((outcome, i) => (outcome.status === 'rejected' ? i : -1)).filter((i) => i >= 0)).toEqual([
        17, 23,
      ])
      expect(outcomes[23]).toMatchObject({ reason: { code: 'already_exists' } })
      for (let i = 0; i < 50; i++) {
        const expected = i === 17 || i === 23 ? undefined : 'a'
        expect(await readSetting(store.db, `many-${way}-${i}`), String(i)).toBe(expected)
        expect((await readSetting(store.db, `many-${way}-${i}-more`)) !== undefined).toBe(expected !== undefined)
      }
    })

    test('what is acknowledged is there once, and nothing else is, whoever fails beside it', async () => {
      const random = numbersFrom(12)
      const runs = new Map<string, number>()
      const hints: string[] = []
      const insert: Write = (tx, name) => put(tx, { name, value: '1' })
      const told: Write = (tx, name) => putTold(tx, { name, value: '1' })
      const one = (db: Database, name: string) => {
        const [failsAt, writes] = [Math.floor(random() * 8), Math.floor(random() * 4)]
        const writers = Array.from({ length: writes }, () => (random() < 0.5 ? insert : told))
        return db.transaction(async (tx) => {
          runs.set(name, (runs.get(name) ?? 0) + 1)
          tx.afterCommit?.(() => hints.push(name))
          for (const [i, write] of writers.entries()) {
            if (i === failsAt) throw new Error('fails')
            await write(tx, `${name}-${i}`)
          }
          if (writes === failsAt) throw new Error('fails')
          return { name, rows: writers.map((_, i) => `${name}-${i}`) }
        }, options)
      }
      const acknowledged: { name: string; rows: string[] }[] = []
      for (let round = 0; round < 12; round++) {
        // One that has met no failure yet.
        const db = await openDatabase({ location: store.place.location })
        const names = Array.from({ length: 20 }, (_, i) => `law-${way}-${round}-${i}`)
        const outcomes = await Promise.allSettled(names.map((name) => one(db, name)))
        await db.close()
        for (const outcome of outcomes) if (outcome.status === 'fulfilled') acknowledged.push(outcome.value)
      }
      const stored = (await lawful(store.db, { like: `law-${way}-%` })).map(({ name }) => name)
      const rows = acknowledged.flatMap((one) => one.rows)
      expect(stored.toSorted()).toEqual(rows.toSorted())
      expect(rows.length).toBeGreaterThan(100)
      expect(hints.toSorted()).toEqual(acknowledged.map(({ name }) => name).toSorted())
      // None is made to run again and again by others that fail.
      expect(Math.max(...runs.values())).toBeLessThanOrEqual(2)
    })
  })

  test('what is acknowledged is committed, for every other connection too', async () => {
    const other = await openDatabase({ location: store.place.location })
    try {
      await Promise.all(
        Array.from({ length: 40 }, async (_, i) => {
          await store.db.transaction((tx) => put(tx, { name: `acked-${i}`, value: String(i) }))
          expect(await readSetting(other, `acked-${i}`)).toBe(String(i))
        }),
      )
    } finally {
      await other.close()
    }
  })

  test('writers of one turn read what the one before wrote, also from two processes', async () => {
    const other = await openDatabase({ location: store.place.location })
    await put(store.db, { name: 'counter', value: '0' })
    const increment = (db: Database) =>
      db.transaction(
        async (tx) => {
          const value = Number((await find(tx, { name: 'counter' }))?.value)
          await sleep(1)
          await set(tx, { name: 'counter', value: String(value + 1) })
        },
        { lock: 'counter' },
      )
    // SQLite has one writer at a time: another connection waits for the lock, on this same thread here, so it goes apart.
    for (const db of [store.db, other]) await Promise.all(Array.from({ length: 20 }, () => increment(db)))
    if (backend.name === 'postgres')
      await Promise.all(Array.from({ length: 40 }, (_, i) => increment(i % 2 ? store.db : other)))
    expect((await find(store.db, { name: 'counter' }))?.value).toBe(backend.name === 'postgres' ? '80' : '40')
    await other.close()
  })

  test('those beside a lock do not wait for each other, and who takes it waits for them', async () => {
    await put(store.db, { name: 'beside a lock', value: '' })
    const append = (letter: string, options: TransactionOptions) =>
      store.db.transaction(async (tx) => {
        const before = await readSetting(tx, 'beside a lock')
        await sleep(20)
        await set(tx, { name: 'beside a lock', value: `${before}${letter}` })
      }, options)
    await Promise.all(
      [...'abc'].flatMap((letter) => [append(letter, { lock: 'one', beside: 'all' }), append(letter, { lock: 'all' })]),
    )
    expect((await readSetting(store.db, 'beside a lock'))?.length).toBe(6)
    if (backend.name === 'sqlite') return
    await store.db.transaction(() => store.db.transaction(async () => undefined, { lock: 'two', beside: 'all' }), {
      lock: 'one',
      beside: 'all',
    })
  })

  test('a lock may be called anything', async () => {
    const lock = "it's; select \\'1'; --"
    await put(store.db, { name: 'turns', value: '' })
    const append = (letter: string) =>
      store.db.transaction(
        async (tx) => set(tx, { name: 'turns', value: `${await readSetting(tx, 'turns')}${letter}` }),
        { lock, derived: true, unhurried: true },
      )
    await Promise.all([...'abcdef'].map(append))
    expect(await readSetting(store.db, 'turns')).toBe('abcdef')
  })

  test('a unique key that is taken is a code', async () => {
    await put(store.db, { name: 'unique', value: '1' })
    await expect(put(store.db, { name: 'unique', value: '2' })).rejects.toMatchObject({
      code: 'already_exists',
      status: 409,
    })
  })

  test('a database that only reads is a code, with what the engine said for the log', async () => {
    const refused = { code: 'storage_unavailable', cause: { message: expect.stringMatching(/read-?only/) } }
    const readOnly = backend.name === 'sqlite' ? 'PRAGMA query_only = 1' : 'set transaction read only'
    const written = store.db.transaction(async (tx) => {
      await tx.all({ sql: readOnly, name: '' }, [])
      await put(tx, { name: 'read-only', value: '1' })
    })
    await expect(written).rejects.toMatchObject(refused)
    if (backend.name === 'sqlite') await store.db.script('PRAGMA query_only = 0')
    await put(store.db, { name: 'read-only', value: '1' })
  })

  test('a transaction that is over takes nothing more', async () => {
    let kept: Connection | undefined
    await store.db.transaction(async (tx) => {
      kept = tx
    })
    const late = kept && put(kept, { name: 'late', value: '1' })
    await expect(late).rejects.toThrow('over')
    await expect(
      store.db.transaction(async (tx) => {
        kept = tx
        throw new Error('undone')
      }),
    ).rejects.toThrow('undone')
    await expect(kept && readSetting(kept, 'late')).rejects.toThrow('over')
    expect(await readSetting(store.db, 'late')).toBeUndefined()
  })

  test('a setting made by many at once is one', async () => {
    const values = await Promise.all(
      Array.from({ length: 20 }, (_, i) => ensureSetting(store.db, 'race', () => `made-${i}`)),
    )
    expect(new Set(values).size).toBe(1)
    expect(await readSetting(store.db, 'race')).toBe(values[0])
  })

  test('a closed database refuses', async () => {
    const place = await backend.make()
    const db = await openDatabase({ location: place.location })
    await db.close()
    await expect(db.transaction(async () => 1)).rejects.toBeDefined()
    await place.drop()
  })

  if (backend.name === 'sqlite') fullDisk(store)
  else deadlocks(store)
})

function fullDisk(store: { db: Database }): void {
  describe('a full disk', () => {
    test('is told to those it stops, and loses nothing of the others', async () => {
      const big = 'x'.repeat(100_000)
      const pages = Number((await store.db.all({ sql: 'PRAGMA page_count', name: '' }, []))[0]?.page_count)
      await store.db.script(`PRAGMA max_page_count = ${pages + 200}`)
      const outcomes = await Promise.allSettled(
        Array.from({ length: 40 }, (_, i) => store.db.transaction((tx) => put(tx, { name: `big-${i}`, value: big }))),
      )
      const full = outcomes.filter((outcome) => outcome.status === 'rejected')
      expect(full.length).toBeGreaterThan(0)
      for (const outcome of full) expect(outcome.reason).toMatchObject({ code: 'storage_full', status: 507 })
      await store.db.script('PRAGMA max_page_count = 1073741823')
      for (const [i, outcome] of outcomes.entries()) {
        expect((await readSetting(store.db, `big-${i}`)) !== undefined, String(i)).toBe(outcome.status === 'fulfilled')
      }
      await put(store.db, { name: 'after-full', value: '1' })
      expect(await readSetting(store.db, 'after-full')).toBe('1')
    })
  })
}

function deadlocks(store: { db: Database }): void {
  const transactionNumber = { sql: 'select pg_current_xact_id()::text as "number"', name: '' }

  test.each(['lock', 'together'])('those that wait at the same time (%s) share a commit', async (kind) => {
    const numbers = await Promise.all(
      Array.from({ length: 40 }, (_, i) =>
        store.db.transaction(
          async (tx) => {
            await put(tx, { name: `shared-${kind}-${i}`, value: '1' })
            return (await tx.all(transactionNumber, []))[0]?.number
          },
          { [kind]: 'shared' },
        ),
      ),
    )
    // How many transactions they take depends on the machine.
    expect(new Set(numbers).size).toBeLessThan(40)
  })

  test('a question that the server refuses does not spoil it for those behind', async () => {
    const together = { together: 'refused' }
    const wrong = { sql: 'select 1 / 0', name: '' }
    const outcomes = await Promise.allSettled([
      store.db.transaction(() => sleep(20), together),
      store.db.transaction((tx) => put(tx, { name: 'before-refused', value: '1' }), together),
      store.db.transaction((tx) => tx.all(wrong, []), together),
      store.db.transaction((tx) => put(tx, { name: 'after-refused', value: '1' }), together),
    ])
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected', 'fulfilled'])
    for (const name of ['before-refused', 'after-refused']) expect(await readSetting(store.db, name)).toBe('1')
  })

  test('those that share a transaction which has to give way to another run again, and both happen', async () => {
    for (const name of ['up', 'down', 'beside']) await put(store.db, { name, value: '0' })
    const both = (order: readonly [string, string], milliseconds: number, options: TransactionOptions) =>
      store.db.transaction(async (tx) => {
        await set(tx, { name: order[0], value: order.join() })
        await sleep(milliseconds)
        await set(tx, { name: order[1], value: order.join() })
      }, options)
    const together = { together: 'deadlock' }
    let runs = 0
    // All that wait share a transaction.
    const clock = stopClock()
    await Promise.all([
      store.db.transaction(() => sleep(20), together),
      store.db.transaction((tx) => {
        runs += 1
        return set(tx, { name: 'beside a lock', value: '1' })
      }, together),
      // Who has waited for a second finds out, and is undone: the one that began to wait half a second before the other.
      both(['up', 'down'], 1000, together),
      both(['down', 'up'], 1500, {}),
    ])
    clock.mockRestore()
    expect(runs).toBe(2)
    expect(await readSetting(store.db, 'up')).toBe(await readSetting(store.db, 'down'))
    expect(await readSetting(store.db, 'beside a lock')).toBe('1')
  })

  test('two transactions in each other’s way both happen', async () => {
    await put(store.db, { name: 'left', value: '0' })
    await put(store.db, { name: 'right', value: '0' })
    const both = (order: readonly [string, string], value: string) =>
      store.db.transaction(async (tx) => {
        await set(tx, { name: order[0], value })
        await sleep(50)
        await set(tx, { name: order[1], value })
      })
    await Promise.all([both(['left', 'right'], '1'), both(['right', 'left'], '2')])
    expect(await readSetting(store.db, 'left')).toBe(await readSetting(store.db, 'right'))
  })
}
