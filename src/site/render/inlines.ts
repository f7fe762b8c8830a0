/** Texts, marks and inline nodes. */
import { charactersOf } from '../../core/document/syntax/emoji.ts'
import type {
  Annotation,
  Button,
  InlineContent,
  InlineImage,
  Leaf,
  Link,
  Mark,
  Mention,
  Text,
  TextColor,
} from '../../core/document/tree/nodes.ts'
import { fragmentNodes } from '../../core/document/tree/walk.ts'
import { renderBlocks } from './blocks.ts'
import { type RenderContext, type Target, targetOf, uniqueId } from './context.ts'
import { attr, type Html, html, join, nothing, print } from './html.ts'
import { icon, uiIcon } from './icons.ts'
import { mathKey, placeMath } from './math.ts'

export function renderInlines(context: RenderContext, nodes: readonly InlineContent[]): Html {
  return join(nodes.map((node) => renderInline(context, node)))
}

function renderInline(context: RenderContext, node: InlineContent): Html {
  if (node.object === 'text') return renderText(node)
  switch (node.type) {
    case 'link':
      return renderLink(context, node)
    case 'emoji':
      return html`${charactersOf(node.data.code)}`
    case 'icon':
      return html`<span class="inline-icon${colorClass('t', node.data.color)}">${icon(context.icons, node.data.icon)}</span>`
    case 'expression':
      return html`${context.evaluate(node.data.expression)}`
    case 'inline-math':
      return renderInlineMath(context, node.data.formula)
    case 'inline-image':
      return renderInlineImage(context, node)
    case 'annotation':
      return renderAnnotation(context, node, join(node.nodes.map(renderText)))
    case 'mention':
      return renderMention(context, node)
    case 'button':
      return renderButton(context, node)
    default:
      return nothing
  }
}

function renderText(node: Text): Html {
  return join(node.leaves.map(renderLeaf))
}

/** What every link needs besides its words. */
export function linkAttributes(context: RenderContext, target: Target): Html {
  const blank = target.external && context.externalTarget === 'blank'
  return html` href="${target.href}"${blank && html` target="_blank"`}${target.external && html` rel="noopener"`}`
}

/** The emoji of a resolved page, or its icon. */
export function leadIcon(context: RenderContext, of: { emoji?: string; icon?: string }): Html {
  if (of.emoji) return html`<span class="emoji" aria-hidden="true">${emojiText(of.emoji)}</span>`
  return of.icon ? icon(context.icons, of.icon) : nothing
}

/** An emoji given as its characters or as their code points. */
export function emojiText(emoji: string): string {
  return /^[\da-f]{2,6}(?:-[\da-f]{2,6})*$/i.test(emoji) ? charactersOf(emoji) : emoji
}

function colorClass(prefix: 't' | 'b', color: TextColor | undefined): string {
  return color === undefined || color === 'default' ? '' : ` ${prefix}-${color.replace('$', '')}`
}

function renderLeaf(leaf: Leaf): Html {
  // A line break inside a paragraph is stored as its character.
  const lines = leaf.text.split('\n')
  const words =
    lines.length === 1 ? html`${leaf.text}` : join(lines.map((line, at) => (at === 0 ? line : html`<br>${line}`)))
  return leaf.marks.reduceRight((inner, mark) => renderMark(inner, mark), words)
}

function renderMark(inner: Html, mark: Mark): Html {
  switch (mark.type) {
    case 'bold':
      return html`<strong>${inner}</strong>`
    case 'italic':
      return html`<em>${inner}</em>`
    case 'code':
      return html`<code>${inner}</code>`
    case 'keyboard':
      return html`<kbd>${inner}</kbd>`
    case 'strikethrough':
      return html`<s>${inner}</s>`
    case 'superscript':
      return html`<sup>${inner}</sup>`
    case 'subscript':
      return html`<sub>${inner}</sub>`
    case 'color': {
      const classes = `${colorClass('t', mark.data.text)}${colorClass('b', mark.data.background)}`.trim()
      return classes === '' ? inner : html`<span class="${classes}">${inner}</span>`
    }
    default:
      return inner
  }
}

function renderLink(context: RenderContext, node: Link): Html {
  const words = join(
    node.nodes.map((child) => (child.object === 'text' ? renderText(child) : renderInlineImage(context, child))),
  )
  const target = targetOf(context, node.data.ref)
  if (target === undefined) return words
  const blank = target.external && context.externalTarget === 'blank'
  return html`<a${linkAttributes(context, target)}>${words}${blank && html`<span class="sr">${context.strings.newWindow}</span>`}</a>`
}

function renderMention(context: RenderContext, node: Mention): Html {
  const target = targetOf(context, node.data.ref)
  if (target === undefined) {
    const title = context.resolve(node.data.ref)?.title
    const words = node.data.label || title
    return words === undefined ? nothing : html`<span class="mention">${words}</span>`
  }
  const lead = leadIcon(context, target)
  return html`<a class="mention"${linkAttributes(context, target)}>${lead}${node.data.label || (target.title ?? target.href)}</a>`
}

function renderInlineMath(context: RenderContext, formula: string): Html {
  const found = context.prepared.math.get(mathKey(formula, false))
  return found === undefined
    ? html`<code>${formula}</code>`
    : html`<span class="math-inline">${placeMath(context, print(found))}</span>`
}

function renderInlineImage(context: RenderContext, node: InlineImage): Html {
  const target = targetOf(context, node.data.ref)
  const alt = node.data.alt ?? node.data.caption ?? ''
  if (target === undefined) return html`${alt}`
  const dark = targetOf(context, node.data.refDark)
  const line = node.data.size === 'line' ? ' as-line' : ''
  const size = html`${attr('width', target.width)}${attr('height', target.height)}`
  if (dark === undefined)
    return html`<img class="inline-image${line}" src="${target.href}" alt="${alt}"${size} loading="lazy" decoding="async">`
  return html`<img class="inline-image in-light${line}" src="${target.href}" alt="${alt}"${size} loading="lazy"><img class="inline-image in-dark${line}" src="${dark.href}" alt="${alt}"${size} loading="lazy">`
}

/**
 * A word with a note behind it. The note is a popover, which browsers open without a script; it stands after the text,
 * because a paragraph cannot hold blocks.
 */
export function renderAnnotation(context: RenderContext, node: Annotation, words: Html): Html {
  const id = uniqueId(context, `note-${context.notes.length + 1}`)
  const at = context.notes.push(nothing) - 1
  const body = renderBlocks(context, fragmentNodes(node, 'annotation-body'))
  context.notes[at] = html`<div class="note" id="${id}" popover role="note">${body}</div>`
  return html`<button class="annotation" type="button" popovertarget="${id}" aria-describedby="${id}">${words}</button>`
}

function renderButton(context: RenderContext, node: Button): Html {
  const { label, kind, size, ref, action } = node.data
  const classes = `button ${kind === 'secondary' ? 'secondary' : 'primary'}${size === 'small' || size === 'large' ? ` ${size}` : ''}`
  const lead = node.data.icon ? icon(context.icons, node.data.icon) : nothing
  if (action?.action === 'select') {
    return html`<a class="${classes}" href="#${encodeURIComponent(action.slug)}" data-select="${action.slug}">${lead}${label}</a>`
  }
  if (action !== undefined) {
    const href = `${context.basePath}/~search?q=${encodeURIComponent(action.query)}`
    return html`<a class="${classes}" href="${href}" data-search="${action.query}">${node.data.icon ? lead : uiIcon(context.icons, 'search')}${label}</a>`
  }
  const target = targetOf(context, ref)
  if (target === undefined) return html`<span class="${classes}" aria-disabled="true">${lead}${label}</span>`
  return html`<a class="${classes}"${linkAttributes(context, target)}>${lead}${label}</a>`
}
