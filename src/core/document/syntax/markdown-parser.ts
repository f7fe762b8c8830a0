/**
 * The Markdown parser: CommonMark and GFM by markdown-it, and the dialect's own rules beside them. It makes tokens;
 * what they mean is decided in the files that read them.
 *
 * markdown-it never renders here, so no HTML an author wrote can reach a page as HTML.
 */
import MarkdownIt, { type Env, type Token } from 'markdown-it'
import { isSafeUrl } from '../tree/refs.ts'
import { floorRule, footnoteRule, htmlRule, mathRule } from './block-rules.ts'
import {
  componentRule,
  inlineComponentRule,
  inlineMdxCommentRule,
  mdxCommentRule,
  moduleRule,
} from './component-rules.ts'
import { countTokens } from './count-tokens.ts'
import { definitionListRule } from './definition-lists.ts'
import { directiveRule, indentedDirectiveRule } from './directives.ts'
import { atomRule, inlineMathRule, literalTagRule, noteNames, noteRule } from './inline-rules.ts'
import { makePlainTokens } from './plain-tokens.ts'
import { tagRule } from './tags.ts'

export type { Env, Token }
export { noteNames }

export function parseTokens(source: string, env: Env): Token[] {
  parser ??= makeParser()
  return parser.parse(source, env)
}

/** The same token with other content. */
export function withContent(token: Token, content: string): Token {
  const copy: Token = Object.create(Object.getPrototypeOf(token))
  return Object.assign(copy, token, { content })
}

// A block beyond this depth would be dropped; the floor rule keeps them above it. A bracket beyond its depth is text,
// and every level of them is one more time that a row of brackets is read.
const blockNesting = 100
const inlineNesting = 20

let parser: ReturnType<typeof makeParser> | undefined

function makeParser() {
  const md = MarkdownIt('default', { html: true, linkify: true, maxNesting: blockNesting })
  makePlainTokens(md)
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
  md.block.ruler.before('fence', 'component', componentRule, anywhere)
  md.block.ruler.before('fence', 'mdx_comment', mdxCommentRule, anywhere)
  md.block.ruler.before('fence', 'directive', directiveRule, anywhere)
  md.block.ruler.before('fence', 'indented_directive', indentedDirectiveRule, anywhere)
  md.block.ruler.before('fence', 'math', mathRule, anywhere)
  md.block.ruler.before('reference', 'footnote', footnoteRule, { alt: ['paragraph', 'reference'] })
  md.block.ruler.before('heading', 'html', htmlRule, anywhere)
  md.block.ruler.before('paragraph', 'module', moduleRule)
  md.block.ruler.before('paragraph', 'definition_list', definitionListRule)
  md.inline.ruler.before('escape', 'math', inlineMathRule)
  md.inline.ruler.before('escape', 'literal_tag', literalTagRule)
  md.inline.ruler.before('link', 'note', noteRule)
  md.inline.ruler.before('autolink', 'atom', atomRule)
  md.inline.ruler.before('escape', 'mdx_comment', inlineMdxCommentRule)
  md.inline.ruler.before('autolink', 'component', inlineComponentRule)
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
