/** Blocks that hold blocks: hints, expandables, tabs, steps, columns. All of them work without a script. */

import { foldAnchor, slugOf } from '../../core/document/text/anchors.ts'
import { textOf } from '../../core/document/text/to-text.ts'
import type {
  Column,
  Columns,
  Expandable,
  Hint,
  Length,
  Paragraph,
  Stepper,
  StepperStep,
  Tabs,
} from '../../core/document/tree/nodes.ts'
import { fragmentNodes } from '../../core/document/tree/walk.ts'
import { renderBlocks } from './blocks.ts'
import { type RenderContext, styleClass, uniqueId } from './context.ts'
import { attr, type Html, html, join } from './html.ts'
import { icon, uiIcon } from './icons.ts'
import { renderInlines } from './inlines.ts'

const hintIcons = { info: 'info', success: 'circle-check', warning: 'triangle-alert', danger: 'octagon-alert' } as const
const mostTabs = 20

export function renderHint(context: RenderContext, block: Hint): Html {
  const style = Object.hasOwn(hintIcons, block.data.style) ? block.data.style : 'info'
  const lead = block.data.icon ? icon(context.icons, block.data.icon) : uiIcon(context.icons, hintIcons[style])
  return html`<div class="hint ${style}" role="note" aria-label="${context.strings.hints[style]}">${lead}<div class="hint-body">${renderBlocks(context, block.nodes)}</div></div>`
}

export function renderExpandable(context: RenderContext, block: Expandable): Html {
  const title = fragmentNodes(block, 'expandable-title').filter((node): node is Paragraph => node.type === 'paragraph')
  const words = join(title.map((paragraph) => renderInlines(context, paragraph.nodes)))
  const id = uniqueId(context, block.data.id ?? slugOf(title.map(textOf).join(' ')))
  const body = renderBlocks(context, fragmentNodes(block, 'expandable-body'))
  return html`<details class="expandable" id="${id}"${attr('open', block.data.defaultExpanded)}><summary>${uiIcon(context.icons, 'chevron-right')}<span>${words}</span></summary><div class="expandable-body">${body}</div></details>`
}

/**
 * Radio buttons choose the panel where there is no script; the script makes real tabs of them. Panels keep their titles
 * for print and for readers of the plain text.
 */
export function renderTabs(context: RenderContext, block: Tabs): Html {
  const items = block.nodes.slice(0, mostTabs)
  const group = uniqueId(context, 'tabs')
  const named = items.map((item, at) => ({
    item,
    id: `${group}-${at}`,
    panel: uniqueId(context, foldAnchor(item.data.slug ?? '') || slugOf(item.data.title ?? `tab-${at + 1}`)),
    title: item.data.title || `${context.strings.tab} ${at + 1}`,
  }))
  const inputs = named.map(
    ({ id, title }, at) =>
      html`<input class="tab-radio sr" type="radio" name="${group}" id="${id}"${attr('checked', at === 0)} aria-label="${title}">`,
  )
  const labels = named.map(
    ({ item, id, title }) =>
      html`<label class="tab" for="${id}">${item.data.icon && icon(context.icons, item.data.icon)}${title}</label>`,
  )
  const panels = named.map(
    ({ item, panel, title }) =>
      html`<div class="tab-panel" id="${panel}"><div class="tab-title">${title}</div>${renderBlocks(context, item.nodes)}</div>`,
  )
  return html`<div class="tabs${block.data.fullWidth && ' full'}" data-tabs>${inputs}<div class="tab-row">${labels}</div><div class="tab-panels">${panels}</div></div>`
}

export function renderStepper(context: RenderContext, block: Stepper): Html {
  return html`<ol class="stepper">${block.nodes.map((step) => renderStep(context, step))}</ol>`
}

function renderStep(context: RenderContext, step: StepperStep): Html {
  const badge = step.data.icon
    ? html`<span class="step-badge" aria-hidden="true">${icon(context.icons, step.data.icon)}</span>`
    : html`<span class="step-badge number" aria-hidden="true"></span>`
  return html`<li class="step">${badge}<div class="step-body">${renderBlocks(context, step.nodes)}</div></li>`
}

export function renderColumns(context: RenderContext, block: Columns): Html {
  return html`<div class="columns${block.data.fullWidth && ' full'}">${block.nodes.map((column) => renderColumn(context, column))}</div>`
}

function renderColumn(context: RenderContext, column: Column): Html {
  const width = lengthOf(column.data.width)
  const vertical = column.data.verticalAlignment
  const classes = [
    'column',
    width !== undefined && styleClass(context, `--width:${width}`),
    vertical === 'middle' || vertical === 'bottom' ? vertical : false,
  ]
  return html`<div class="${classes.filter((name) => name).join(' ')}">${renderBlocks(context, column.nodes)}</div>`
}

/** A length as CSS: only numbers with a unit of the list pass. */
export function lengthOf(length: Length | undefined): string | undefined {
  if (length === undefined) return undefined
  const { value, unit } = typeof length === 'number' ? { value: length, unit: 'px' } : length
  if (typeof value !== 'number' || !Number.isFinite(value) || value <= 0 || value > 10_000) return undefined
  const known = unit === '%' || unit === 'em' || unit === 'rem' ? unit : 'px'
  return `${Math.round(value * 1000) / 1000}${known}`
}
