import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { findTerm } from '../../../src/core/search/find.ts'
import { foldText } from '../../../src/core/search/fold.ts'
import { parseQuery } from '../../../src/core/search/query.ts'
import { compareRanked, rankCandidate, sectionsOf } from '../../../src/core/search/rank.ts'
import { snippetOf } from '../../../src/core/search/snippet.ts'
import { wordsOf } from '../../../src/core/search/words.ts'

/** What of the text a query of one term marks, with how much of a word each is. */
const marked = (query: string, text: string, inside = false): string[] => {
  const folded = foldText(text)
  return parseQuery(query).flatMap((term) =>
    findTerm(folded, term, { inside }).map(({ start, end, kind }) => {
      const [from, to] = folded.originalRange(start, end)
      return `${kind}:${text.slice(from, to)}`
    }),
  )
}

describe('a term in a text', () => {
  it.each([
    ['art ', 'Art of the start, artful', ['word:Art', 'beginning:art']],
    ['"art"', 'Art of the start, artful', ['word:Art']],
    ['creme', 'Crème de la cre\u0300me', ['word:Crème', 'word:cre\u0300me']],
    ['strasse', 'Straße', ['word:Straße']],
    ['"quick fox"', 'quick, fox; quickfox; quick\nfox', ['word:quick, fox', 'word:quick\nfox']],
    ['nodejs', 'uses Node.js here', ['word:Node.js']],
    ['node.js', 'nodejs', ['word:nodejs']],
    ['userName', 'a user with a name', ['word:user', 'word:name']],
    ['user', 'getUserName', ['word:User']],
    ['c++', 'C++ not C', ['word:C++']],
    ['日本語', '日本語の本', ['word:日本語']],
    ['語', '日本語の本', ['word:語']],
    ['🚀', 'a 🚀 flies', ['word:🚀']],
    ['fi', 'ﬁne', ['beginning:ﬁ']],
    ['𝐛𝐨𝐥𝐝', 'bold 𝐛𝐨𝐥𝐝', ['word:bold', 'word:𝐛𝐨𝐥𝐝']],
  ])('%s in %s', (query, text, expected) => expect(marked(query, text)).toEqual(expected))

  it('stands inside words when asked', () => {
    expect(marked('figur', 'Configuration')).toEqual([])
    expect(marked('figur', 'Configuration', true)).toEqual(['part:figur'])
  })

  it('is found in the text its words were taken from', () =>
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 120 }), fc.nat(), fc.nat(8), (text, at, length) => {
        const words = wordsOf(foldText(text)).map((word) => word.text)
        const some = words.slice(at % (words.length + 1)).slice(0, length + 1)
        const folded = foldText(text)
        for (const term of parseQuery(some.join(' '))) {
          const found = findTerm(folded, term, { inside: true })
          expect(found.length).toBeGreaterThan(0)
          for (const { start, end } of found) {
            const [from, to] = folded.originalRange(start, end)
            expect(to).toBeGreaterThan(from)
          }
        }
      }),
      { numRuns: 1000 },
    ))
})

describe('a snippet', () => {
  it('is the beginning where nothing matched', () => {
    expect(snippetOf('A few words', [])).toEqual({ text: 'A few words', highlights: [] })
  })

  it('is cut between words around the match', () => {
    const body = `${'before words '.repeat(50)}HERE${' after words'.repeat(50)}`
    const start = body.indexOf('HERE')
    const { text, highlights } = snippetOf(body, [{ start, end: start + 4, term: 0 }])
    expect(text).toMatch(/^…(before|words) .* HERE after.*(after|words)…$/)
    expect(text.length).toBeLessThan(210)
    expect(highlights.map(([from, to]) => text.slice(from, to))).toEqual(['HERE'])
  })

  it('shows the place with most terms', () => {
    const body = `one ${'x '.repeat(300)} one two ${'x '.repeat(300)} two`
    const at = (word: string, term: number) =>
      [...body.matchAll(new RegExp(word, 'g'))].map(({ index }) => ({ start: index, end: index + 3, term }))
    expect(snippetOf(body, [...at('one', 0), ...at('two', 1)]).highlights).toHaveLength(2)
  })

  it('has its highlights inside, in order, apart and on the match, for any text and query', () =>
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary', maxLength: 700 }),
        fc.string({ unit: 'binary', maxLength: 20 }),
        fc.nat(),
        (body, other, at) => {
          const query = `${[...body]
            .slice(at % (body.length + 1))
            .slice(0, 12)
            .join('')} ${other}`
          const terms = parseQuery(query)
          const candidate = {
            page: 1,
            class: 0,
            title: body.slice(0, 40),
            sections: [{ anchor: 'a', title: '', body }],
          }
          const { score, found } = rankCandidate(candidate, { terms, inside: true })
          expect(Number.isFinite(score) && score >= 0).toBe(true)
          for (const { text, highlights } of sectionsOf(found)) {
            expect(text.length).toBeLessThanOrEqual(402)
            let last = -1
            for (const [start, end] of highlights) {
              expect(start).toBeGreaterThan(last)
              expect(end).toBeGreaterThan(start)
              expect(end).toBeLessThanOrEqual(text.length)
              last = end
            }
          }
        },
      ),
      { numRuns: 2000 },
    ))

  it('takes little time for a text made to take much', () => {
    const bodies = [
      'a'.repeat(12_000),
      'ab '.repeat(4000),
      "a.a'a-".repeat(2000),
      '\u0301'.repeat(12_000),
      '𝐛'.repeat(6000),
    ]
    for (const body of bodies) {
      for (const query of [
        'a'.repeat(500),
        'a a a a "a a a a a a"',
        `"${'ab '.repeat(100)}"`,
        'b',
        '\u0301'.repeat(400),
      ]) {
        const candidate = { page: 1, class: 0, title: body, sections: [{ anchor: '', title: body, body }] }
        const begin = performance.now()
        sectionsOf(rankCandidate(candidate, { terms: parseQuery(query), inside: true }).found)
        expect(performance.now() - begin).toBeLessThan(500)
      }
    }
  })
})

describe('the order of pages', () => {
  const page = (number: number, title: string, body: string, place = 0) => ({
    page: number,
    class: place,
    title,
    sections: [{ anchor: '', title: '', body }],
  })
  const order = (query: string, ...pages: ReturnType<typeof page>[]): number[] =>
    pages
      .map((candidate) => rankCandidate(candidate, { terms: parseQuery(query), inside: false }))
      .sort(compareRanked)
      .map(({ candidate }) => candidate.page)

  it('is that of the classes first', () => {
    expect(order('word', page(1, 'word', 'word', 2), page(2, 'x', 'word', 1))).toEqual([2, 1])
  })

  it('puts a title that is more of the query first, then more matches, then closer ones, then numbers', () => {
    expect(order('word', page(1, 'word and others', ''), page(2, 'word', ''))).toEqual([2, 1])
    expect(order('word', page(1, 'x', 'word y y y'), page(2, 'x', 'word word y y'))).toEqual([2, 1])
    expect(
      order('one two', page(1, 'x', `one ${'y '.repeat(30)} two`), page(2, 'x', `one two ${'y '.repeat(30)}`)),
    ).toEqual([2, 1])
    expect(order('word', page(2, 'x', 'word'), page(1, 'x', 'word'))).toEqual([1, 2])
  })
})
