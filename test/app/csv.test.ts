/** Tables for spreadsheets: cells keep what they hold, and none becomes a formula. */
import { expect, test } from 'vitest'
import { csvOf } from '../../src/app/organization/audit/csv.ts'

test('cells with commas, quotes and lines are quoted', () => {
  expect(csvOf([['a', 'b,c', 'say "d"', 'e\nf', '']])).toBe('a,"b,c","say ""d""","e\nf",\r\n')
})

test.each(['=1+1', '+1', '-1', '@SUM(A1)', '\t=1'])('%j stays a text', (text) => {
  expect(csvOf([[text]])).toBe(`'${text}\r\n`)
})

test('a formula with quotes is both quoted and a text', () => {
  expect(csvOf([['=HYPERLINK("x")']])).toBe(`"'=HYPERLINK(""x"")"\r\n`)
})
