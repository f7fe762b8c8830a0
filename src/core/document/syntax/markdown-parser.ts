/**
 * The Markdown parser: CommonMark and GFM by markdown-it, and the dialect's own rules beside them. It makes tokens;
 * what they mean is decided in the files that read them.
 *
 * markdown-it never renders here, so no HTML an author wrote can reach a page as HTML.
 */
import MarkdownIt, { type Env, type StateInline, type Token } from 'markdown-it'
import { isSafeUrl } from '../tree/refs.ts'
import { floorRule, footnoteRule, htmlRule, mathRule } from './block-rules.ts'
import { countTokens } from './count-tokens.ts'
import { readTag, tagRule } from './tags.ts'

export type { Env, Token }

export function parseTokens(source: string, env: Env): Token[] {
  parser ??= makeParser()
  return parser.parse(source, env)
}

/** The same token with other content. */
export function withContent(token: Token, content: string): Token {
  const copy: Token = Object.create(Object.getPrototypeOf(token))
  return Object.assign(copy, token, { content })
}

/** The names of the notes of a document, so that `[^name]` is text where no note has that name. */
export function noteNames(env: Env): Set<string> {
  const names = env.noteNames
  if (names instanceof Set) return names
  const made = new Set<string>()
  env.noteNames = made
  return made
}

// A block beyond this depth would be dropped; the floor rule keeps them above it. A bracket beyond its depth is text,
// and every level of them is one more time that a row of brackets is read.
const blockNesting = 100
const inlineNesting = 20

let parser: ReturnType<typeof makeParser> | undefined

function makeParser() {
  const md = MarkdownIt('default', { html: true, linkify: true, maxNesting: blockNesting })
  countTokens(md)
  md.disable(['replacements', 'smartquotes', 'text_join', 'html_block'])
  md.core.ruler.disable('linkify')
  md.linkify.set({ fuzzyLink: false, fuzzyEmail: false, fuzzyIP: false })
  md.normalizeLink = (url) => url
  md.normalizeLinkText = (url) => url
  md.validateLink = isSafeUrl
  const anywhere = { alt: ['paragraph', 'reference', 'blockquote', 'list'] }
  md.block.ruler.before('table', 'floor', floorRule)
  md.block.ruler.before('fence', 'tag', tagRule, anywhere)
  md.block.ruler.before('fence', 'math', mathRule, anywhere)
  md.block.ruler.before('reference', 'footnote', footnoteRule, { alt: ['paragraph', 'reference'] })
  md.block.ruler.before('heading', 'html', htmlRule, anywhere)
  md.inline.ruler.before('escape', 'math', inlineMathRule)
  md.inline.ruler.before('escape', 'literal_tag', literalTagRule)
  md.inline.ruler.before('link', 'note', noteRule)
  md.inline.ruler.before('autolink', 'atom', atomRule)
  md.core.ruler.before('block', 'block_nesting', () => {
    md.options.maxNesting = blockNesting
  })
  md.core.ruler.before('inline', 'note_names', (state) => {
    md.options.maxNesting = inlineNesting
    const names = noteNames(state.env)
    for (const token of state.tokens) if (token.type === 'footnote') names.add(token.info)
  })
  return md
}

/** `$$formula$$` within a sentence; nothing inside it is Markdown. */
function inlineMathRule(state: StateInline, silent: boolean): boolean {
  const { pos, src } = state
  if (src.charCodeAt(pos) !== 36 || src.charCodeAt(pos + 1) !== 36) return false
  const end = src.indexOf('$$', pos + 2)
  if (end <= pos + 2 || end + 2 > state.posMax) return false
  if (!silent) state.push('math', '', 0).content = src.slice(pos + 2, end)
  state.pos = end + 2
  return true
}

/** A tag within a sentence, or one that nobody knows, is text as it is: nothing inside it is Markdown. */
function literalTagRule(state: StateInline, silent: boolean): boolean {
  const { pos, src } = state
  if (src.charCodeAt(pos) !== 123 || src.charCodeAt(pos + 1) !== 37) return false
  const tag = readTag(src.slice(pos, Math.min(state.posMax, pos + 2000)))
  if (tag === undefined) return false
  if (!silent) state.push('literal', '', 0).content = tag.source
  state.pos += tag.source.length
  return true
}

const noteAt = /\[\^([^\]\s^]{1,100})\]/y

function noteRule(state: StateInline, silent: boolean): boolean {
  const { pos, src } = state
  if (src.charCodeAt(pos) !== 91 || src.charCodeAt(pos + 1) !== 94) return false
  noteAt.lastIndex = pos
  const match = noteAt.exec(src)
  if (match === null || pos + match[0].length > state.posMax || !noteNames(state.env).has(match[1] ?? '')) return false
  if (!silent) {
    const token = state.push('note', '', 0)
    token.info = match[1] ?? ''
    token.content = match[0]
  }
  state.pos += match[0].length
  return true
}

const atomAt = /<(code|i|button|a|span|mark)((?:\s+[a-z-]+(?:="[^"]*")?)*)\s*>([^<]*)<\/\1>/y
const isAtom = /class="(?:expression|fa-|button )|\sdata-(?:formula|emoji|action|mention)/

/** Elements whose content is not Markdown: an expression, an icon, a button. */
function atomRule(state: StateInline, silent: boolean): boolean {
  const { pos, src } = state
  if (src.charCodeAt(pos) !== 60) return false
  atomAt.lastIndex = pos
  const match = atomAt.exec(src)
  if (match === null || pos + match[0].length > state.posMax || !isAtom.test(match[2] ?? '')) return false
  if (!silent) state.push('atom', '', 0).content = match[0]
  state.pos += match[0].length
  return true
}
