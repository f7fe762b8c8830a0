/** Caches hold no more bytes than their share, whatever is put in. */
import { expect, test } from 'vitest'
import { Caches, defineCache } from '../../src/core/caches.ts'

const thingsIn = defineCache<{ name: string }>('things', { share: 0.5 })

test('a cache keeps to its share, and lets go what was not used longest', () => {
  const caches = new Caches({ bytes: 200_000 })
  const things = thingsIn(caches)
  for (let i = 0; i < 1000; i++) {
    things.set(`t${i}`, { name: `${i}` }, 1000)
    things.get('t0')
  }
  expect(things.bytes).toBeLessThanOrEqual(100_000)
  expect(things.bytes).toBeGreaterThan(50_000)
  expect(things.get('t0')).toEqual({ name: '0' })
  expect(things.get('t1')).toBeUndefined()
  expect(caches.list()).toMatchObject([{ name: 'things', limit: 100_000 }])
})

test('an entry that grows too large goes', () => {
  const things = thingsIn(new Caches({ bytes: 200_000 }))
  things.set('a', { name: 'a' }, 1000)
  things.set('a', { name: 'a' }, 30_000)
  expect(things.has('a')).toBe(false)
  expect(things.bytes).toBe(0)
})

test('what grows while it is kept is weighed again', () => {
  const things = thingsIn(new Caches({ bytes: 200_000 }))
  for (let i = 0; i < 10; i++) {
    const thing = { name: `${i}` }
    things.set(`t${i}`, thing, 1000)
    things.set(`t${i}`, thing, 20_000)
    expect(things.bytes).toBeGreaterThan(20_000)
  }
  expect(things.bytes).toBeLessThanOrEqual(100_000)
  expect(things.size).toBe(4)
  expect(things.has('t9')).toBe(true)
})

test('each object has caches of its own', () => {
  const [one, other] = [new Caches({ bytes: 1e6 }), new Caches({ bytes: 1e6 })]
  thingsIn(one).set('a', { name: 'a' }, 10)
  expect(thingsIn(other).get('a')).toBeUndefined()
  expect(thingsIn(one)).toBe(thingsIn(one))
})
