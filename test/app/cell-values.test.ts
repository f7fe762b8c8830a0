/** Numbers as people and spreadsheets write them. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readNumber } from '../../src/app/editor/blocks/cell-values.ts'

test('a number is read as its writer meant it', () => {
  const cases: [string, string, number | undefined][] = [
    ['1.5', 'en', 1.5],
    ['1,5', 'en', 1.5],
    ['1,234', 'en', 1234],
    ['1,234', 'de', 1.234],
    ['1.234', 'de', 1234],
    ['1.234', 'en', 1.234],
    ['0.125', 'de', 0.125],
    ['1.234.567', 'en', 1234567],
    ['1.234,56', 'en', 1234.56],
    ['−3', 'en', -3],
    ['€ 1’234.50', 'de', 1234.5],
    ['12 345,6 €', 'en', 12345.6],
    ['.5', 'en', 0.5],
    ['16.11.2026', 'de', undefined],
    ['030 1234', 'de', undefined],
    ['1,2,3', 'en', undefined],
    ['5 %', 'en', undefined],
    ['many', 'en', undefined],
    ['', 'en', undefined],
  ]
  for (const [text, locale, number] of cases) expect([text, readNumber(text, locale)]).toEqual([text, number])
})

test('whatever a language writes is read as the same number', () => {
  fc.assert(
    fc.property(fc.integer({ min: -1e9, max: 1e9 }), fc.constantFrom('en', 'de', 'fr'), (hundredths, locale) => {
      const number = hundredths / 100
      const text = new Intl.NumberFormat(locale, { maximumFractionDigits: 2 }).format(number)
      expect(readNumber(text, locale)).toBe(number === 0 ? 0 : number)
    }),
  )
})
