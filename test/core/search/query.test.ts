import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { partsToExpand, planQuery, widened } from '../../../src/core/search/plan.ts'
import { parseQuery } from '../../../src/core/search/query.ts'

/** Words side by side joined by +, * behind a beginning, quotes around what was quoted, / before other forms. */
const print = (query: string): string =>
  parseQuery(query)
    .map(({ words, forms, parts, prefix, quoted }) => {
      const text = words.join('+') + (prefix ? '*' : '')
      return [quoted ? `"${text}"` : text, ...forms, ...(parts.length > 0 ? [parts.join('&')] : [])].join('/')
    })
    .join(' ')

describe('a query', () => {
  it.each([
    ['install', 'install*'],
    ['Install  the CLI', 'install the cli*'],
    ['"getting started"', '"getting+started"'],
    ['"getting started" fast', '"getting+started" fast*'],
    ['one "two three" ', 'one "two+three"'],
    ['“smart quotes”', '"smart+quotes"'],
    ['"unclosed phrase', 'unclosed phrase*'],
    ['a" b"', 'a "b"'],
    ['node.js', 'node+js*/nodejs'],
    ['userName here', 'username/user&name here*'],
    ['c++', 'c++*'],
    ['a', 'a'],
    ['日', '日*'],
    ['日本', '日本'],
    ['日本語', '日本+本語'],
    ['日 x', '日* x'],
    ['"日本 server"', '"日本+本+server"'],
    ['same SAME same', 'same'],
    ['foo/bar', 'foo bar*'],
    ['NEAR( a* OR b ^c', 'near a or b c'],
    ['title:secret -not', 'title secret not*'],
    ['🚀', '🚀'],
    ['', ''],
    ['"" " \' * ( ) :', ''],
    ['\0\0', ''],
    ['%', ''],
  ])('%j means %s', (query, expected) => expect(print(query)).toBe(expected))

  it('never asks for more than a query may', () =>
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 600 }), (query) => {
        const terms = parseQuery(query)
        expect(terms.length).toBeLessThanOrEqual(12)
        for (const { words } of terms) expect(words.length > 0 && words.length <= 24).toBe(true)
        const { classes } = planQuery(terms)
        expect(classes.length === 0).toBe(terms.length === 0)
        expect(JSON.stringify([classes, widened(terms, [])]).length).toBeLessThan(100_000)
      }),
      { numRuns: 2000 },
    ))

  it('is widened by single words of three letters and more', () => {
    const parts = partsToExpand(parseQuery('ab config "quoted" node.js 搜索系统'))
    expect(parts).toEqual([{ term: 1, part: 'config' }])
  })
})
