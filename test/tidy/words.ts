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

  // By what a value is called: its type is not known here.
  const cutIn = (text: string): string[] =>
    text.match(/\b\w*(?:title|message|description|comment|preview)\)?\s*\.(?:slice|substring)\(0, ?[\w.]+/gi) ?? []

  test('of people are cut at whole characters, by `cutTo`', () => {
    expect(sources.flatMap(({ file, text }) => cutIn(text).map((cut) => `${file}: ${cut}`))).toEqual([])
    expect(cutIn('title.slice(0, 50) + error.message\n.slice(0, longest) + titles.slice(0, 2)')).toHaveLength(2)
  })

  // Words that have one meaning here, by the glossary, or the field's own: where it may be meant, and names that others gave.
  const meanings: { words: readonly string[]; where: RegExp; names: RegExp }[] = [
    // What a merge keeps; what is cached or stored is called so, what a filter leaves is called what it is.
    { words: ['kept'], where: /^src\/(?:app|core\/merge|store\/search-index)\//, names: /^$/ },
    // What a visitor's conditions may name; scopes of OAuth, of XML's namespaces, of grammars, of cells.
    {
      words: ['scope', 'scopes'],
      where:
        /^src\/(?:app|core\/(?:expressions|openapi|saml)|domain\/(?:sites|pdf|actor|content\/(?:markdown|page-view))|http\/published|platform\/oidc|site|theme)\b/,
      names: /^$/,
    },
    // The plan of a query; the specification's `plan` of an organization or site.
    {
      words: ['plan', 'plans'],
      where: /^src\/contract\//,
      names: /^(?:plan|QueryPlan|planQuery|isPlanOutdated|OutdatedPlan)$/,
    },
    // How a run of text is set; mark and sweep; Node's, YAML's and Unicode's; a column of comments; a verb of translations.
    {
      words: ['mark', 'marks', 'marked'],
      where:
        /^src\/(?:app|core\/(?:book|diff|document|import|merge|openapi\/read|translation)|jobs\/sweep|site\/render\/inlines|store\/upkeep)\b|^src\/contract\/words\//,
      names: /^(?:highWaterMark|\w*CombiningMarks?|nodeMark|markPending|sweepMark|SweepMarkTable)$/,
    },
  ]
  const strayIn = ({ file, text }: { file: string; text: string }): string[] =>
    [...new Set(namesIn(text))].filter((name) =>
      meanings.some(
        ({ words, where, names }) =>
          !where.test(file) && !names.test(name) && wordsOf(name).some((word) => words.includes(word)),
      ),
    )

  test('that have one meaning name nothing else', () => {
    expect(sources.flatMap((source) => strayIn(source).map((name) => `${source.file}: ${name}`))).toEqual([])
    const text = 'const kept = (scope: string, { plan, heavyMark }) => ({ highWaterMark: planQuery, mark })'
    expect(strayIn({ file: 'src/domain/new.ts', text })).toEqual(['kept', 'scope', 'heavyMark', 'mark'])
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
