/** What tokens are on their way to a tree: the pieces of the tree, and the halves of pairs that it is made of. */
import type { HtmlEvent } from '../syntax/html-scan.ts'
import type { Token } from '../syntax/markdown-parser.ts'
import type { Tag } from '../syntax/tags.ts'

export type Element = Extract<HtmlEvent, { kind: 'open' }>
export type Raw =
  | { kind: 'leaf'; token: Token; inline: Token | undefined }
  | { kind: 'table'; tokens: Token[] }
  | { kind: 'container'; token: Token; children: Raw[] }
  | { kind: 'tag'; tag: Tag; children: Raw[] }
  | { kind: 'element'; element: Element; children: Raw[]; isUnclosed?: boolean }
  | { kind: 'html-text'; source: string }
  | { kind: 'comment'; text: string }
  /** The empty line that ends a stretch of HTML: words on its two sides are two paragraphs. */
  | { kind: 'gap' }
  | { kind: 'inline-token'; token: Token }
  | { kind: 'mention'; target: string; label: string }
  /** A piece of source that stays text; a `line` of it is a paragraph of its own. */
  | { kind: 'literal'; text: string; line: boolean; end?: Tag | HtmlClose }

export type Item = Raw | { kind: 'open-tag'; tag: Tag } | { kind: 'close-tag'; tag: Tag } | HtmlItem
export type HtmlClose = { kind: 'close-element'; name: string; source: string }
type HtmlItem = { kind: 'open-element'; element: Element } | HtmlClose
