/**
 * The slow half of highlighting: grammars and regular expressions, for pages of sites and for the editor. It runs in a thread
 * of its own: on the server in highlight-thread.ts, or in the caller's where there is none; in the browser in a worker.
 *
 * The theme has no colours: its "colours" are numbers that say what a run of characters is, and the style sheet does
 * the rest, for light and dark alike.
 */
import type { HighlighterCore, LanguageInput, RegexEngine, ThemeRegistrationRaw } from 'shiki/core'
import { type Highlighted, tokenKinds } from './token-kinds.ts'

/** `whole` is false when time ran out: the rest is plain, and another try may do better. */
export type Tokenized = { runs: Highlighted; whole: boolean }

const longestLine = 2_000
const sliceLines = 60
// Generous, because the first lines of a language compile its rules and a busy machine takes seconds for it: a page cut
// short here would be kept so. What hangs for good is ended by highlight.ts.
const deadline = 8_000
const lineLimit = 5_000

export type Tokenize = (code: string, language: string) => Promise<Tokenized | undefined>

const plain: Tokenized = { runs: [], whole: true }

interface Started {
  highlighter: HighlighterCore
  languages: Readonly<Record<string, LanguageInput>>
}

/** `loadEngine` brings the regular expressions that grammars are written in; which is best depends on where it runs. */
export function makeTokenizer(loadEngine: () => Promise<RegexEngine>): Tokenize {
  let started: Promise<Started> | undefined
  const loads = new Map<string, Promise<boolean>>()
  /** Plain where there is no grammar for the language; each is loaded when it is met first, and nothing is said where that fails. */
  return async (code, language) => {
    started ??= start(loadEngine)
    const { highlighter, languages } = await started
    const grammar = Object.hasOwn(languages, language) ? languages[language] : undefined
    if (grammar === undefined) return plain
    let load = loads.get(language)
    if (load === undefined) {
      load = highlighter.loadLanguage(grammar).then(
        () => true,
        () => false,
      )
      loads.set(language, load)
    }
    return (await load) ? runsOf(highlighter, code, language) : undefined
  }
}

async function start(loadEngine: () => Promise<RegexEngine>): Promise<Started> {
  const [core, engine, languages] = await Promise.all([import('shiki/core'), loadEngine(), import('shiki/langs')])
  const highlighter = await core.createHighlighterCore({ themes: [theme], langs: [], engine })
  return { highlighter, languages: languages.bundledLanguages }
}

async function runsOf(highlighter: HighlighterCore, code: string, lang: string): Promise<Tokenized> {
  const lines = code.split('\n')
  const found: number[][] = []
  const started = performance.now()
  let whole = true
  let grammarState: ReturnType<HighlighterCore['getLastGrammarState']> | undefined
  for (let at = 0; at < lines.length; at += sliceLines) {
    if (at > 0) await new Promise((resume) => setTimeout(resume))
    // Past the deadline the rest is plain: readers see text at once rather than colours late.
    if (performance.now() - started > deadline) {
      whole = false
      break
    }
    const began = performance.now()
    const slice = lines.slice(at, at + sliceLines).join('\n')
    const options = { lang, theme: theme.name ?? '', tokenizeMaxLineLength: longestLine, tokenizeTimeLimit: lineLimit }
    const tokens = highlighter.codeToTokensBase(
      slice,
      grammarState === undefined ? options : { ...options, grammarState },
    )
    if (performance.now() - began > lineLimit) whole = false
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
  return { runs: found, whole }
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
