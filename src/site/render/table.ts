/** Tables as grids: they scroll inside themselves and keep their first column. Cards are in cards.ts. */
import type {
  Block,
  Fragment,
  Table,
  TableDefinition,
  TableImage,
  TableRecord,
  TableValue,
  TableViewGrid,
} from '../../core/document/tree/nodes.ts'
import { textColors } from '../../core/document/tree/nodes.ts'
import { fileValueRef, isRef } from '../../core/document/tree/refs.ts'
import { rowsOf } from '../../core/document/tree/table/table-ids.ts'
import { renderBlocks } from './blocks.ts'
import { renderCards } from './cards.ts'
import { lengthOf } from './containers.ts'
import { type RenderContext, styleClass, targetOf } from './context.ts'
import { attr, type Html, html, join, nothing } from './html.ts'
import { uiSolid } from './icons.ts'
import { leadIcon, linkAttributes, renderInlines } from './inlines.ts'

const mostRows = 2_000

export function renderTable(context: RenderContext, block: Table): Html {
  return block.data.view.type === 'cards'
    ? renderCards(context, block, block.data.view)
    : renderGrid(context, block, block.data.view)
}

/** What a cell needs to know of its table. */
export type Cells = ReadonlyMap<string, Fragment<'table-cell'>>
export const cellsOf = (block: Table): Cells => new Map(block.fragments.map((cell) => [cell.fragment, cell]))

function renderGrid(context: RenderContext, block: Table, view: TableViewGrid): Html {
  const columns = view.columns.flatMap((id) => block.data.definition[id] ?? [])
  if (columns.length === 0) return nothing
  const cells = cellsOf(block)
  const rows = rowsOf(block).slice(0, mostRows)
  const spans = spansOf(block, rows, columns)
  const widths = columns.map((column) => lengthOf(view.columnWidths?.[column.id]))
  const group = widths.some((width) => width !== undefined)
    ? html`<colgroup>${widths.map((width) => html`<col${attr('class', width && styleClass(context, `width:${width}`))}>`)}</colgroup>`
    : nothing
  const head = view.hideHeader
    ? nothing
    : html`<thead><tr>${columns.map((column) => html`<th scope="col"${attr('class', alignOf(column))}>${column.title}</th>`)}</tr></thead>`
  const body = rows.map(([id, row]) => {
    const made = columns.map((column) => {
      const span = spans.get(`${id}\0${column.id}`)
      if (span === null) return nothing
      const size =
        span === undefined
          ? nothing
          : html`${attr('rowspan', span.rows > 1 ? span.rows : undefined)}${attr('colspan', span.columns > 1 ? span.columns : undefined)}`
      return html`<td${attr('class', alignOf(column))}${size}>${renderCell(context, column, row.values[column.id], cells)}</td>`
    })
    return html`<tr>${made}</tr>`
  })
  const classes = [
    'table',
    block.data.fullWidth && 'full',
    view.stickyHeader && 'sticky-head',
    columns.length > 2 && 'keep-first',
    columns.length > 5 && 'many',
  ]
  const filter = block.data.search
    ? html`<input class="table-filter scripted" type="search" placeholder="${context.strings.filter}" aria-label="${context.strings.filter}" data-filter>`
    : nothing
  return html`<div class="${classes.filter((name) => name).join(' ')}">${filter}<div class="table-scroll" tabindex="0" role="group" aria-label="${context.strings.table}"><table>${group}${head}<tbody>${body}</tbody></table></div></div>`
}

export function renderCell(
  context: RenderContext,
  column: TableDefinition,
  value: TableValue | undefined,
  cells: Cells,
): Html {
  if (value === undefined || value === null) return nothing
  switch (column.type) {
    case 'text': {
      const cell = typeof value === 'string' ? cells.get(value) : undefined
      return cell === undefined ? nothing : renderCellBlocks(context, cell.nodes)
    }
    case 'number':
      return typeof value === 'number'
        ? html`<span class="figure">${new Intl.NumberFormat(context.locale).format(value)}</span>`
        : nothing
    case 'checkbox':
      return html`<span class="task${value === true && ' done'}" role="img" aria-label="${value === true ? context.strings.done : context.strings.notDone}"></span>`
    case 'rating':
      return typeof value === 'number' ? renderRating(context, value, column.max) : nothing
    case 'select':
      return Array.isArray(value)
        ? html`<span class="chips">${value.map((chosen) => renderOption(column, chosen))}</span>`
        : nothing
    case 'files':
      return Array.isArray(value) ? join(value.map((file) => renderRefLink(context, fileValueRef(file)))) : nothing
    case 'users':
      return Array.isArray(value)
        ? html`${value
            .map((user) => context.resolve({ kind: 'user', user })?.title ?? '')
            .filter((name) => name !== '')
            .join(', ')}`
        : nothing
    case 'content-ref':
      return isRef(value) ? renderRefLink(context, value) : nothing
    case 'image':
      return renderCellImage(context, value)
    default:
      return nothing
  }
}

/** One paragraph stands in its cell without being one, so that rows stay low. */
function renderCellBlocks(context: RenderContext, blocks: readonly Block[]): Html {
  const [only] = blocks
  return blocks.length === 1 && only?.type === 'paragraph'
    ? renderInlines(context, only.nodes)
    : renderBlocks(context, blocks)
}

export function imageRef(value: TableValue | undefined): Exclude<TableImage, { kind: string }> | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  // Covers of cards may stand in a column of files, as they do in older exports.
  if (Array.isArray(value)) return value[0] === undefined ? undefined : imageRef(fileValueRef(value[0]))
  if ('kind' in value) return value.kind === 'file' || value.kind === 'url' ? { ref: value } : undefined
  return 'ref' in value ? value : undefined
}

function renderCellImage(context: RenderContext, value: TableValue): Html {
  const image = imageRef(value)
  const target = targetOf(context, image?.ref)
  return target === undefined
    ? nothing
    : html`<img class="cell-image" src="${target.href}" alt="${image?.alt ?? ''}" loading="lazy">`
}

function renderRefLink(context: RenderContext, ref: Parameters<RenderContext['resolve']>[0]): Html {
  const target = targetOf(context, ref)
  return target === undefined
    ? nothing
    : html`<a class="cell-link"${linkAttributes(context, target)}>${leadIcon(context, target)}${target.title ?? target.href}</a>`
}

function renderRating(context: RenderContext, value: number, max: number): Html {
  const most = Math.min(10, Math.max(1, Math.round(max)))
  const given = Math.min(most, Math.max(0, Math.round(value)))
  const stars = Array.from(
    { length: most },
    (_, at) => html`<span class="star${at < given && ' on'}">${uiSolid(context.icons, 'star')}</span>`,
  )
  return html`<span class="rating" role="img" aria-label="${given} / ${most}">${stars}</span>`
}

function renderOption(column: Extract<TableDefinition, { type: 'select' }>, chosen: string): Html {
  const option = column.options.find((known) => known.value === chosen)
  const color = textColors.find((known) => known === option?.color)
  return html`<span class="chip${color && color !== 'default' && ` t-${color.replace('$', '')} b-${color.replace('$', '')}`}">${option?.label ?? chosen}</span>`
}

function alignOf(column: TableDefinition): string | undefined {
  if (column.type === 'number') return 'right'
  if (column.type !== 'text') return undefined
  const names = [
    column.textAlignment === 'center' || column.textAlignment === 'right' ? column.textAlignment : '',
    column.verticalAlignment ?? '',
  ]
  return names.filter((name) => name !== '' && name !== 'top').join(' ') || undefined
}

type Span = { rows: number; columns: number }

/** The size of every merged cell, and `null` for every cell that another one covers. */
function spansOf(
  block: Table,
  rows: readonly [string, TableRecord][],
  columns: readonly TableDefinition[],
): Map<string, Span | null> {
  const spans = new Map<string, Span | null>()
  for (const merge of (block.data.cellMerges ?? []).slice(0, 1000)) {
    const row = rows.findIndex(([id]) => id === merge.anchor.record)
    const column = columns.findIndex((known) => known.id === merge.anchor.column)
    if (row < 0 || column < 0) continue
    const size = {
      rows: Math.min(merge.rowSpan ?? 1, rows.length - row, 50),
      columns: Math.min(merge.colSpan ?? 1, columns.length - column, 50),
    }
    for (let down = 0; down < size.rows; down += 1) {
      for (let right = 0; right < size.columns; right += 1) {
        spans.set(`${rows[row + down]?.[0]}\0${columns[column + right]?.id}`, down === 0 && right === 0 ? size : null)
      }
    }
  }
  return spans
}
