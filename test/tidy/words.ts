/** Words that name things, and words that no file has. */
import { describe, expect, test } from 'vitest'
import { code, sources, tests } from './sources.ts'

describe('words', () => {
  test('of other people’s codebases do not name things here', () => {
    const wrong = sources.flatMap(({ file, text }) =>
      [
        ...code(text).matchAll(
          /\b(?:class|interface|type|function|const|let)\s+(\w*(?:Service|Manager|Helper|Impl|Utils)|utils|helpers?)\b/g,
        ),
      ].map((match) => `${file}: ${match[1]}`),
    )
    const files = sources
      .filter(({ file }) => /(^|[/-])(service|manager|helpers?|utils?|impl)\b/.test(file))
      .map(({ file }) => file)
    expect([...wrong, ...files]).toEqual([])
  })

  // What says nothing of what a value is, and nouns that stood for several things: the glossary has better ones.
  const vague = new Set(['told', 'said', 'brought', 'stood', 'elsewhere', 'door', 'place', 'places', 'turn', 'look'])
  // The same as verbs.
  const verbs = /^(?:place(?:Pages|Cells|Math|Beside|Bar|Draft|Below|Note)|mayPlaceUnder|lookUp|turnIntos?)$/
  const vagueIn = (text: string): string[] =>
    [...new Set(namesIn(text))].filter((name) => !verbs.test(name) && wordsOf(name).some((word) => vague.has(word)))

  test('that mean too much or nothing do not name things', () => {
    expect(sources.flatMap(({ file, text }) => vagueIn(text).map((name) => `${file}: ${name}`))).toEqual([])
    const names = 'const placeOf = (told: string, { turn, ...door }) => ({ said: 1 })\nfunction placeBelow(look = 1) {}'
    expect(vagueIn(names)).toEqual(['placeOf', 'told', 'turn', 'door', 'said', 'look'])
  })

  test('do not promise to be done later', () => {
    const wrong = [...sources, ...tests].filter(
      ({ file, text }) => file !== 'test/tidy/words.ts' && /\b(TODO|FIXME|XXX|HACK)\b/.test(text),
    )
    expect(wrong.map(({ file }) => file)).toEqual([])
  })

  test('no test is left out or alone', () => {
    const wrong = tests.filter(
      ({ file, text }) => file !== 'test/tidy/words.ts' && /\b(test|describe|it)\.(only|skip|todo)\(/.test(text),
    )
    expect(wrong.map(({ file }) => file)).toEqual([])
  })
})

/** Names that are declared: variables, parameters, functions, types and fields. */
const namesIn = (text: string): string[] =>
  [
    ...code(text).matchAll(
      /\b(?:class|interface|type|function\*?|const|let)\s+(\w+)|[{(,]\s*(?:\.\.\.)?(\w+)(?=\s*[,})?:=])|^\s*(?:readonly )?#?(\w+)\??:|(\w+)\s*=>/gm,
    ),
  ].flatMap((found) => found.slice(1).filter((name) => name !== undefined))

/** `placeOf` as `place` and `of`. */
const wordsOf = (name: string): string[] =>
  name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[ _]+/)
