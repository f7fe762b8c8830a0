/**
 * Markdown to the document tree: CommonMark, GFM, and the dialect of tags and HTML that documentation repositories
 * are written in.
 *
 * 1. Every input is a document, unless there is a limit and it holds more; nothing that is written wrong is an error.
 * 2. No visible word is lost: what cannot be a node is text. Not visible are comments within words, scripts, statements of MDX, targets, the names of files in
 *    the labels that printers repeat between `content-ref` tags, definitions of links, what follows the language of a
 *    fence, and cells beyond the last column of a table of pipes.
 * 3. What comes out is valid (`validate.ts`), in the form of `normalise.ts`, and at most 100 levels deep: deeper quotes,
 *    lists and tags are flattened.
 * 4. HTML is read, never kept: it becomes nodes or text.
 */
import { limitTokens } from '../syntax/count-tokens.ts'
import { type FrontMatter, splitFrontMatter } from '../syntax/front-matter.ts'
import { parseTokens } from '../syntax/markdown-parser.ts'
import { inlineText } from '../text/to-text.ts'
import { cleanText } from '../tree/fields.ts'
import { makeDocument } from '../tree/make.ts'
import type { JSONDocument } from '../tree/nodes.ts'
import { normalise } from '../tree/normalise.ts'
import { sizeOf, TooLarge } from '../tree/size.ts'
import { readBlocks, splitHeadingId } from './blocks.ts'
import type { ReadContext, ResolveRef } from './context.ts'
import { readInlines } from './inline.ts'
import { collectNotes, leftNotes } from './notes.ts'
import type { Raw } from './raw.ts'
import { buildRaw } from './raw-tree.ts'

export type { FrontMatter } from '../syntax/front-matter.ts'

export type FromMarkdownOptions = {
  resolveRef?: ResolveRef
  /** How much the document may hold (`size.ts`); beyond it `TooLarge` is thrown. Without it every input is a document. */
  maxSize?: number
  /** A text that is no page, such as a comment: a line of hyphens at its start is a divider. */
  isPart?: boolean
}
export type FromMarkdown = { document: JSONDocument; frontMatter: FrontMatter; title?: string }

export function fromMarkdown(markdown: string, options: FromMarkdownOptions = {}): FromMarkdown {
  const { maxSize, isPart = false } = options
  const clean = cleanText(markdown)
  const { frontMatter, body } = isPart ? { frontMatter: { other: {} }, body: clean } : splitFrontMatter(clean)
  const context: ReadContext = {
    resolve: options.resolveRef ?? (() => undefined),
    env: maxSize === undefined ? {} : limitTokens({}, maxSize),
    budget: maxSize === undefined ? undefined : { left: maxSize },
    notes: new Map(),
    taken: new Map(),
    depth: 1,
  }
  const tokens = parseTokens(body, context.env)
  collectNotes(tokens, context)
  const raws = buildRaw(tokens, context.depth)
  const first = raws.findIndex((raw) => raw.kind !== 'gap' && raw.kind !== 'comment')
  const title = titleOf(raws[first], context)
  const read = readBlocks(title === undefined ? raws : raws.toSpliced(first, 1), context)
  const document = normalise(makeDocument([...read, ...leftNotes(context)]))
  if (maxSize !== undefined && sizeOf(document) > maxSize) throw new TooLarge()
  return { document, frontMatter, ...(title === undefined ? {} : { title }) }
}

/** The words of the `#` heading, when the page begins with one. */
function titleOf(first: Raw | undefined, context: ReadContext): string | undefined {
  if (first?.kind === 'leaf' && first.token.type === 'heading_open' && first.token.tag === 'h1')
    return wordsOf(splitHeadingId(first.inline).words, context)
  if (first?.kind === 'element' && first.element.name === 'h1') return wordsOf(first.children, context)
  return undefined
}

/** A title is one line. */
function wordsOf(raws: readonly Raw[], context: ReadContext): string {
  return inlineText(readInlines(raws, context))
    .replace(/\s*\n\s*/g, ' ')
    .trim()
}
