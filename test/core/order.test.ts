import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { rankBetween, ranksAt, reorder } from '../../src/core/order.ts'

describe('ranksAt', () => {
  test('makes room among any ranks, and pushes on only what shares one', () => {
    const some = fc.array(fc.constantFrom('a0', 'a0V', 'a1', 'a2'), { maxLength: 8 })
    fc.assert(
      fc.property(some, fc.nat(8), fc.integer({ min: 1, max: 4 }), (given, at, count) => {
        const ranks = given.toSorted()
        const index = Math.min(at, ranks.length)
        const { coming, pushed } = ranksAt(ranks, { index, count })
        const rest = ranks.slice(index + pushed.length)
        const behind = [ranks[index - 1] ?? '', ...coming, ...pushed, ...rest.slice(0, 1)]
        expect(coming).toHaveLength(count)
        expect(behind).toEqual([...new Set(behind)].toSorted())
        expect(ranks.slice(index, index + pushed.length).every((rank) => rank === ranks[index - 1])).toBe(true)
      }),
    )
  })
})

describe('rankBetween', () => {
  test('is strictly between its neighbours, however often one inserts', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(), { minLength: 1, maxLength: 200 }), (places) => {
        const ranks: string[] = []
        for (const place of places) {
          const at = place % (ranks.length + 1)
          const low = ranks[at - 1] ?? ''
          const high = ranks[at] ?? ''
          const rank = rankBetween(low, high)
          expect(rank > low, `${low} < ${rank}`).toBe(true)
          if (high !== '') expect(rank < high, `${rank} < ${high}`).toBe(true)
          ranks.splice(at, 0, rank)
        }
        expect(ranks).toEqual(ranks.toSorted())
        expect(new Set(ranks).size).toBe(ranks.length)
      }),
    )
  })

  test('stays short at one end, and bearable at the other', () => {
    let last = ''
    let first = ''
    for (let i = 0; i < 1000; i++) last = rankBetween(last, '')
    for (let i = 0; i < 1000; i++) first = rankBetween('', first)
    expect(last.length).toBeLessThan(400)
    expect(first.length).toBeLessThan(400)
  })
})

describe('reorder', () => {
  const list = fc.uniqueArray(fc.nat({ max: 50 }), { minLength: 1, maxLength: 12 })

  test('keeps everything, moves one thing, and puts it where it was asked for', () => {
    fc.assert(
      fc.property(list, fc.nat(), fc.nat(), fc.constantFrom('before', 'after'), (items, i, j, side) => {
        const item = items[i % items.length] ?? 0
        const anchor = items[j % items.length] ?? 0
        const moved = reorder(items, item, { [side]: anchor }) ?? []
        expect(moved.toSorted()).toEqual(items.toSorted())
        expect(moved.filter((other) => other !== item)).toEqual(items.filter((other) => other !== item))
        if (item !== anchor) expect(moved.indexOf(item) - moved.indexOf(anchor)).toBe(side === 'before' ? -1 : 1)
        else expect(moved).toEqual(items)
      }),
    )
  })

  test('puts what is new in, and at the end by default', () => {
    expect(reorder(['a', 'b'], 'c', {})).toEqual(['a', 'b', 'c'])
    expect(reorder(['a', 'b'], 'a', {})).toEqual(['b', 'a'])
    expect(reorder(['a', 'b'], 'c', { before: 'a' })).toEqual(['c', 'a', 'b'])
    expect(reorder([], 'c', {})).toEqual(['c'])
  })

  test('refuses a place that is not there', () => {
    expect(reorder(['a'], 'a', { before: 'z' })).toBeNull()
  })
})
