/**
 * Inputs that are made to hang or to crash a parser. Each is read in time that grows with its length alone: four times
 * the length may cost ten times the time, never sixteen, and nothing fails.
 */
import { describe, expect, test } from 'vitest'
import { fromMarkdown } from '../../../src/core/document/read/from-markdown.ts'
import { toMarkdown } from '../../../src/core/document/to-markdown.ts'
import { assignKeys } from '../../../src/core/document/tree/keys.ts'
import { maxDepth, validateDocument } from '../../../src/core/document/tree/validate.ts'

const fill = (piece: string, length: number): string => piece.repeat(Math.ceil(length / piece.length))

const repeated = [
  '>',
  '> > > a\n',
  '* ',
  '  * a\n',
  '{% hint style="info" %}\n',
  '{% endhint %}\n',
  '{% hint %}\ntext\n',
  '{% ',
  '{% a="',
  '{% x "\' ',
  '{% tabs %}\n{% tab title="a" %}\nx\n',
  '[',
  '[](',
  '![',
  '[a](',
  '*',
  '*a ',
  '**a',
  '_',
  '~~a',
  '`',
  'a`b``c```d',
  '\\',
  '<',
  '<a ',
  '<a x="',
  '<b>',
  '<b>x</b>',
  '<div>',
  '<div>\n\n',
  '<p>a',
  '<!--',
  '<!--\n\n',
  '<pre>\n\n',
  '<pre>a</pre>\n',
  '<details>\n\n<summary>a</summary>\n\n',
  '</div>',
  '<![CDATA[',
  '<?',
  '<table><tr><td>',
  '| a ',
  '$$',
  '$$\n',
  '$$a\n',
  '&',
  '&#x',
  ':a:',
  'a',
  '😀',
  '👩\u200d',
  '🇫',
  'www.',
  'a@',
  'a.',
  'http://',
  'http://a ',
  '[^1]: a [^1]\n\n',
  '[a]: b\n',
  'a\n===\n',
  '# a\n',
  '---\n',
  '```\n',
  '\n',
  ' ',
  '\t',
  'a  \n',
  '<br>',
  '- [ ] a\n',
  '1. a\n',
  '{% @a/b c="d" %}\n',
  '**a** b ',
  '![a](b)',
  '*\n',
  '&amp;',
  '漢字',
  '\0',
  '\r',
  '\ud800',
  '<Card title="x"\n',
  '<Tab title="x">\n',
  '<Foo a={ ',
  '<div a={ ',
  '<Note>a ',
  '<Note>a</Note>',
  ':::note\n',
  '!!! note\n',
  ' $a',
  'a\n: b\n',
  '{/* ',
  '{/*\n',
  'import {\n\n',
  '```js {{{{\n',
]

import { leastTimeOf, timeOf } from '../../kit/processor-time.ts'

describe('a row of', () => {
  const warm = fill('word **bold** `code` [link](a.md)\n\n', 50_000)
  fromMarkdown(warm)
  for (const piece of repeated)
    test(JSON.stringify(piece), { timeout: 30_000 }, () => growsInProportion((length) => fill(piece, length)))
})

/** Each opens as often as it closes: nesting as deep as the source is long. */
const mirrored = [
  ['*a ', 'a* '],
  ['**a ', ' a**'],
  ['~~a ', ' a~~'],
  ['<b>a', '</b>'],
  ['<div>\n\n', '</div>\n\n'],
  ['[a', '](b)'],
  ['![', '](a)'],
  ['{% hint %}\n', '{% endhint %}\n'],
  ['{% code %}\n', '{% endcode %}\n'],
  ['{% tabs %}\n', '{% endtabs %}\n'],
  ['{% stepper %}\n', '{% endstepper %}\n'],
  ['{% columns %}\n', '{% endcolumns %}\n'],
  ['{% updates %}\n{% update %}\n', '{% endupdate %}\n{% endupdates %}\n'],
  ['{% prompt %}\n', '{% endprompt %}\n'],
  ['{% file src="a" %}\n', '{% endfile %}\n'],
  ['{% openapi %}\n', '{% endopenapi %}\n'],
  ['<details><summary>', '</summary></details>'],
  ['<div><figure>', '</figure></div>'],
  ['<table><tr><td>', '</td></tr></table>'],
  ['<ul><li>', '</li></ul>'],
  ['<a href="b">', '</a>'],
  ['<Accordion title="a">\n', '</Accordion>\n'],
  ['<Tabs>\n<Tab>\n', '</Tab>\n</Tabs>\n'],
  ['<Card>\n', '</Card>\n'],
  ['<Tooltip tip="a">', '</Tooltip>'],
  [':::note\n', ':::\n'],
] as const

describe('as many ends as beginnings of', () => {
  for (const [open, close] of mirrored)
    test(JSON.stringify(open), { timeout: 60_000 }, () =>
      growsInProportion((length) => {
        const count = Math.ceil(length / (open.length + close.length))
        return `${open.repeat(count)}x\n${close.repeat(count)}`
      }),
    )
})

const numbered = (count: number, line: (at: number) => string): string =>
  Array.from({ length: count }, (_, at) => line(at)).join('')

const shaped: Readonly<Record<string, (length: number) => string>> = {
  'a line that breaks after every word': (length) => 'a\\\n'.repeat(length / 3),
  'marks that change with every letter': (length) => 'a*b*'.repeat(length / 4),
  'mentions in one paragraph': (length) => '[a](/b "mention") '.repeat(length / 18),
  'notes, each with its mark': (length) =>
    numbered(length / 24, (at) => `[w${at}](#user-content-fn-${at})[^${at}]\n\n[^${at}]: b\n\n`),
  'definitions that are used': (length) => numbered(length / 30, (at) => `[a${at}]: b\n\n[a${at}] [a${at + 1}][]\n\n`),
  'runs of backticks, each longer': (length) => numbered(Math.sqrt(2 * length), (at) => `${'`'.repeat(at + 1)} `),
  'lists, each deeper': (length) => numbered(Math.sqrt(length), (at) => `${'  '.repeat(at)}* a\n`),
  'a square table of pipes': (length) => {
    const side = Math.floor(Math.sqrt(length / 2))
    return `${'|a'.repeat(side)}|\n${'|-'.repeat(side)}|\n${`${'|b'.repeat(side)}|\n`.repeat(side)}`
  },
  'one long row among short ones': (length) =>
    `<table><tr>${'<td>a</td>'.repeat(length / 20)}</tr>${'<tr><td>b</td></tr>'.repeat(length / 38)}</table>`,
  'a choice for every row': (length) =>
    `<table><thead><tr><th data-type="select">a</th></tr></thead><tbody>${numbered(length / 50, (at) => `<tr><td><span data-option="o${at}">o</span></td></tr>`)}</tbody></table>`,
  'cells that span': (length) =>
    `<table>${'<tr><td data-rowspan="2">a</td><td>c</td></tr><tr><td>b</td></tr>'.repeat(length / 66)}</table>`,
}

describe('in proportion to its length', () => {
  for (const [name, shape] of Object.entries(shaped))
    test(name, { timeout: 60_000 }, () => growsInProportion((length) => shape(Math.floor(length))))

  test('a new version of a long table takes over the names of the old', { timeout: 30_000 }, () => {
    const table = (rows: number, cell: string) =>
      fromMarkdown(`| a | b |\n| - | - |\n${`| ${cell} | d |\n`.repeat(rows)}`)
    const adopt = (rows: number) => {
      const before = assignKeys(table(rows, 'c').document)
      const { document } = table(rows, 'e')
      return timeOf(() => assignKeys(document, before)).ms
    }
    adopt(200)
    const short = adopt(500)
    expect(adopt(2000)).toBeLessThan(Math.max(600, short * 10))
  })
})

describe('nesting without end is flattened and loses no word', () => {
  const nested: Record<string, string> = {
    'five thousand quotes': `${'>'.repeat(5000)} word`,
    'a thousand lists': `${Array.from({ length: 1000 }, (_, level) => `${'  '.repeat(level)}* a`).join('\n')} word`,
    'lists in one line': `${'* '.repeat(2000)}word`,
    'tags that close': `${'{% hint %}\n'.repeat(2000)}word\n${'{% endhint %}\n'.repeat(2000)}`,
    'elements that close': `${'<details>\n\n'.repeat(1000)}word\n\n${'</details>\n\n'.repeat(1000)}`,
    'tags and elements in turn': `${'{% hint %}\n<details>\n\n'.repeat(300)}word\n\n${'</details>\n{% endhint %}\n'.repeat(300)}`,
    'quotes with tags': `${Array.from({ length: 200 }, (_, level) => `${'> '.repeat(level)}{% hint %}`).join('\n')}\nword`,
    'notes in notes': `${Array.from({ length: 500 }, (_, at) => `[^${at}]: x[^${at + 1}]\n\n`).join('')}[^500]: word\n\nsee[^0]`,
    'accordions in accordions': `${'<Accordion title="a">\n'.repeat(500)}word\n${'</Accordion>\n'.repeat(500)}`,
    'cards in tabs': `${'<Tabs>\n<Tab title="a">\n<Card>\n'.repeat(200)}word\n${'</Card>\n</Tab>\n</Tabs>\n'.repeat(200)}`,
    'containers of colons': `${':::details\n'.repeat(500)}word\n${':::\n'.repeat(500)}`,
    'notes by indentation': Array.from({ length: 150 }, (_, level) => `${'    '.repeat(level)}??? note`)
      .concat(`${'    '.repeat(150)}word`)
      .join('\n'),
    'tables in tables': `${'<table><tr><td>'.repeat(500)}word${'</td></tr></table>'.repeat(500)}`,
  }
  for (const [name, markdown] of Object.entries(nested))
    test(name, { timeout: 30_000 }, () => {
      const read = fromMarkdown(markdown)
      expect(JSON.stringify(read.document)).toContain('word')
      expect(validateDocument(read.document)).toMatchObject({ ok: true })
      expect(fromMarkdown(toMarkdown(read.document, read)).document).toEqual(read.document)
    })

  test(`a tree deeper than ${maxDepth} is refused`, () => {
    let node: unknown = { object: 'block', type: 'paragraph', nodes: [] }
    for (let level = 0; level < 200; level += 1) node = { object: 'block', type: 'blockquote', nodes: [node] }
    const answer = validateDocument({ object: 'document', data: {}, nodes: [node] })
    expect(answer).toMatchObject({
      ok: false,
      problem: { message: expect.stringContaining('more than 100 levels deep') },
    })
  })
})

describe('what is large stays in proportion', () => {
  test('cells that span each other', () => {
    const { document } = fromMarkdown(`<table>${'<tr><td rowspan=50 colspan=50>a</td></tr>'.repeat(2000)}</table>`)
    expect(JSON.stringify(document).length).toBeLessThan(5_000_000)
  })

  test('aliases in front matter', () => {
    const rows = ['a: &a [x, x, x, x, x, x, x, x, x]']
    for (const [at, name] of Array.from('bcdefgh').entries())
      rows.push(`${name}: &${name} [${Array(9).fill(`*${'abcdefg'[at]}`).join(', ')}]`)
    expect(JSON.stringify(fromMarkdown(`---\n${rows.join('\n')}\n---\n`)).length).toBeLessThan(10_000)
  })
})

/** Four times the length may cost ten times the time, never sixteen; and nothing is lost on the way through Markdown. */
function growsInProportion(source: (length: number) => string): void {
  const short = timeOf(() => fromMarkdown(source(5000)))
  const shortPrinted = timeOf(() => toMarkdown(short.result.document, short.result))
  const mostRead = Math.max(600, short.ms * 10)
  const mostPrinted = Math.max(600, shortPrinted.ms * 10)
  const markdown = source(20_000)
  const read = leastTimeOf(() => fromMarkdown(markdown), mostRead)
  const printed = leastTimeOf(() => toMarkdown(read.result.document, read.result), mostPrinted)
  expect(read.ms, 'reading').toBeLessThan(mostRead)
  expect(printed.ms, 'printing').toBeLessThan(mostPrinted)
  const { document } = read.result
  expect(validateDocument(document)).toMatchObject({ ok: true })
  expect(fromMarkdown(printed.result).document).toEqual(document)
}
