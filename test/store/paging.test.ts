import { expect, test } from 'vitest'
import { beyond, type Order } from '../../src/store/paging.ts'
import { dynamic, run } from '../../src/store/query.ts'
import { eachBackend, useStore } from '../kit/backends.ts'

const put = run((b, p: { name: string; value: string }) =>
  b.insertInto('setting').values({ name: p.name, value: p.value }),
)
const drop = run((b, p: { name: string }) => b.deleteFrom('setting').where('name', '=', p.name))

eachBackend((backend) => {
  const store = useStore(backend)
  const page = (after: { key: string; id: string } | undefined, order: Order, limit: number) =>
    dynamic(store.db, (b) =>
      b
        .selectFrom('setting')
        .selectAll()
        .where(beyond({ key: 'value', id: 'name' }, { after, limit, order }))
        .orderBy('value', order)
        .orderBy('name', order)
        .limit(limit),
    )
  const walk = async (order: Order, limit: number, between: (seen: string[]) => Promise<void> = async () => {}) => {
    const seen: string[] = []
    for (let after: { key: string; id: string } | undefined; ; ) {
      const rows = await page(after, order, limit)
      seen.push(...rows.map((row) => row.name))
      const last = rows.at(-1)
      if (rows.length < limit || !last) return seen
      after = { key: last.value, id: last.name }
      await between(seen)
    }
  }

  test('walks through ties, in both orders, with pages of any size', async () => {
    await dynamic(store.db, (b) => b.selectFrom('setting').selectAll())
    // Few keys and many rows; keys that sort differently in words and in code points.
    const keys = ['', 'B', 'a', 'a', 'é', '組', '🪑', '\u{10ffff}']
    for (let i = 0; i < 40; i++)
      await put(store.db, { name: `n${String(i).padStart(2, '0')}`, value: keys[i % keys.length] ?? '' })
    const up = await walk('asc', 1000)
    expect(up).toHaveLength(40)
    for (const limit of [1, 2, 3, 7, 40, 41]) {
      expect(await walk('asc', limit)).toEqual(up)
      expect(await walk('desc', limit)).toEqual(up.toReversed())
    }
  })

  test('meets each row once that was there all the time', async () => {
    let added = 0
    const before = await walk('asc', 1000)
    const gone: string[] = []
    const seen = await walk('asc', 3, async (soFar) => {
      await put(store.db, { name: `new${added}`, value: ['', 'a', '\u{10ffff}'][added++ % 3] ?? '' })
      const victim = soFar.at(-1)
      if (victim && added % 4 === 0) {
        gone.push(victim)
        await drop(store.db, { name: victim })
      }
    })
    expect(new Set(seen).size).toBe(seen.length)
    expect(seen.filter((name) => name.startsWith('n') && !name.startsWith('new'))).toEqual(before)
    expect(gone.length).toBeGreaterThan(0)
  })
})
