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
import { attr, type Html, html, join, nothing, print } from './html.ts'
import { renderInlines } from './inlines.ts'
import { mathKey, placeMath } from './math.ts'
import { renderContentRef, renderDrawing, renderEmbed, renderFile, renderImages, renderIntegration } from './media.ts'
import { renderOperation, renderSchemas, renderWebhook } from './openapi/block.ts'
import { deepestInclude, type RenderScope, uniqueId } from './scope.ts'
import { renderTable } from './table.ts'
import { renderUpdates } from './updates.ts'

export function renderBlocks(scope: RenderScope, blocks: readonly Block[]): Html {
  return join(blocks.map((block) => renderBlock(scope, block)))
}

export function renderBlock(scope: RenderScope, block: AnyBlock): Html {
  switch (block.type) {
    case 'paragraph':
      return renderParagraph(scope, block)
    case 'heading-1':
    case 'heading-2':
    case 'heading-3':
      return renderHeading(scope, block)
    case 'list-ordered':
    case 'list-unordered':
    case 'list-tasks':
      return renderList(scope, block)
    case 'divider':
      return html`<hr>`
    case 'blockquote':
      return html`<blockquote>${renderBlocks(scope, block.nodes)}</blockquote>`
    case 'hint':
      return renderHint(scope, block)
    case 'code':
      return renderCode(scope, block)
    case 'prompt':
      return renderPrompt(scope, block)
    case 'math':
      return renderMathBlock(scope, block.data.formula)
    case 'images':
      return renderImages(scope, block)
    case 'drawing':
      return renderDrawing(scope, block)
    case 'file':
      return renderFile(scope, block)
    case 'embed':
      return renderEmbed(scope, block)
    case 'content-ref':
      return renderContentRef(scope, block)
    case 'integration':
      return renderIntegration(scope, block)
    case 'expandable':
      return renderExpandable(scope, block)
    case 'tabs':
      return renderTabs(scope, block)
    case 'stepper':
      return renderStepper(scope, block)
    case 'columns':
      return renderColumns(scope, block)
    case 'table':
      return renderTable(scope, block)
    case 'updates':
      return renderUpdates(scope, block)
    case 'swagger':
    case 'openapi-operation':
      return renderOperation(scope, block)
    case 'openapi-webhook':
      return renderWebhook(scope, block)
    case 'openapi-schemas':
      return renderSchemas(scope, block)
    case 'if':
      return renderIf(scope, block)
    case 'reusable-content':
      return renderReusable(scope, block)
    default:
      // A part outside its container, or a block of a later version: nothing is better than something wrong.
      return nothing
  }
}

function alignClass(align: TextAlignment | undefined): string | undefined {
  return align === 'center' || align === 'end' ? `align-${align}` : undefined
}

function renderParagraph(scope: RenderScope, block: Paragraph): Html {
  if (block.nodes.length === 0) return nothing
  return html`<p${attr('class', alignClass(block.data.align))}>${renderInlines(scope, block.nodes)}</p>`
}

/**
 * The page's title is the first level, so that a document's headings start at the second. A writer may skip a level for
 * its looks; the tag never does, because readers of the structure would look for what is missing.
 */
function renderHeading(scope: RenderScope, block: Heading): Html {
  const level = Number(block.type.slice(-1))
  const title = inlineText(block.nodes).trim()
  const id = uniqueId(scope, scope.anchors.get(block) ?? 'section')
  if (title !== '' && (level === 1 || level === 2 || level === 3)) scope.outline.push({ id, title, level })
  scope.heading = Math.min(level + 1, scope.heading + 1)
  const words = renderInlines(scope, block.nodes)
  const align = alignClass(block.data.align)
  return html`<div class="heading h${level + 1}${align && ` ${align}`}">${headingTag(scope.heading, id, words)}<a class="anchor" href="#${encodeURIComponent(id)}" aria-label="${scope.strings.linkTo(title)}"></a></div>`
}

function headingTag(level: number, id: string, words: Html): Html {
  if (level === 2) return html`<h2 id="${id}">${words}</h2>`
  return level === 3 ? html`<h3 id="${id}">${words}</h3>` : html`<h4 id="${id}">${words}</h4>`
}

function renderList(scope: RenderScope, block: List): Html {
  const items = join(block.nodes.map((item) => renderItem(scope, item, block.type)))
  if (block.type === 'list-ordered') return html`<ol${attr('start', block.data.start)}>${items}</ol>`
  return block.type === 'list-tasks' ? html`<ul class="tasks">${items}</ul>` : html`<ul>${items}</ul>`
}

function renderItem(scope: RenderScope, item: ListItem, type: List['type']): Html {
  // An item of one paragraph needs no paragraph: tight lists read better.
  const [first, ...rest] = item.nodes
  const tight = first?.type === 'paragraph' && rest.every((block) => block.type.startsWith('list-'))
  const body = tight
    ? html`${renderInlines(scope, first.nodes)}${renderBlocks(scope, rest)}`
    : renderBlocks(scope, item.nodes)
  if (type !== 'list-tasks') return html`<li>${body}</li>`
  const done = item.data.checked === true
  const label = done ? scope.strings.done : scope.strings.notDone
  return html`<li><span class="task${done && ' done'}" role="img" aria-label="${label}"></span><div>${body}</div></li>`
}

function renderMathBlock(scope: RenderScope, formula: string): Html {
  const found = scope.prepared.math.get(mathKey(formula, true))
  if (found === undefined) return html`<div class="code"><pre tabindex="0"><code>${formula}</code></pre></div>`
  return html`<div class="math" tabindex="0" role="group" aria-label="${scope.strings.formula}">${placeMath(scope, print(found))}</div>`
}

function renderIf(scope: RenderScope, block: If): Html {
  return scope.holds(block.data.expression) ? renderBlocks(scope, block.nodes) : nothing
}

function renderReusable(scope: RenderScope, block: ReusableContent): Html {
  if (scope.depth >= deepestInclude) return nothing
  const included = scope.reusable(block.data.ref)
  if (included === undefined) return nothing
  for (const [heading, anchor] of anchorsOf(included)) scope.anchors.set(heading, anchor)
  scope.depth += 1
  const body = renderBlocks(scope, included.nodes)
  scope.depth -= 1
  return body
}
