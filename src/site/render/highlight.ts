/**
 * Highlighting of code. The outcome says which run of characters is what (a keyword, a string …), never a colour: the
 * style sheet colours it for light and dark, one pass serves both, and no inline style is needed.
 *
 * 1. Outcomes are kept by the hash of language and text, up to a bound in characters.
 * 2. Long blocks stay plain; the work goes in slices with a pause between them, and stops at a deadline.
 * 3. Languages are loaded when the first block asks for one. One that does not exist stays plain.
 */
import { createHash } from 'node:crypto'
import type { HighlighterCore, LanguageInput, ThemeRegistrationRaw } from 'shiki/core'
import { sizedCache } from './cache.ts'

/** For each line, pairs of kind (an index into `tokenKinds`) and length in UTF-16 units. */
export type Highlighted = readonly (readonly number[])[]

export const tokenKinds = [
  '',
  'comment',
  'keyword',
  'string',
  'number',
  'function',
  'type',
  'tag',
  'attribute',
  'punctuation',
  'inserted',
  'deleted',
  'strong',
  'emphasis',
] as const

const longestBlock = 50_000
const longestLine = 2_000
const sliceLines = 60
const deadline = 400
const cache = sizedCache<Highlighted>(8_000_000)

/** Nothing when the block is to be shown plain. */
export async function highlight(code: string, language: string): Promise<Highlighted | undefined> {
  if (code === '' || code.length > longestBlock) return undefined
  const name = languageOf(language)
  if (name === undefined) return undefined
  const key = createHash('sha256').update(`${name}\0${code}`).digest('base64url')
  const kept = cache.get(key)
  if (kept !== undefined) return kept
  const highlighter = await withLanguage(name)
  if (highlighter === undefined) return undefined
  const found = await tokenize(highlighter, code, name)
  cache.set(key, found, code.length + 100)
  return found
}

/** The name shown to readers, as they write it: `TypeScript` for `ts`. */
export function languageTitle(language: string): string {
  return titles[language.toLowerCase()] ?? language
}

const titles: Readonly<Record<string, string>> = {
  js: 'JavaScript',
  javascript: 'JavaScript',
  ts: 'TypeScript',
  typescript: 'TypeScript',
  sh: 'Shell',
  bash: 'Bash',
  py: 'Python',
  python: 'Python',
  json: 'JSON',
  yaml: 'YAML',
  yml: 'YAML',
  html: 'HTML',
  css: 'CSS',
  sql: 'SQL',
  go: 'Go',
  rust: 'Rust',
  java: 'Java',
  http: 'HTTP',
  xml: 'XML',
  graphql: 'GraphQL',
  php: 'PHP',
  ruby: 'Ruby',
}

const plain = new Set(['', 'text', 'txt', 'plain', 'plaintext', 'none'])
const renamed: Readonly<Record<string, string>> = {
  curl: 'bash',
  console: 'shellsession',
  golang: 'go',
  env: 'dotenv',
  plist: 'xml',
  svg: 'xml',
  'c++': 'cpp',
  objectivec: 'objective-c',
}

function languageOf(language: string): string | undefined {
  const name = language.trim().toLowerCase()
  return plain.has(name) || name.length > 40 ? undefined : (renamed[name] ?? name)
}

interface Engine {
  highlighter: HighlighterCore
  languages: Readonly<Record<string, LanguageInput>>
}
let engine: Promise<Engine> | undefined
const loads = new Map<string, Promise<boolean>>()

async function start(): Promise<Engine> {
  const [core, regex, languages] = await Promise.all([
    import('shiki/core'),
    import('shiki/engine/javascript'),
    import('shiki/langs'),
  ])
  const highlighter = await core.createHighlighterCore({
    themes: [theme],
    langs: [],
    engine: regex.createJavaScriptRegexEngine({ forgiving: true }),
  })
  return { highlighter, languages: languages.bundledLanguages }
}

async function withLanguage(name: string): Promise<HighlighterCore | undefined> {
  engine ??= start()
  const { highlighter, languages } = await engine
  const language = Object.hasOwn(languages, name) ? languages[name] : undefined
  if (language === undefined) return undefined
  let load = loads.get(name)
  if (load === undefined) {
    load = highlighter.loadLanguage(language).then(
      () => true,
      () => false,
    )
    loads.set(name, load)
  }
  return (await load) ? highlighter : undefined
}

async function tokenize(highlighter: HighlighterCore, code: string, lang: string): Promise<Highlighted> {
  const lines = code.split('\n')
  const found: number[][] = []
  const started = performance.now()
  let grammarState: ReturnType<HighlighterCore['getLastGrammarState']> | undefined
  for (let at = 0; at < lines.length; at += sliceLines) {
    if (at > 0) await new Promise((resume) => setImmediate(resume))
    // Past the deadline the rest is plain: readers see text at once rather than colours late.
    if (performance.now() - started > deadline) break
    const slice = lines.slice(at, at + sliceLines).join('\n')
    const options = { lang, theme: theme.name ?? '', tokenizeMaxLineLength: longestLine, tokenizeTimeLimit: 60 }
    const tokens = highlighter.codeToTokensBase(
      slice,
      grammarState === undefined ? options : { ...options, grammarState },
    )
    grammarState = highlighter.getLastGrammarState(tokens)
    for (const line of tokens) {
      const runs: number[] = []
      for (const token of line) {
        const kind = kindOf(token.color, token.fontStyle)
        if (runs.length > 0 && runs[runs.length - 2] === kind)
          runs[runs.length - 1] = (runs.at(-1) ?? 0) + token.content.length
        else runs.push(kind, token.content.length)
      }
      found.push(runs)
    }
  }
  return found
}

function kindOf(color: string | undefined, fontStyle: number | undefined): number {
  const kind = color === undefined ? 0 : Number.parseInt(color.slice(-2), 16)
  if (kind > 0 && kind < tokenKinds.length) return kind
  if (fontStyle === undefined || fontStyle < 1) return 0
  return fontStyle & 2 ? tokenKinds.indexOf('strong') : fontStyle & 1 ? tokenKinds.indexOf('emphasis') : 0
}

const colorOf = (kind: (typeof tokenKinds)[number]): string =>
  `#0000${tokenKinds.indexOf(kind).toString(16).padStart(2, '0')}`
const scopes: [(typeof tokenKinds)[number], string[]][] = [
  ['comment', ['comment', 'punctuation.definition.comment', 'string.comment']],
  [
    'keyword',
    [
      'keyword',
      'storage.type',
      'storage.modifier',
      'keyword.operator.new',
      'keyword.operator.expression',
      'variable.language.this',
      'variable.language.self',
      'variable.language.super',
      'keyword.control',
      'entity.name.tag.yaml.directive',
    ],
  ],
  ['', ['keyword.operator', 'storage.type.function.arrow']],
  ['punctuation', ['punctuation', 'meta.brace', 'keyword.operator.accessor', 'delimiter']],
  [
    'string',
    [
      'string',
      'punctuation.definition.string',
      'string.regexp',
      'markup.inline.raw',
      'markup.raw',
      'constant.character.escape',
      'support.constant.property-value',
      'string.unquoted',
    ],
  ],
  [
    'number',
    [
      'constant.numeric',
      'constant.language',
      'constant.other',
      'constant.character',
      'variable.other.constant',
      'support.constant',
      'variable.language',
      'keyword.other.unit',
      'constant.other.symbol',
    ],
  ],
  [
    'function',
    [
      'entity.name.function',
      'support.function',
      'meta.function-call.generic',
      'variable.function',
      'entity.name.command',
      'support.function.builtin',
      'markup.underline.link',
      'entity.name.function.decorator',
    ],
  ],
  [
    'type',
    [
      'entity.name.type',
      'entity.name.class',
      'support.type',
      'support.class',
      'entity.other.inherited-class',
      'entity.name.namespace',
      'storage.type.primitive',
      'storage.type.java',
      'entity.name.scope-resolution',
      'entity.name.section',
      'markup.heading',
    ],
  ],
  [
    'tag',
    [
      'entity.name.tag',
      'punctuation.definition.heading',
      'entity.name.selector',
      'support.type.property-name.json',
      'entity.name.tag.yaml',
      'keyword.key.toml',
      'support.type.property-name.toml',
    ],
  ],
  [
    'attribute',
    [
      'entity.other.attribute-name',
      'support.type.property-name',
      'variable.parameter.option',
      'constant.other.option',
      'meta.attribute',
      'variable.other.env',
      'variable.other.normal.shell',
      'punctuation.definition.variable',
    ],
  ],
  ['inserted', ['markup.inserted', 'punctuation.definition.inserted']],
  ['deleted', ['markup.deleted', 'punctuation.definition.deleted', 'invalid']],
]

// A theme whose colours are only numbers: the last byte is the kind.
const theme: ThemeRegistrationRaw = {
  name: 'lectern',
  type: 'light',
  settings: [
    { settings: { foreground: '#000000', background: '#ffffff' } },
    ...scopes.map(([kind, scope]) => ({ scope, settings: { foreground: colorOf(kind) } })),
    { scope: ['markup.bold'], settings: { fontStyle: 'bold' } },
    { scope: ['markup.italic'], settings: { fontStyle: 'italic' } },
  ],
}
