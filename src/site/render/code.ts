/**
 * Code blocks. Runs of highlighted text are cut where annotations and expressions begin and end, so that both can stand
 * in the same line.
 */
import type { Code, CodeLine, Prompt } from '../../core/document/tree/nodes.ts'
import { tokenClass } from '../../theme/token-kinds.ts'
import { codeNodeText, codeText } from './code-text.ts'
import { type RenderContext, styleClass, uniqueId } from './context.ts'
import { languageTitle } from './highlight.ts'
import { attr, type Html, html, join, nothing } from './html.ts'
import { icon, uiIcon } from './icons.ts'
import { renderAnnotation } from './inlines.ts'

export function renderCode(context: RenderContext, block: Code): Html {
  // The script draws it; without one the source is what there is.
  if (block.data.syntax?.toLowerCase() === 'mermaid')
    return html`<div class="diagram${block.data.fullWidth && ' full'}" data-diagram="${block.data.title || context.strings.drawing}">${renderBlock(context, block)}</div>`
  return renderBlock(context, block)
}

function renderBlock(context: RenderContext, block: Code): Html {
  const { title, overflow, lineNumbers, fullWidth, expandable, collapsedLineCount } = block.data
  const folded = expandable === true ? foldOf(context, block.nodes.length, collapsedLineCount ?? 10) : undefined
  const classes = [
    'code',
    title && 'titled',
    overflow === 'wrap' && 'wrap',
    lineNumbers && 'numbered',
    fullWidth && 'full',
    folded !== undefined && `folding ${folded.height}`,
  ]
  const bar = title ? html`<div class="code-title">${title}</div>` : nothing
  return html`<div class="${classes.filter((name) => name).join(' ')}">${bar}${folded?.input}<pre tabindex="0"${attr('data-language', block.data.syntax && languageTitle(block.data.syntax))}><code>${renderLines(context, block)}</code></pre>${copyButton(context)}${folded?.label}</div>`
}

function copyButton(context: RenderContext): Html {
  return html`<button class="copy scripted" type="button" data-copy aria-label="${context.strings.copy}">${uiIcon(context.icons, 'copy')}${uiIcon(context.icons, 'check')}</button>`
}

/** A long block shows its first lines and a switch that needs no script. */
function foldOf(
  context: RenderContext,
  lines: number,
  count: number,
): { height: string; input: Html; label: Html } | undefined {
  const shown = Math.min(200, Math.max(1, Math.round(count)))
  if (lines <= shown + 2) return undefined
  const id = uniqueId(context, 'code-fold')
  return {
    height: styleClass(context, `--lines:${shown}`),
    input: html`<input class="fold-switch sr" type="checkbox" id="${id}" aria-label="${context.strings.showAllLines(lines)}">`,
    label: html`<label class="fold-label" for="${id}" aria-hidden="true"><span class="more">${context.strings.showAllLines(lines)}</span><span class="less">${context.strings.showLess}</span></label>`,
  }
}

function renderLines(context: RenderContext, block: Code): Html {
  const tokens = context.prepared.code.get(block)
  return join(
    block.nodes.map((line, at) => {
      const runs = tokens?.[at] ?? []
      const body = renderLine(context, line, runs)
      const { highlighted, change } = line.data
      return html`<span class="line${highlighted && ' marked'}${change && ` ${change}`}">${body}\n</span>`
    }),
  )
}

/** `runs` are pairs of kind and length; where they end before the text does, the rest is plain. */
function renderLine(context: RenderContext, line: CodeLine, runs: readonly number[]): Html {
  let run = 0
  let used = 0
  const take = (text: string): Html => {
    const parts: Html[] = []
    let from = 0
    while (from < text.length) {
      const left = (runs[run + 1] ?? Number.POSITIVE_INFINITY) - used
      const piece = text.slice(from, from + left)
      const name = tokenClass(runs[run] ?? 0)
      parts.push(name === '' ? html`${piece}` : html`<span class="${name}">${piece}</span>`)
      from += piece.length
      used += piece.length
      if (piece.length === left) {
        run += 2
        used = 0
      }
    }
    return join(parts)
  }
  return join(
    line.nodes.map((node) => {
      const words = take(codeNodeText(node, context.evaluate))
      return node.object === 'inline' && node.type === 'annotation' ? renderAnnotation(context, node, words) : words
    }),
  )
}

/** A prompt is text to copy: what it is for, the text itself (hidden, cut short or whole), and one clear button. */
export function renderPrompt(context: RenderContext, block: Prompt): Html {
  const { description, defaultExpanded } = block.data
  const [code] = block.nodes
  const text = code === undefined ? '' : codeText(code, context.evaluate).join('\n')
  const lead = block.data.icon ? icon(context.icons, block.data.icon) : uiIcon(context.icons, 'sparkles')
  const body = html`<pre tabindex="0" data-prompt><code>${text}</code></pre>`
  const shown = defaultExpanded === 'full' || defaultExpanded === 'partial'
  return html`<div class="prompt"><div class="prompt-head"><span class="prompt-icon">${lead}</span><span class="prompt-title">${description}</span><button class="button secondary small scripted" type="button" data-copy>${uiIcon(context.icons, 'copy')}${uiIcon(context.icons, 'check')}${context.strings.copyPrompt}</button></div><details${attr('open', shown)}><summary>${context.strings.showPrompt}</summary>${body}</details></div>`
}
