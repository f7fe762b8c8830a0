import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { entriesOf, vocabularyOf } from '../../../src/core/search/entries.ts'
import { foldText } from '../../../src/core/search/fold.ts'
import { formsOf, termsOf, wordsOf } from '../../../src/core/search/words.ts'

const anyText = fc.string({ unit: 'binary', maxLength: 80 })

const words = (text: string): string[] => wordsOf(foldText(text)).flatMap(termsOf)
const forms = (text: string): string[] => {
  const folded = foldText(text)
  return formsOf(folded, wordsOf(folded)).sort()
}

describe('folding', () => {
  it.each([
    ['Crème BRÛLÉE', 'creme brulee'],
    ['Straße ŁÓDŹ Øre', 'strasse lodz ore'],
    ['ﬁne ① Ｆｕｌｌ', 'fine 1 full'],
    ['ΟΔΟΣ οδος', 'οδοσ οδοσ'],
    ['co\u00adoperate', 'cooperate'],
    ['e\u0301te\u0301', 'ete'],
    ['が', 'が'],
    ['한국', '한국'],
    ['React™', 'react '],
    ['İstanbul', 'istanbul'],
  ])('%s becomes %s', (text, lower) => expect(foldText(text).lower).toBe(lower))

  it('knows where every piece of the folded text stood', () =>
    fc.assert(
      fc.property(anyText, fc.nat(), fc.nat(), (text, a, b) => {
        const folded = foldText(text)
        const [start, end] = [a % (folded.text.length + 1), b % (folded.text.length + 1)].sort((x, y) => x - y)
        if (start === undefined || end === undefined || start === end) return
        const [from, to] = folded.originalRange(start, end)
        expect(from).toBeGreaterThanOrEqual(0)
        expect(to).toBeGreaterThanOrEqual(from)
        expect(to).toBeLessThanOrEqual(text.length)
        expect(foldText(text.slice(from, to)).text).toContain(folded.text.slice(start, end))
      }),
      { numRuns: 2000 },
    ))

  it('is the same again when folded twice', () =>
    fc.assert(fc.property(anyText, (text) => foldText(foldText(text).lower).lower === foldText(text).lower)))
})

describe('words', () => {
  it.each([
    ['Install the CLI.', ['install', 'the', 'cli']],
    ['C++ and C# or F#', ['c++', 'and', 'c#', 'or', 'f#']],
    ['a+b, 1+1', ['a', 'b', '1', '1']],
    ['node.js snake_case', ['node', 'js', 'snake', 'case']],
    ['userName', ['username']],
    ['東京都', ['東京', '京都', '都']],
    ['React入門', ['react', '入門', '門']],
    ['สวัสดี', ['สว', 'วั', 'ัส', 'สด', 'ดี', 'ี']],
    ['한국어', ['한국', '국어', '어']],
    ['𠀀𠀁', ['𠀀𠀁', '𠀁']],
    ['हिन्दी', ['हिन्दी']],
    ['🚀 !? ❤️', []],
  ])('of %s', (text, expected) => expect(words(text)).toEqual(expected))

  it.each([
    ['node.js', ['nodejs']],
    ['max_pool_size e-mail', ['email', 'maxpoolsize']],
    ['getUserName', ['get', 'name', 'user']],
    ['parseHTTPResponse', ['http', 'parse', 'response']],
    ['GitHub iOS', ['git', 'hub', 'os']],
    ['C++', ['c']],
    ['1.2.3 HTTP word', []],
    ['🚀 launch ❤️', ['❤', '🚀']],
  ])('other forms of %s', (text, expected) => expect(forms(text)).toEqual(expected))

  it('hold only what both engines keep', () =>
    fc.assert(
      fc.property(anyText, (text) => {
        for (const word of [...words(text), ...forms(text)]) {
          expect(word).toMatch(/^[^\s"'\\<^!=~@-]+$/u)
          expect(word.length).toBeLessThanOrEqual(64)
          expect(word.isWellFormed() || !text.isWellFormed()).toBe(true)
        }
      }),
      { numRuns: 2000 },
    ))
})

describe('the entries of a page', () => {
  it('begin with the page itself', () => {
    const [page, section] = entriesOf({
      title: 'Guide',
      description: 'About it',
      sections: [
        { anchor: '', title: '', body: 'Before' },
        { anchor: 'first', title: 'First', body: 'Text text text' },
      ],
    })
    expect(page).toMatchObject({
      anchor: '',
      body: 'About it\nBefore',
      words: ['guide', '', '', 'about', 'it', 'before'],
    })
    expect(page?.tags).toEqual(['=guide', '<guide'])
    expect(section?.words).toEqual(['guide', '', 'first', '', 'text', 'text', 'text'])
    expect(section?.tags).toEqual(['=guide', '<guide', '^first', '!text'])
  })

  it('are there for a page without text', () => {
    expect(entriesOf({ title: 'Guide', sections: [] })).toHaveLength(1)
    expect(entriesOf({ title: '', sections: [{ anchor: 'a', title: '', body: '' }] })).toHaveLength(2)
  })

  it('stay within what the engines take, for a page of 1 MiB', () => {
    const long = (body: string) => entriesOf({ title: body, sections: [{ anchor: 'a', title: body, body }] })
    for (const body of [
      'a '.repeat(524_288),
      '数'.repeat(349_525),
      'x'.repeat(1_048_576),
      'getUser '.repeat(131_072),
    ]) {
      const entries = long(body)
      expect(entries.length).toBeLessThan(200)
      for (const { words: inOrder, tags: marks } of entries) {
        expect(inOrder.length).toBeLessThanOrEqual(16_383)
        expect(inOrder.filter((word) => word === 'a').length).toBeLessThanOrEqual(255)
        expect([...inOrder, ...marks].join(' ').length).toBeLessThan(300_000)
      }
      expect(entries.map((entry) => entry.body).join('')).toBe(body)
    }
  })

  it('are no more than can be numbered, and lose no word', () => {
    const sections = Array.from({ length: 20_000 }, (_, i) => ({ anchor: `a${i}`, title: `h${i}`, body: `body${i}` }))
    const entries = entriesOf({ title: 'Many', sections })
    expect(entries.length).toBeLessThanOrEqual(4096)
    const all = new Set(entries.flatMap((entry) => entry.words))
    for (const i of [0, 1999, 2048, 9999, 19_999]) expect(all.has(`h${i}`) && all.has(`body${i}`)).toBe(true)
  })

  it('give a vocabulary without marks and pairs', () => {
    const entries = entriesOf({
      title: 'Konfiguration 搜索系统',
      sections: [{ anchor: '', title: '', body: 'getUserName no' }],
    })
    expect(vocabularyOf(entries)).toEqual(['getusername', 'konfiguration', 'name', 'user'])
  })

  it('never fail', () =>
    fc.assert(
      fc.property(anyText, anyText, anyText, (title, heading, body) => {
        const entries = entriesOf({ title, sections: [{ anchor: 'a', title: heading, body }] })
        expect(JSON.stringify(entries)).not.toMatch(/\\u0000|\\ud[89a-f]/)
      }),
      { numRuns: 1000 },
    ))
})
