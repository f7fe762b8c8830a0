import { expect, test } from 'vitest'
import type { BookBlock, Chapter } from '../../../src/core/book/book.ts'
import { entriesOf, labelsIn, partsOf } from '../../../src/core/book/parts.ts'

const words = (count: number): BookBlock => ({
  kind: 'paragraph',
  content: [{ kind: 'text', text: 'word '.repeat(count) }],
})
const chapter = (label: string, blocks: BookBlock[], level = 1): Chapter => ({ label, level, title: label, blocks })

test('parts end between chapters, and nothing is lost or moved', () => {
  const chapters = Array.from({ length: 40 }, (_, index) => chapter(`L${index}`, [words(2_000)]))
  const parts = [...partsOf(chapters, {})].filter((part) => part !== undefined)
  expect(parts.length).toBeGreaterThan(2)
  expect(parts.flatMap((part) => part.chapters)).toEqual(chapters)
  for (const part of parts) expect(JSON.stringify(part).length).toBeLessThan(200_000)
})

test('a chapter that is too heavy is divided, a table of it between its rows under the same head', () => {
  const head = [{ blocks: [words(1)] }]
  const rows = Array.from({ length: 3_000 }, () => [{ blocks: [words(20)] }])
  const parts = [...partsOf([chapter('L0', [{ kind: 'table', head, rows, widths: [0] }])], {})].filter(
    (part) => part !== undefined,
  )
  const pieces = parts.flatMap((part) => part.chapters)
  expect(pieces.map((piece) => piece.continues === true)).toEqual(pieces.map((_, index) => index > 0))
  const tables = pieces.flatMap((piece) => piece.blocks).flatMap((block) => (block.kind === 'table' ? [block] : []))
  expect(tables.length).toBeGreaterThan(3)
  expect(tables.flatMap((table) => table.rows)).toEqual(rows)
  expect(tables.every((table) => table.head === head)).toBe(true)
})

test('images weigh what they take when they are unpacked, and steps go on counting', () => {
  const steps = Array.from({ length: 12 }, (_, index): BookBlock[] => [
    { kind: 'pictures', align: 'center', pictures: [{ image: `/${index}.png`, alt: '' }] },
  ])
  const sizes = Object.fromEntries(steps.map((_, index) => [`/${index}.png`, { width: 2_000, height: 2_000 }]))
  const parts = [...partsOf([chapter('L0', [{ kind: 'steps', start: 1, steps }])], sizes)].filter(
    (part) => part !== undefined,
  )
  expect(parts.every((part) => part.images.length <= 6)).toBe(true)
  const starts = parts.flatMap((part) => part.chapters.flatMap((piece) => piece.blocks))
  expect(starts.map((block) => (block.kind === 'steps' ? block.start : 0))).toEqual([1, 4, 7, 10])
})

test('contents list chapters and headings, or chapters alone where that would be too many', () => {
  const heading = (index: number): BookBlock => ({
    kind: 'heading',
    level: 2,
    label: `H${index}`,
    content: [{ kind: 'link', to: { url: 'https://example.org' }, content: [{ kind: 'text', text: `Part ${index}` }] }],
  })
  const book = (count: number) => ({
    title: 'Book',
    date: '',
    language: 'en',
    direction: 'ltr' as const,
    color: '#000000',
    isWhole: true,
    hasPageNumbers: true,
    words: { contents: '', page: '', hints: { info: '', warning: '', danger: '', success: '' } },
    chapters: [
      chapter(
        'L0',
        Array.from({ length: count }, (_, index) => heading(index)),
      ),
    ],
  })
  expect(entriesOf(book(2)).map((entry) => [entry.level, entry.title])).toEqual([
    [1, 'L0'],
    [2, 'Part 0'],
    [2, 'Part 1'],
  ])
  expect(entriesOf(book(900)).map((entry) => entry.title)).toEqual(['L0'])
})

test('labels that are linked to are found wherever they stand', () => {
  const found = labelsIn([{ kind: 'cards', cards: [{ to: { label: 'L7' }, blocks: [] }] }, { to: { url: 'x' } }])
  expect([...found]).toEqual(['L7'])
})
