/** A connection to PostgreSQL that breaks inside a transaction: what the caller is told is what is so. */
import { expect, inject, test } from 'vitest'
import { type Connection, type Database, openDatabase } from '../../src/store/database.ts'
import { startProxy } from '../faults/swallowing-proxy.ts'
import { postgres } from '../kit/backends.ts'
import { stopClock } from './stop-clock.ts'

const statement = (sql: string) => ({ sql, name: '' })
const insert = (tx: Connection, name: string) =>
  tx.run(statement(`insert into "setting" ("name", "value") values ('${name}', 'x')`), [])
const count = async (db: Database, name: string) =>
  (await db.all(statement(`select 1 from "setting" where "name" = '${name}'`), [])).length

/** The same database, through a proxy that cuts the connection after a packet with this text. */
async function through<T>(cutAfter: string, work: (cut: Database, direct: Database) => Promise<T>): Promise<T> {
  const place = await postgres.make()
  const url = new URL(place.location)
  const proxy = await startProxy(`${new URL(inject('postgres')).searchParams.get('host')}/.s.PGSQL.5432`, { cutAfter })
  const direct = await openDatabase({ location: place.location })
  const cut = await openDatabase({ location: `postgres://lectern@127.0.0.1:${proxy.port}${url.pathname}` })
  try {
    return await work(cut, direct)
  } finally {
    await cut.close()
    await direct.close()
    proxy.close()
    await place.drop()
  }
}

test('before COMMIT nothing was changed, and it says so', () =>
  through('insert into', async (cut, direct) => {
    await expect(cut.transaction((tx) => insert(tx, 'before'))).rejects.toMatchObject({ code: 'storage_unavailable' })
    expect(await count(direct, 'before')).toBe(0)
    // The next one has a connection of its own.
    expect(await cut.all(statement('select 1 as "one"'), [])).toEqual([{ one: 1 }])
  }))

test('after COMMIT was sent nobody knows, and it says that', () =>
  through('COMMIT', async (cut, direct) => {
    await expect(cut.transaction((tx) => insert(tx, 'after'))).rejects.toMatchObject({ code: 'outcome_unknown' })
    expect(await count(direct, 'after')).toBe(1)
  }))

test('a server that lets nobody in says why, for the log', async () => {
  const place = await postgres.make()
  for (const [change, cause] of [
    [(url: URL) => Object.assign(url, { pathname: '/none' }), 'database "none" does not exist'],
    [(url: URL) => Object.assign(url, { username: 'nobody' }), 'role "nobody" does not exist'],
  ] as const) {
    const db = await openDatabase({ location: change(new URL(place.location)).href })
    const refused = { code: 'storage_unavailable', cause: { message: cause } }
    await expect(db.check()).rejects.toMatchObject(refused)
    await expect(db.transaction((tx) => insert(tx, 'out'))).rejects.toMatchObject(refused)
    await db.close()
  }
  await place.drop()
})

const names = ['one', 'two', 'three', 'four']

/** Behind one that takes a while, so that they share a transaction, however slow the machine is. */
async function insertTogether(db: Database): Promise<unknown[]> {
  const clock = stopClock()
  const options = { together: 'names' }
  const first = db.transaction((tx) => tx.all(statement('select pg_sleep(0.1)'), []), options)
  const others = names.map((name) => db.transaction((tx) => insert(tx, name), options))
  const outcomes = await Promise.allSettled([first, ...others])
  clock.mockRestore()
  return outcomes.slice(1).map((outcome) => (outcome.status === 'rejected' ? outcome.reason.code : 'fulfilled'))
}

test('who shares a transaction is told the same', async () => {
  await through("'three'", async (cut, direct) => {
    expect(await insertTogether(cut)).toEqual([
      'storage_unavailable',
      'storage_unavailable',
      'storage_unavailable',
      'fulfilled',
    ])
    expect(await Promise.all(names.map((name) => count(direct, name)))).toEqual([0, 0, 0, 1])
  })
  await through('COMMIT', async (cut, direct) => {
    expect(await insertTogether(cut)).toEqual(names.map(() => 'outcome_unknown'))
    expect(await Promise.all(names.map((name) => count(direct, name)))).toEqual([1, 1, 1, 1])
  })
})

test('a statement that COMMIT itself refuses is no mystery', async () => {
  const place = await postgres.make()
  const db = await openDatabase({ location: place.location })
  try {
    await db.script('create table deferred (a integer unique deferrable initially deferred)')
    const twice = db.transaction(async (tx) => {
      await tx.run(statement('insert into deferred values (1)'), [])
      await tx.run(statement('insert into deferred values (1)'), [])
    })
    await expect(twice).rejects.toMatchObject({ code: 'already_exists' })
  } finally {
    await db.close()
    await place.drop()
  }
})

test('a statement that takes too long ends; a migration may take as long as it needs', async () => {
  const place = await postgres.make()
  const db = await openDatabase({ location: place.location })
  try {
    const limit = statement(`select current_setting('statement_timeout') as "limit"`)
    expect(await db.all(limit, [])).toEqual([{ limit: '30s' }])
    expect(await db.transaction((tx) => tx.all(limit, []), { unhurried: true })).toEqual([{ limit: '0' }])
    expect(await db.transaction((tx) => tx.all(limit, []))).toEqual([{ limit: '30s' }])
  } finally {
    await db.close()
    await place.drop()
  }
})
