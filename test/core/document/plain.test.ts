/** What is printed without proof is what printing with proof would have said, and is read back as it was. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { printContext } from '../../../src/core/document/print/context.ts'
import { markdownInlines } from '../../../src/core/document/print/inline.ts'
import { printPlain, printPlainLine } from '../../../src/core/document/print/plain.ts'
import { readBack } from '../../../src/core/document/read/read-back.ts'
import { heading, leaf, link, makeDocument, paragraph, text } from '../../../src/core/document/tree/make.ts'
import type { ContentRef, InlineContent, Mark, Text } from '../../../src/core/document/tree/nodes.ts'
import { normalise } from '../../../src/core/document/tree/normalise.ts'
import { sameNodes } from '../../../src/core/document/tree/same.ts'

const times = Number(process.env.LAW_TIMES ?? '1')
const timeout = 120_000 * times

/** Nearly all of it is plain, and every sign that is not stands next to such that are. */
const harmless = [
  'a',
  'Word',
  'words in a row',
  'é',
  '中文',
  '𝐀',
  '٣',
  '12',
  ' ',
  ' ',
  ' ',
  ', ',
  '. ',
  ' (',
  ') ',
  '’',
  ': ',
  '! ',
  '/',
  '-',
  '—',
  '"',
]
const tricky = ['import x', 'export ', 'www.', 'example.com', ':smile:', ':tada', ':', '!', '*', '_', '`', '1. ', '# ', '~', '|', '[', ']', '^', '$', '{', '%}', '<b', '>', '&amp;', '\\', '\n', '\t', '\u00a0', 'x@y.com', 'https://a.b', '//', '=', '+ ', '- ', '^1', '({', '\u0301', '😀', '\ufe0f'] // biome-ignore format: a list
const words = fc
  .array(
    fc.oneof(
      { weight: 14, arbitrary: fc.constantFrom(...harmless) },
      { weight: 1, arbitrary: fc.constantFrom(...tricky) },
    ),
    { minLength: 1, maxLength: 4 },
  )
  .map((parts) => parts.join(''))
const mark = fc.constantFrom<Mark>(
  ...(['bold', 'italic', 'code', 'strikethrough'] as const).map((type) => ({ object: 'mark' as const, type })),
  { object: 'mark', type: 'color', data: { text: 'red', background: 'yellow' } },
)
const marks = fc.oneof(
  { weight: 4, arbitrary: fc.constant<Mark[]>([]) },
  { weight: 3, arbitrary: mark.map((one) => [one]) },
  { weight: 1, arbitrary: fc.array(mark, { maxLength: 2 }) },
)
/** Mostly as sentences have them: spaces around what is marked, not in it. */
const spaced = ({ words, marks, isOdd }: { words: string; marks: Mark[]; isOdd: boolean }): string =>
  isOdd ? words : marks.length > 0 ? words.trim() || 'b' : ` ${words} `
const odd = fc.integer({ min: 0, max: 5 }).map((number) => number === 0)
const texts: fc.Arbitrary<Text> = fc
  .array(fc.record({ words, marks, isOdd: odd }), { minLength: 1, maxLength: 4 })
  .map((leaves) => ({ object: 'text', leaves: leaves.map((one) => leaf(spaced(one), one.marks)) }))
const ref = fc.constantFrom<ContentRef>(
  { kind: 'page', page: 'p1' },
  { kind: 'url', url: '/pages/p1' },
  { kind: 'anchor', anchor: 'x', page: 'p1' },
  { kind: 'anchor', anchor: 'user-content-fn-1' },
  { kind: 'url', url: 'https://example.com/a-b_c?d=e#f' },
  { kind: 'url', url: 'https://example.com/a(b)' },
  { kind: 'url', url: 'a b.md' },
  { kind: 'url', url: 'javascript:x' },
  { kind: 'url', url: 'a*b_c.md' },
  { kind: 'url', url: '%zz' },
)
const inline: fc.Arbitrary<InlineContent> = fc.oneof(
  { weight: 3, arbitrary: texts },
  {
    weight: 1,
    arbitrary: fc
      .record({ ref, words, marks, isOdd: odd })
      .map(({ ref, words, marks, isOdd }) => link(ref, [text(isOdd ? words : words.trim() || 'c', marks)])),
  },
)
/** Without spaces at its edges, mostly, which nothing plain has. */
const inlines = fc
  .record({ nodes: fc.array(inline, { minLength: 1, maxLength: 4 }), isOdd: odd })
  .map(({ nodes, isOdd }) => (isOdd ? nodes : [text('So'), ...nodes, text('it is.')]))
for (const [name, print, blockOf, before] of [
  ['of a paragraph', printPlain, paragraph, ''],
  ['of a heading', printPlainLine, (nodes: InlineContent[]) => heading('heading-2', nodes), '### '],
] as const)
  test(name, { timeout }, () => {
    let plain = 0
    fc.assert(
      fc.property(inlines, (given) => {
        const [normal] = normalise(makeDocument([blockOf(given)])).nodes
        if (normal?.type !== 'paragraph' && normal?.type !== 'heading-2') return
        const context = printContext()
        const printed = print(normal.nodes, context)
        if (printed === undefined) return
        plain += 1
        const style = { marks: 'markdown', breaks: before === '' ? 'backslash' : 'br' } as const
        expect(printed).toBe(markdownInlines(normal.nodes, style, printContext()))
        const read = readBack(`${before}${printed}`, { targets: context.targets, isNote: () => true })
        if (!sameNodes(read, [normal])) expect(read, printed).toEqual([normal])
      }),
      { numRuns: 20_000 * times },
    )
    expect(plain).toBeGreaterThan(1500 * times)
  })

test('of a cell between pipes', { timeout }, () => {
  let plain = 0
  fc.assert(
    fc.property(inlines, (given) => {
      const [normal] = normalise(makeDocument([paragraph(given)])).nodes
      if (normal?.type !== 'paragraph') return
      const context = printContext()
      const printed = printPlainLine(normal.nodes, context)
      if (printed === undefined || printed.includes('|')) return
      plain += 1
      const table = `| A | B |\n| - | - |\n| ${printed} | ${printed} |`
      const [read] = readBack(table, { targets: context.targets, isNote: () => true })
      const cells = read?.type === 'table' ? read.fragments.map(({ nodes }) => nodes) : []
      for (const nodes of [cells[0], cells[1]]) if (!sameNodes(nodes, [normal])) expect(nodes, table).toEqual([normal])
    }),
    { numRuns: 20_000 * times },
  )
  expect(plain).toBeGreaterThan(1500 * times)
})
