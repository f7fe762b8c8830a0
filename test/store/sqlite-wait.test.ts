/** Two processes on one SQLite file: who waits for the other's transaction leaves its event loop to others. */
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { type Database, openDatabase } from '../../src/store/database.ts'
import { sqlite } from '../kit/backends.ts'

function gate() {
  let resolve = () => {}
  const promise = new Promise<void>((done) => {
    resolve = done
  })
  return { promise, resolve }
}

/** A transaction that is open until it is let go. */
async function holdWriter(db: Database): Promise<() => Promise<void>> {
  const begun = gate()
  const end = gate()
  const held = db.transaction(async () => {
    begun.resolve()
    await end.promise
  })
  await begun.promise
  return () => {
    end.resolve()
    return held
  }
}

test('a transaction waits for that of another connection, and the loop goes on', async () => {
  const place = await sqlite.make()
  const [one, two] = await Promise.all([openDatabase(place), openDatabase(place)])
  try {
    await one.script('create table "t" ("n" integer)')
    const insert = { name: '', sql: 'insert into "t" values (?)' }
    const order: string[] = []
    let isBegun = () => {}
    const begun = new Promise<void>((resolve) => {
      isBegun = resolve
    })
    const first = one.transaction(async (tx) => {
      await tx.run(insert, [1])
      isBegun()
      await sleep(300)
      order.push('first')
    })
    await begun
    const second = two.transaction(async (tx) => {
      await tx.run(insert, [2])
      order.push('second')
    })
    await Promise.all([first, second])
    expect(order).toEqual(['first', 'second'])
    expect(await two.all({ name: '', sql: 'select "n" from "t" order by "n"' }, [])).toEqual([{ n: 1 }, { n: 2 }])
  } finally {
    await one.close()
    await two.close()
    await place.drop()
  }
})

test('a command waits longer than a request would', async () => {
  const place = await sqlite.make()
  const waitMilliseconds = 200
  const [one, hurried, patient] = await Promise.all([
    openDatabase(place),
    openDatabase({ ...place, waitMilliseconds }),
    openDatabase({ ...place, waitMilliseconds, patient: true }),
  ])
  try {
    await one.script('create table "t" ("n" integer)')
    const insert = { name: '', sql: 'insert into "t" values (1)' }
    const letGo = await holdWriter(one)
    const second = patient.run(insert, [])
    await expect(hurried.run(insert, [])).rejects.toMatchObject({ code: 'storage_unavailable' })
    await letGo()
    expect(await second).toBe(1)
  } finally {
    await Promise.all([one, hurried, patient].map((db) => db.close()))
    await place.drop()
  }
})

test('those that wait for another process together are told together that it takes too long', async () => {
  const place = await sqlite.make()
  const waitMilliseconds = 500
  const [one, hurried] = await Promise.all([openDatabase(place), openDatabase({ ...place, waitMilliseconds })])
  try {
    await one.script('create table "t" ("n" integer)')
    const letGo = await holdWriter(one)
    const began = performance.now()
    const writers = 8
    const insert = { name: '', sql: 'insert into "t" values (1)' }
    const outcomes = await Promise.allSettled(Array.from({ length: writers }, () => hurried.run(insert, [])))
    for (const outcome of outcomes) expect(outcome).toMatchObject({ reason: { code: 'storage_unavailable' } })
    // Not one after the other.
    expect(performance.now() - began).toBeLessThan((writers - 1) * waitMilliseconds)
    await letGo()
    expect(await hurried.run(insert, [])).toBe(1)
  } finally {
    await Promise.all([one, hurried].map((db) => db.close()))
    await place.drop()
  }
})
