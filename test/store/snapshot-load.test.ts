/** A long snapshot (a backup) must not stop the writers, however large the log grows meanwhile. */
import { expect, it } from 'vitest'
import { eachBackend, useStore } from '../kit/backends.ts'

eachBackend((backend) => {
  const store = useStore(backend)

  it('goes on writing beside a long snapshot', async () => {
    const { db } = store
    const value = 'x'.repeat(1_000_000)
    let longest = 0
    let last = performance.now()
    const counts = await db.snapshot(async (moment) => {
      const count = { sql: 'select count(*) as "count" from "setting"', name: '' }
      const before = Number((await moment.all(count, []))[0]?.count)
      for (let index = 0; index < 90; index++) {
        // From one to the next: what happens after a write was acknowledged stops the others too.
        longest = Math.max(longest, performance.now() - last)
        last = performance.now()
        const insert = `insert into "setting" ("name", "value") values ('large-${index}', '${value}')`
        await db.run({ sql: insert, name: '' }, [])
      }
      return [before, Number((await moment.all(count, []))[0]?.count)]
    })
    expect(counts[0]).toBe(counts[1])
    console.log(`${backend.name}: ${Math.round(longest)} ms at most from write to write`)
    expect(longest).toBeLessThan(3000)
    const [now] = await db.all({ sql: 'select count(*) as "count" from "setting"', name: '' }, [])
    expect(Number(now?.count)).toBe((counts[0] ?? 0) + 90)
  }, 120_000)
})
