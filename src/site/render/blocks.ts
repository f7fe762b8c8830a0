/** Blocks: which function writes which, and the plain ones (paragraphs, headings, lists, quotes). */

import { anchorsOf } from '../../core/document/text/anchors.ts'
import { inlineText } from '../../core/document/text/to-text.ts'
import type {
  AnyBlock,
  Block,
  Heading,
  If,
  List,
  ListItem,
  Paragraph,
  ReusableContent,
  TextAlignment,
} from '../../core/document/tree/nodes.ts'
import { renderCode, renderPrompt } from './code.ts'
import { renderColumns, renderExpandable, renderHint, renderStepper, renderTabs } from './containers.ts'
import { deepestInclude, type RenderContext, uniqueId } from './context.ts'
import { attr, type Html, html, join, nothing, print } from './html.ts'
import { renderInlines } from './inlines.ts'
import { mathKey, placeMath } from './math.ts'
import { renderContentRef, renderDrawing, renderEmbed, renderFile, renderImages, renderIntegration } from './media.ts'
import { renderOperation, renderSchemas, renderWebhook } from './openapi/block.ts'
import { renderTable } from './table.ts'
import { renderUpdates } from './updates.ts'

export function renderBlocks(context: RenderContext, blocks: readonly Block[]): Html {
  return join(blocks.map((block) => renderBlock(context, block)))
}

export function renderBlock(context: RenderContext, block: AnyBlock): Html {
  switch (block.type) {
    case 'paragraph':
      return renderParagraph(context, block)
    case 'heading-1':
    case 'heading-2':
    case 'heading-3':
      return renderHeading(context, block)
    case 'list-ordered':
    case 'list-unordered':
    case 'list-tasks':
      return renderList(context, block)
    case 'divider':
      return html`<hr>`
    case 'blockquote':
      return html`<blockquote>${renderBlocks(context, block.nodes)}</blockquote>`
    case 'hint':
      return renderHint(context, block)
    case 'code':
      return renderCode(context, block)
    case 'prompt':
      return renderPrompt(context, block)
    case 'math':
      return renderMathBlock(context, block.data.formula)
    case 'images':
      return renderImages(context, block)
    case 'drawing':
      return renderDrawing(context, block)
    case 'file':
      return renderFile(context, block)
    case 'embed':
      return renderEmbed(context, block)
    case 'content-ref':
      return renderContentRef(context, block)
    case 'integration':
      return renderIntegration(context, block)
    case 'expandable':
      return renderExpandable(context, block)
    case 'tabs':
      return renderTabs(context, block)
    case 'stepper':
      return renderStepper(context, block)
    case 'columns':
      return renderColumns(context, block)
    case 'table':
      return renderTable(context, block)
    case 'updates':
      return renderUpdates(context, block)
    case 'swagger':
    case 'openapi-operation':
      return renderOperation(context, block)
    case 'openapi-webhook':
      return renderWebhook(context, block)
    case 'openapi-schemas':
      return renderSchemas(context, block)
    case 'if':
      return renderIf(context, block)
    case 'reusable-content':
      return renderReusable(context, block)
    default:
      // A part outside its container, or a block of a later version: nothing is better than something wrong.
      return nothing
  }
}

function alignClass(align: TextAlignment | undefined): string | undefined {
  return align === 'center' || align === 'end' ? `align-${align}` : undefined
}

function renderParagraph(context: RenderContext, block: Paragraph): Html {
  if (block.nodes.length === 0) return nothing
  return html`<p${attr('class', alignClass(block.data.align))}>${renderInlines(context, block.nodes)}</p>`
}

/**
 * The page's title is the first level, so that a document's headings start at the second. A writer may skip a level for
 * its looks; the tag never does, because readers of the structure would look for what is missing.
 */
function renderHeading(context: RenderContext, block: Heading): Html {
  const level = Number(block.type.slice(-1))
  const title = inlineText(block.nodes).trim()
  const id = uniqueId(context, context.anchors.get(block) ?? 'section')
  if (title !== '' && (level === 1 || level === 2 || level === 3)) context.outline.push({ id, title, level })
  context.heading = Math.min(level + 1, context.heading + 1)
  const words = html`${otherAnchorTargets(context, block)}${renderInlines(context, block.nodes)}`
  const align = alignClass(block.data.align)
  return html`<div class="heading h${level + 1}${align && ` ${align}`}">${headingTag(context.heading, id, words)}<a class="anchor" href="#${encodeURIComponent(id)}" aria-label="${context.strings.linkTo(title)}"></a></div>`
}

/** Where links arrive that name the heading as another host does. */
function otherAnchorTargets(context: RenderContext, block: Heading): Html {
  const free = context.otherAnchors.get(block)?.filter((anchor) => !context.ids.has(anchor)) ?? []
  return free.length === 0 ? nothing : join(free.map((anchor) => html`<span id="${uniqueId(context, anchor)}"></span>`))
}

function headingTag(level: number, id: string, words: Html): Html {
  if (level === 2) return html`<h2 id="${id}">${words}</h2>`
  return level === 3 ? html`<h3 id="${id}">${words}</h3>` : html`<h4 id="${id}">${words}</h4>`
}

function renderList(context: RenderContext, block: List): Html {
  const items = join(block.nodes.map((item) => renderItem(context, item, block.type)))
  if (block.type === 'list-ordered') return html`<ol${attr('start', block.data.start)}>${items}</ol>`
  return block.type === 'list-tasks' ? html`<ul class="tasks">${items}</ul>` : html`<ul>${items}</ul>`
}

function renderItem(context: RenderContext, item: ListItem, type: List['type']): Html {
  // An item of one paragraph needs no paragraph: tight lists read better.
  const [first, ...rest] = item.nodes
  const tight = first?.type === 'paragraph' && rest.every((block) => block.type.startsWith('list-'))
  const body = tight
    ? html`${renderInlines(context, first.nodes)}${renderBlocks(context, rest)}`
    : renderBlocks(context, item.nodes)
  if (type !== 'list-tasks') return html`<li>${body}</li>`
  const done = item.data.checked === true
  const label = done ? context.strings.done : context.strings.notDone
  return html`<li><span class="task${done && ' done'}" role="img" aria-label="${label}"></span><div>${body}</div></li>`
}

function renderMathBlock(context: RenderContext, formula: string): Html {
  const found = context.prepared.math.get(mathKey(formula, true))
  if (found === undefined) return html`<div class="code"><pre tabindex="0"><code>${formula}</code></pre></div>`
  return html`<div class="math" tabindex="0" role="group" aria-label="${context.strings.formula}">${placeMath(context, print(found))}</div>`
}

function renderIf(context: RenderContext, block: If): Html {
  return context.holds(block.data.expression) ? renderBlocks(context, block.nodes) : nothing
}

function renderReusable(context: RenderContext, block: ReusableContent): Html {
  if (context.depth >= deepestInclude) return nothing
  const included = context.reusable(block.data.ref)
  if (included === undefined) return nothing
  for (const [heading, anchor] of anchorsOf(included)) context.anchors.set(heading, anchor)
  context.depth += 1
  const body = renderBlocks(context, included.nodes)
  context.depth -= 1
  return body
}
