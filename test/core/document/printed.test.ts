/** Markdown with slots for references, filled where it is read: the same as printing the document there. */
import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { fillTemplate, fillTemplateAsJson, printTemplate } from '../../../src/core/document/printed.ts'
import { fromMarkdown } from '../../../src/core/document/read/from-markdown.ts'
import { toMarkdown } from '../../../src/core/document/to-markdown.ts'
import { link, makeDocument, paragraph, text, voidBlock } from '../../../src/core/document/tree/make.ts'
import type { ContentRef } from '../../../src/core/document/tree/nodes.ts'
import { collectRefs, printRef } from '../../../src/core/document/tree/refs.ts'
import { document } from './arbitrary-blocks.ts'

const times = Number(process.env.LAW_TIMES ?? '1')

/** Another for each. */
const nameOf = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 12)

/** As pages are linked in Markdown: relative, one name of each kind, some with an anchor. */
const asPath = (ref: ContentRef): string =>
  ref.kind === 'url' ? ref.url : `../${ref.kind}/setup-${nameOf(JSON.stringify(ref))}.md`

/** As pictures are called: with spaces, of which some are narrow, and parentheses. */
const asPicture = (ref: ContentRef): string =>
  ref.kind === 'url' ? ref.url : `../assets/Shot ${nameOf(JSON.stringify(ref))}\u202fPM (2).png`

const page = { title: 'Install', frontMatter: { description: 'How to', other: {} } }

describe('filled slots', () => {
  for (const [depth, numRuns] of [
    [0, 1000],
    [1, 500],
    [2, 150],
  ] as const)
    test(`are what printing gives: ${numRuns} trees of depth ${depth}`, { timeout: 120_000 * times }, () => {
      fc.assert(
        fc.property(document(depth), (tree) => {
          const printed = printTemplate(tree)
          for (const spell of [asPath, (ref: ContentRef) => (isNamed(ref) ? printRef(ref) : asPath(ref))]) {
            const filled = fillTemplate(printed, { ...page, printRef: spell })
            expect(filled).toBe(toMarkdown(tree, { ...page, printRef: spell }))
            expect(fillTemplateAsJson(printed, { ...page, printRef: spell })).toBe(JSON.stringify(filled))
          }
        }),
        { numRuns: numRuns * times },
      )
    })

  test('a name with spaces is filled in as it is printed, or not at all', { timeout: 120_000 * times }, () => {
    let filledIn = 0
    fc.assert(
      fc.property(document(1), (tree) => {
        const filled = fillTemplate(printTemplate(tree), { ...page, printRef: asPicture })
        if (filled === undefined) return
        filledIn += 1
        expect(filled).toBe(toMarkdown(tree, { ...page, printRef: asPicture }))
      }),
      { numRuns: 500 * times },
    )
    expect(filledIn).toBeGreaterThan(0)
    const ref: ContentRef = { kind: 'page', page: 'p1' }
    const tree = makeDocument([paragraph([link(ref, [text('a')])]), voidBlock('content-ref', { ref })])
    expect(fillTemplate(printTemplate(tree), { printRef: () => '1.58\u202fPM.png' })).toBe(
      toMarkdown(tree, { printRef: () => '1.58\u202fPM.png' }),
    )
    expect(fillTemplate(printTemplate(tree), { printRef: () => 'a b (2).md' })).toBe(
      '[a](<a b (2).md>)\n\n{% content-ref url="a b (2).md" %}\n[a b (2).md](<a b (2).md>)\n{% endcontent-ref %}\n',
    )
  })

  test('a document that says the word of a slot has another one', () => {
    const ref: ContentRef = { kind: 'page', page: 'p1' }
    const tree = makeDocument([paragraph([text('lslot0x and '), link(ref, [text('lslot/lslot0x')])])])
    expect(fillTemplate(printTemplate(tree), { printRef: () => 'a.md' })).toBe('lslot0x and [lslot/lslot0x](a.md)\n')
  })

  test('a table is laid out by what comes into it, whatever else its lines hold', () => {
    const ref: ContentRef = { kind: 'page', page: 'p1' }
    const { document } = fromMarkdown(
      '| A | B |\n| - | - |\n| words\u2028and a word | x |\n| [label](/pages/p1) | y |\n',
    )
    expect(collectRefs(document).map((found) => found.ref)).toEqual([ref])
    const printRef = () => 'install/on-a-cluster/of-many-machines.md'
    expect(fillTemplate(printTemplate(document), { printRef })).toBe(toMarkdown(document, { printRef }))
  })

  test('what is filled in is escaped where JSON asks for it', () => {
    const ref: ContentRef = { kind: 'page', page: 'p1' }
    const [cell, words] = [paragraph([link(ref, [text('a "b" \\')])]), paragraph([text('\u0001 and \t "c"')])]
    const tree = makeDocument([cell, words])
    const options = {
      title: 'A "title"',
      frontMatter: { description: 'Of "c:\\d"', other: {} },
      printRef: () => 'a b.md',
    }
    const json = fillTemplateAsJson(printTemplate(tree), options) ?? ''
    expect(json).toBe(JSON.stringify(toMarkdown(tree, options)))
  })

  for (const target of ['<x>', '', 'a"b.md', 'a&amp;b.md'])
    test(`a target that is spelt otherwise in some places is not filled in: ${JSON.stringify(target)}`, () => {
      const ref: ContentRef = { kind: 'page', page: 'p1' }
      const tree = makeDocument([voidBlock('content-ref', { ref })])
      expect(fillTemplate(printTemplate(tree), { printRef: () => target })).toBeUndefined()
    })
})

/** Ids of plain letters: in the label of a mention an underscore is escaped, and then the document itself is printed. */
const isNamed = (ref: ContentRef): boolean => /^[a-z0-9-]+$/i.test(Object.values(ref).join(''))
