/** Days and files of what was counted on a site. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { csvOf } from '../../../src/app/sites/insights/csv.ts'
import { halvesOf, lastDays, lengthOf, rangeBefore, stepsOf } from '../../../src/app/sites/insights/days.ts'

const ranges = fc
  .tuple(fc.integer({ min: 1, max: 366 }), fc.date({ min: new Date('2000-01-01'), max: new Date('2090-01-01') }))
  .filter(([, end]) => !Number.isNaN(end.getTime()))
  .map(([days, end]) => lastDays(days, end.toISOString().slice(0, 10)))

describe('days', () => {
  test('are counted with the first and the last', () => {
    expect(lastDays(30, '2026-03-01')).toEqual({ from: '2026-01-31', to: '2026-03-01' })
    expect(lengthOf({ from: '2026-01-31', to: '2026-03-01' })).toBe(30)
    expect(rangeBefore({ from: '2026-01-31', to: '2026-03-01' })).toEqual({ from: '2026-01-01', to: '2026-01-30' })
  })

  test('in halves are the same days, each once', () => {
    fc.assert(
      fc.property(ranges, (range) => {
        const halves = halvesOf(range)
        expect(halves === undefined).toBe(lengthOf(range) === 1)
        if (!halves) return
        const [first, second] = halves
        expect([first.from, second.to]).toEqual([range.from, range.to])
        expect(lengthOf(first) + lengthOf(second)).toBe(lengthOf(range))
        expect(rangeBefore(second).to).toBe(first.to)
      }),
    )
  })

  test('are bars that lose no count, and never too many of them', () => {
    fc.assert(
      fc.property(ranges, fc.array(fc.tuple(fc.nat(365), fc.nat(1000))), (range, given) => {
        const counts = new Map(
          given
            .filter(([at]) => at < lengthOf(range))
            .map(([at, count]) => [lastDays(lengthOf(range) - at, range.to).from, count]),
        )
        const { steps } = stepsOf(range, counts)
        expect(steps.length).toBeLessThanOrEqual(92)
        expect(steps.reduce((sum, { count }) => sum + count, 0)).toBe(
          [...counts.values()].reduce((sum, count) => sum + count, 0),
        )
      }),
    )
  })
})

test('a file holds titles as they are, and none of them is a formula', () => {
  const text = csvOf([
    ['Day', 'Page', 'Number'],
    ['2026-01-01', 'Say "hello", world', 3],
    ['2026-01-01', '=HYPERLINK("https://evil.example")', -1],
    ['2026-01-01', '@sum\nof', 0],
  ])
  expect(text).toBe(
    '\ufeffDay,Page,Number\r\n2026-01-01,"Say ""hello"", world",3\r\n2026-01-01,"\'=HYPERLINK(""https://evil.example"")",-1\r\n2026-01-01,"\'@sum\nof",0\r\n',
  )
})
