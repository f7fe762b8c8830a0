import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { hash32 } from '../../../src/core/hash.ts'
import { countBefore, emptyMap, entries, entryAt, get, getAll, type MapRef } from '../../../src/core/revision/map.ts'
import { diff } from '../../../src/core/revision/map-diff.ts'
import { update } from '../../../src/core/revision/map-update.ts'
import { memoryNodes } from './memory.ts'

const key = fc.string({ minLength: 1, maxLength: 3, unit: fc.constantFrom(...'abcdefghij') })
const change = fc.tuple(key, fc.option(fc.nat(999), { nil: undefined }))
const batches = fc.array(fc.array(change, { minLength: 1, maxLength: 60 }), { minLength: 1, maxLength: 12 })

const build = async (memory: ReturnType<typeof memoryNodes>, all: [string, number | undefined][][]) => {
  let root = emptyMap(memory.nodes)
  const model = new Map<string, number>()
  for (const batch of all) {
    root = await update(memory.nodes, root, new Map(batch))
    for (const [name, value] of batch) value === undefined ? model.delete(name) : model.set(name, value)
  }
  return { root, model: [...model].sort(([a], [b]) => (a < b ? -1 : 1)) }
}

describe('the immutable map', () => {
  it('holds what a plain map would hold, in order', () =>
    fc.assert(
      fc.asyncProperty(batches, key, async (all, probe) => {
        const memory = memoryNodes()
        const { root, model } = await build(memory, all)
        expect(await entries(memory.nodes, root)).toEqual(model)
        expect(root.count).toBe(model.length)
        expect(await get(memory.nodes, root, probe)).toBe(new Map(model).get(probe))
        expect(await countBefore(memory.nodes, root, probe)).toBe(model.filter(([name]) => name < probe).length)
        const place = Math.floor(model.length / 2)
        expect(await entryAt(memory.nodes, root, place)).toEqual(model[place])
        expect(await entries(memory.nodes, root, { from: probe, limit: 3 })).toEqual(
          model.filter(([name]) => name >= probe).slice(0, 3),
        )
      }),
      { numRuns: 300 },
    ))

  it('finds several keys as it finds each, and reads no node twice for it', () =>
    fc.assert(
      fc.asyncProperty(batches, fc.uniqueArray(key, { maxLength: 30 }), async (all, probes) => {
        const memory = memoryNodes()
        const { root, model } = await build(memory, all)
        const held = new Map(model)
        memory.loaded.length = 0
        const found = await getAll(memory.nodes, root, probes)
        expect([...found].sort()).toEqual(
          probes.flatMap((name) => (held.has(name) ? [[name, held.get(name)]] : [])).sort(),
        )
        expect(new Set(memory.loaded).size).toBe(memory.loaded.length)
      }),
      { numRuns: 300 },
    ))

  it('has one form for the same entries, whatever the history', () =>
    fc.assert(
      fc.asyncProperty(batches, async (all) => {
        const memory = memoryNodes()
        const { root, model } = await build(memory, all)
        const fresh = await update(memory.nodes, emptyMap(memory.nodes), new Map(model))
        expect(root).toEqual(fresh)
      }),
      { numRuns: 300 },
    ))

  it('finds every difference and nothing else', () =>
    fc.assert(
      fc.asyncProperty(batches, batches, async (one, other) => {
        const memory = memoryNodes()
        const a = await build(memory, one)
        const b = await build(memory, other)
        const [before, after] = [new Map(a.model), new Map(b.model)]
        const names = [...new Set([...before.keys(), ...after.keys()])].sort()
        const expected = names
          .filter((name) => before.get(name) !== after.get(name))
          .map((name) => ({
            key: name,
            ...(before.has(name) ? { before: before.get(name) } : {}),
            ...(after.has(name) ? { after: after.get(name) } : {}),
          }))
        expect(await diff(memory.nodes, a.root, b.root)).toEqual(expected)
      }),
      { numRuns: 300 },
    ))

  it('costs what changes, not what there is', async () => {
    const cost = async (size: number) => {
      const memory = memoryNodes()
      const all = Array.from(
        { length: size },
        (_, i) => [`page${String(i * 7919).padStart(9, '0')}`, 'x'.repeat(200)] as const,
      )
      const root = await update(memory.nodes, emptyMap(memory.nodes), new Map(all))
      const totals = { loads: 0, bytes: 0, diffLoads: 0 }
      for (let i = 0; i < 50; i++) {
        Object.assign(memory.counts, { loads: 0, saves: 0, bytes: 0 })
        const [name] = all[(i * 7) % size] ?? ['']
        const changed = await update(memory.nodes, root, new Map([[name, `${i}`]]))
        totals.loads += memory.counts.loads
        totals.bytes += memory.counts.bytes
        memory.counts.loads = 0
        expect(await diff(memory.nodes, root, changed)).toHaveLength(1)
        totals.diffLoads += memory.counts.loads
      }
      return totals
    }
    const small = await cost(100)
    const large = await cost(10_000)
    expect(large.bytes / small.bytes).toBeLessThan(3)
    expect(large.bytes / 50).toBeLessThan(4000)
    expect(large.loads / 50).toBeLessThan(30)
    expect(large.diffLoads / 50).toBeLessThan(16)
  })

  it('reads no more for a part than leads there', async () => {
    const memory = memoryNodes()
    const all = Array.from({ length: 10_000 }, (_, i) => [`k${String(i).padStart(5, '0')}`, i] as const)
    const root = await update(memory.nodes, emptyMap(memory.nodes), new Map(all))
    for (const part of [
      { from: 'k00300', until: 'k00303' },
      { from: 'k00300', limit: 3 },
    ]) {
      memory.counts.loads = 0
      expect(await entries(memory.nodes, root, part)).toEqual(all.slice(300, 303))
      expect(memory.counts.loads).toBeLessThan(20)
    }
  })

  it('is the very same where nothing changes, also one whose nodes are larger than they are made now', async () => {
    const memory = memoryNodes()
    const keys = Array.from({ length: 100 }, (_, i) => `k${String(i).padStart(3, '0')}`)
    const values = keys.map((key) => ({ title: key }))
    const old: MapRef = { hash: memory.nodes.save({ level: 0, keys, values }), level: 0, count: keys.length }
    const nothing = new Map<string, object | undefined>([
      ['k007', { title: 'k007' }],
      ['k100', undefined],
    ])
    expect(await update(memory.nodes, old, nothing)).toEqual(old)
    const changed = await update(memory.nodes, old, new Map([['k007', { title: 'other' }]]))
    expect(changed.level).toBeGreaterThan(0)
    expect(await diff(memory.nodes, old, changed)).toEqual([
      { key: 'k007', before: { title: 'k007' }, after: { title: 'other' } },
    ])
    const whole = await update(memory.nodes, emptyMap(memory.nodes), new Map(await entries(memory.nodes, changed)))
    expect(whole).toEqual(changed)
    const named = await update(memory.nodes, old, new Map([['k007', { object: 'block', key: 'one' }]]))
    const renamed = await update(memory.nodes, named, new Map([['k007', { object: 'block', key: 'two' }]]))
    expect(await get(memory.nodes, renamed, 'k007')).toEqual({ object: 'block', key: 'two' })
  })

  it('keeps nodes small for keys that were chosen to avoid boundaries', async () => {
    const memory = memoryNodes()
    const chosen = Array.from({ length: 20_000 }, (_, i) => `${i}`.padStart(6, '0'))
      .filter((name) => hash32(`0 ${name}`) % 8 !== 0)
      .slice(0, 5000)
    const { root } = await build(memory, [chosen.map((name, i) => [name, i] as [string, number])])
    const middle = chosen[2500] as string
    expect(await get(memory.nodes, root, middle)).toBe(2500)
    for (const text of memory.stored.values()) expect(JSON.parse(text).keys.length).toBeLessThanOrEqual(8)

    const { saves } = memory.counts
    await update(memory.nodes, root, new Map([[middle, -1]]))
    expect(memory.counts.saves - saves, 'one of each level: what follows the leaf stays').toBe(root.level + 1)
  })

  it('has one form also where nodes are cut because they are full', () =>
    fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(fc.tuple(fc.nat(199), fc.option(fc.nat(9), { nil: undefined })), { maxLength: 40 })),
        async (all) => {
          const memory = memoryNodes()
          const named = all.map((batch) =>
            batch.map(([n, value]) => [unbounded[n], value] as [string, number | undefined]),
          )
          const { root, model } = await build(memory, named)
          expect(await update(memory.nodes, emptyMap(memory.nodes), new Map(model))).toEqual(root)
        },
      ),
      { numRuns: 200 },
    ))
})

/** Keys that end no leaf. */
const unbounded = Array.from({ length: 400 }, (_, i) => `u${String(i).padStart(3, '0')}`)
  .filter((name) => hash32(`0 ${name}`) % 8 !== 0)
  .slice(0, 200)
