/**
 * Inputs that are made to hang or to crash a parser. Each is read in time that grows with its length alone: four times
 * the length may cost ten times the time, never sixteen, and nothing fails.
 */
import { describe, expect, test } from 'vitest'
import { fromMarkdown } from '../../../src/core/document/from-markdown.ts'
import { toMarkdown } from '../../../src/core/document/to-markdown.ts'
import { maxDepth, validateDocument } from '../../../src/core/document/validate.ts'

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
]

describe('a row of', () => {
  const warm = fill('word **bold** `code` [link](a.md)\n\n', 50_000)
  fromMarkdown(warm)
  for (const piece of repeated)
    test(JSON.stringify(piece), { timeout: 30_000 }, () => {
      const short = timeOf(() => fromMarkdown(fill(piece, 5000)))
      const long = timeOf(() => fromMarkdown(fill(piece, 20_000)))
      expect(long.ms).toBeLessThan(Math.max(600, short.ms * 10))
      const { document } = long.result
      expect(validateDocument(document)).toMatchObject({ ok: true })
      expect(fromMarkdown(toMarkdown(document, long.result)).document).toEqual(document)
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

function timeOf<Result>(run: () => Result): { ms: number; result: Result } {
  // Time of the processor, which other work on the machine does not change.
  const from = process.cpuUsage()
  const result = run()
  return { ms: process.cpuUsage(from).user / 1000, result }
}
