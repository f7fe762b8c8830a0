/** Two processes on one SQLite file: who waits for the other's transaction leaves its event loop to others. */
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { openDatabase } from '../../src/store/database.ts'
import { sqlite } from '../kit/backends.ts'

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
