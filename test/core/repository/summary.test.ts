import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { lineOf, printSummary, readSummary, type SummaryEntry } from '../../../src/core/repository/summary.ts'
import { piecesOfSummary } from '../../../src/core/repository/summary-pieces.ts'
import { hostile } from '../document/arbitrary-text.ts'

const entry = (title: string, target?: string, children: SummaryEntry[] = []): SummaryEntry => ({
  title,
  ...(target === undefined ? {} : { target }),
  children,
})

describe('a table of contents', () => {
  test('has groups, nested pages, and pages at the root behind a rule', () => {
    const parts = readSummary(
      [
        '# Summary',
        '',
        '-   [One](one.md)',
        '    -   [Two](<a b/two.md> "Second")',
        '1. [Three](../three%20x.md#place)',
        '',
        '## Group & *more* <a href="#grp" id="grp"></a>',
        '',
        '* [Out](https://example.org "mention")',
        '* No link',
        '  * [Below](below.md) and [beside](beside.md)',
        '',
        '***',
        '* [`Last`\\] :rocket:](last.md) <!-- {"hidden":true} -->',
      ].join('\n'),
    )
    expect(parts).toMatchObject([
      {
        entries: [
          { title: 'One', target: 'one.md', children: [{ title: 'Two', linkTitle: 'Second', target: 'a b/two.md' }] },
          { title: 'Three', target: '../three%20x.md#place' },
        ],
      },
      {
        group: { title: 'Group & more', slug: 'grp' },
        entries: [
          { title: 'Out', linkTitle: undefined, target: 'https://example.org' },
          { title: 'No link', children: [{ title: 'Below' }, { title: 'beside' }] },
        ],
      },
      { entries: [{ title: 'Last] 🚀', target: 'last.md', fields: { hidden: true } }] },
    ])
    expect(parts[2]?.group).toBeUndefined()
  })

  test('holds computed pages as YAML', () => {
    const source =
      '* ```yaml\n  type: builtin:openapi\n  props:\n    models: true\n  ```\n* ```yaml\n  no: type\n  ```\n'
    const [part] = readSummary(source)
    expect(part?.entries).toMatchObject([{ computed: { type: 'builtin:openapi', props: { models: true } } }])
    expect(printSummary(part ? [part] : [])).toBe(
      `# Table of contents\n\n${source.slice(0, source.indexOf('* ```yaml\n  no'))}`,
    )
  })

  test('reads back any titles and targets', () => {
    const target = fc.constantFrom('a.md', 'a b/c (1).md', 'https://example.org/?a=1&b=2', '', 'x.md#y', '<>.md')
    const leaf = fc.tuple(hostile, target).map(([title, to]) => entry(lineOf(title), to))
    const tree = fc.tuple(leaf, fc.array(leaf, { maxLength: 2 })).map(([page, children]) => ({ ...page, children }))
    const part = fc.record({
      group: fc.option(
        hostile.map((title) => ({ title: lineOf(title) })),
        { nil: undefined },
      ),
      entries: fc.array(tree, { minLength: 1, maxLength: 3 }),
    })
    fc.assert(
      fc.property(fc.array(part, { maxLength: 3 }), (parts) => {
        const printed = printSummary(parts)
        const read = readSummary(printed)
        expect(printSummary(read)).toBe(printed)
        expect(read.flatMap(titles)).toEqual(parts.flatMap(titles))
      }),
      { numRuns: 1000 },
    )
  }, 60_000)

  test('of 50,000 pages is read at once', () => {
    const lines = Array.from({ length: 50_000 }, (_, at) => `${at % 10 === 0 ? '' : '  '}* [Page ${at}](p${at}.md)`)
    const [part] = readSummary(`# Contents\n\n${lines.join('\n')}\n`)
    expect(part?.entries).toHaveLength(5000)
  }, 60_000)
})

const titles = ({ group, entries }: ReturnType<typeof readSummary>[number]): string[] => [
  ...(group ? [`# ${group.title}`] : []),
  ...entries.flatMap(({ title, target, children }) => [
    `${title} ${target}`,
    ...children.map((child) => `- ${child.title} ${child.target}`),
  ]),
]

describe('a long table of contents', () => {
  const readInPieces = (text: string) => {
    const parts: ReturnType<typeof readSummary> = []
    for (const piece of piecesOfSummary(text)) parts.push(...readSummary(piece, { isBegun: parts.length > 0 }))
    return parts
  }

  test('is read in pieces, one for each group', () => {
    const group = (n: number) =>
      `## Group ${n}\n\n* [One](one-${n}.md)\n  * \`\`\`yaml\n    type: openapi\n    \`\`\`\n`
    const text = `# Summary\n\n* [First](first.md)\n\n${group(1)}\n${group(2)}\n***\n\n* [Last](last.md)\n`
    expect([...piecesOfSummary(text)]).toHaveLength(4)
    expect(readInPieces(text)).toEqual(readSummary(text))
  })

  test('says in pieces what it says as a whole', () => {
    const line = fc.constantFrom(
      ...[
        '',
        '',
        '',
        '# Top',
        '## Group',
        '## Other <!-- {"a":1} -->',
        '***',
        '---',
        '* [A](a.md)',
        '  * [B](b.md "t")',
      ],
      ...[
        '* plain',
        '- [C][ref]',
        '[ref]: c.md',
        '  [ref]: d.md',
        '* [x]: y.md',
        '```',
        '```yaml',
        '  ```',
        '    ```',
        '````',
      ],
      ...[
        '* ```yaml',
        '  type: x',
        '~~~',
        '  ~~~',
        '> ## quoted',
        '> ```',
        '> ~~~',
        '<div>',
        '</div>',
        '<!--',
        '-->',
        '* <p>',
        '1. [D](d.md)',
      ],
      ...[
        '$$',
        '{% hint %}',
        '\t## tabbed',
        '    ## code',
        'Words',
        '===',
        '***\\r',
        '## \\r',
        '* * *',
        '   ***',
        '\u00a0',
      ],
    )
    fc.assert(
      fc.property(fc.array(line, { maxLength: 24 }), (lines) => {
        const text = lines.join('\n')
        expect(readInPieces(text)).toEqual(readSummary(text))
      }),
      { numRuns: 3000 },
    )
  })
})
