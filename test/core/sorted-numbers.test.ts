import fc from 'fast-check'
import { expect, test } from 'vitest'
import { both, either } from '../../src/core/sorted-numbers.ts'

const sorted = fc.uniqueArray(fc.nat(40)).map((list) => list.sort((a, b) => a - b))

test('what is in both and what is in either, in order, each once', () => {
  fc.assert(
    fc.property(sorted, sorted, (a, b) => {
      expect(both(a, b)).toEqual(a.filter((number) => b.includes(number)))
      expect(either(a, b)).toEqual([...new Set([...a, ...b])].sort((x, y) => x - y))
    }),
    { numRuns: 2000 },
  )
})
