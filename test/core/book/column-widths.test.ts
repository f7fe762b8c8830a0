import { expect, test } from 'vitest'
import type { BookInline, Cell } from '../../../src/core/book/book.ts'
import { columnWidths, withBreaks } from '../../../src/core/book/column-widths.ts'

const cell = (...content: BookInline[]): Cell => ({ blocks: [{ kind: 'paragraph', content }] })
const words = (text: string): Cell => cell({ kind: 'text', text })
const code = (text: string): Cell => cell({ kind: 'text', text, code: true })
const textOf = ({ blocks: [block] }: Cell): string =>
  block?.kind === 'paragraph' && block.content[0]?.kind === 'text' ? block.content[0].text : ''

test('a long column leaves the others the room of their longest words', () => {
  const head = ['Variable', 'Meaning', 'Default'].map(words)
  const rows = [
    [code('LECTERN_ADMIN_EMAIL'), words('who reads the numbers of the server, '.repeat(6)), code('admin@localhost')],
    [code('PORT'), words('port to listen on'), words('made at the first start and stored')],
  ]
  const [first = 0, second = 0, third = 0] = columnWidths([0, 0, 0], head, rows)
  expect(first + second + third).toBeCloseTo(1, 2)
  expect(first).toBeGreaterThan(0.2)
  expect(third).toBeGreaterThan(0.17)
  expect(second).toBeGreaterThan(Math.max(first, third))
})

test('widths of the author are kept, and columns without one share the rest of a page', () => {
  expect(columnWidths([140, 0], [], [])).toEqual([0.1892, 0.8108])
  expect(columnWidths([300, 100], [], [])).toEqual([0.75, 0.25])
})

test('what is wider than its column can be broken, at its seams; words and what fits stay as they are', () => {
  const widths = [0.1, 0.9]
  const long = withBreaks(code('learnCard.invoke.createContract'), widths, 0)
  expect(textOf(long)).toBe('learn\u200bCard.\u200binvoke.\u200bcreate\u200bContract')
  const endless = withBreaks(code('x'.repeat(40)), widths, 0)
  expect(
    Math.max(
      ...textOf(endless)
        .split('\u200b')
        .map((piece) => piece.length),
    ),
  ).toBeLessThan(10)
  expect(textOf(withBreaks(words('Authentication'), widths, 0))).toBe('Authentication')
  expect(textOf(withBreaks(code('learnCard.invoke.createContract'), widths, 1))).toBe('learnCard.invoke.createContract')
})

test('many columns of long words share what there is, and those of short words keep what they need', () => {
  const row = [words('ok'), ...Array.from({ length: 5 }, () => code('a_very_long_name_of_something'))]
  const widths = columnWidths(
    row.map(() => 0),
    [],
    [row],
  )
  expect(widths[0]).toBeLessThan(0.06)
  expect(new Set(widths.slice(1)).size).toBe(1)
})
