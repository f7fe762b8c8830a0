/**
 * Notes, tips and warnings, however they are written: `> [!NOTE]`, `:::note`, `!!! note`, `<Note>`. They become hints; one
 * that folds becomes an expandable.
 */

import { calloutStyles } from '../syntax/callout-kinds.ts'
import type { Attributes } from '../syntax/html-scan.ts'
import { type Token, withContent } from '../syntax/markdown-parser.ts'
import { fragment, paragraph, parentBlock } from '../tree/make.ts'
import type { Block } from '../tree/nodes.ts'
import { readFilled } from './blocks.ts'
import { deeper, type ReadContext } from './context.ts'
import type { Raw } from './raw.ts'
import { readTitle, titleParagraphs } from './titles.ts'

function readCallout(
  kind: string,
  given: { title?: string | undefined; icon?: string | undefined; fold?: string | undefined },
  children: readonly Raw[],
  context: ReadContext,
): Block[] {
  const style = calloutStyles.get(kind.toLowerCase()) ?? 'info'
  if (given.fold !== undefined) return [folded(given.title || nameOf(kind), given.fold === 'open', children, context)]
  const icon = given.icon !== undefined && /^[\w-]{1,50}$/.test(given.icon) ? { icon: given.icon } : {}
  const inside = deeper(context)
  const body = readFilled(children, context)
  const title = titleParagraphs(titleOf(kind, given.title), inside)
  const [only] = body
  const isEmpty = body.length === 1 && only?.type === 'paragraph' && only.nodes.length === 0
  return [parentBlock('hint', { style, ...icon }, title.length > 0 && isEmpty ? title : [...title, ...body])]
}

/** A kind that nobody knows is told by its name, unless there is a title. */
function titleOf(kind: string, title: string | undefined): string | undefined {
  return title || (calloutStyles.has(kind.toLowerCase()) || kind === '' ? undefined : nameOf(kind))
}

const nameOf = (kind: string): string => kind.charAt(0).toUpperCase() + kind.slice(1).replaceAll('-', ' ')

function folded(title: string, isOpen: boolean, children: readonly Raw[], context: ReadContext): Block {
  const inside = deeper(context, 2)
  return {
    object: 'block',
    type: 'expandable',
    isVoid: true,
    data: isOpen ? { defaultExpanded: true } : {},
    fragments: [
      fragment('expandable-title', [paragraph(readTitle(title, inside))]),
      fragment('expandable-body', readFilled(children, inside)),
    ],
  }
}

/** What a component for notes says about itself: `<Callout type="warning" title="…">`, `<Warning>`. */
export function readCalloutComponent(
  name: string,
  attributes: Attributes,
  children: readonly Raw[],
  context: ReadContext,
): Block[] {
  const type = attributes.get('type') ?? attributes.get('variant') ?? attributes.get('intent')
  const kind = type !== undefined && /^[\w-]{1,40}$/.test(type) ? type : name
  const icon = attributes.get('icon')
  return readCallout(kind, { title: attributes.get('title'), icon, fold: attributes.get('fold') }, children, context)
}

const alertAt = /^\[!([A-Za-z][\w-]{1,30})\]([-+]?)(?:[ \t]+|$)/

/** A quote that begins with `[!KIND]`; nothing when it does not. */
export function readAlert(children: readonly Raw[], context: ReadContext): Block[] | undefined {
  const [first, ...rest] = children
  const inline = first?.kind === 'leaf' && first.token.type === 'paragraph_open' ? first.inline : undefined
  if (first?.kind !== 'leaf' || inline === undefined || !inline.content.startsWith('[!')) return undefined
  const [line = ''] = inline.content.split('\n', 1)
  const match = alertAt.exec(line)
  if (match === null || !calloutStyles.has((match[1] ?? '').toLowerCase())) return undefined
  const body = belowFirstLine(inline)
  const title = line.slice(match[0].length).trim()
  const fold = match[2] === '' ? undefined : match[2] === '+' ? 'open' : 'closed'
  const others = body.length === 0 ? rest : [{ ...first, inline: withChildren(inline, body) }, ...rest]
  return readCallout(match[1] ?? '', { title, fold }, others, context)
}

function belowFirstLine(inline: Token): Token[] {
  const children = inline.children ?? []
  const at = children.findIndex((token) => token.type === 'softbreak' || token.type === 'hardbreak')
  return at === -1 ? [] : children.slice(at + 1)
}

function withChildren(inline: Token, children: Token[]): Token {
  const copy = withContent(inline, inline.content)
  copy.children = children
  return copy
}
