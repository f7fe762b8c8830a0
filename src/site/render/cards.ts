/**
 * Tables shown as cards. The whole card leads to its target; the link itself lies over it, so that links inside the text
 * stay links of their own.
 */

import { fragmentText } from '../../core/document/text/to-text.ts'
import type { Table, TableDefinition, TableRecord, TableViewCards } from '../../core/document/tree/nodes.ts'
import { isRef } from '../../core/document/tree/refs.ts'
import { rowsOf } from '../../core/document/tree/table/table-ids.ts'
import { cutTo } from '../../core/text.ts'
import { type RenderContext, targetOf } from './context.ts'
import { type Html, html, isEmpty, nothing } from './html.ts'
import { linkAttributes } from './inlines.ts'
import { type Cells, cellsOf, imageRef, renderCell } from './table.ts'

const mostCards = 500

export function renderCards(context: RenderContext, block: Table, view: TableViewCards): Html {
  const cells = cellsOf(block)
  const cards = rowsOf(block)
    .slice(0, mostCards)
    .map(([, row]) => renderCard(context, { block, view, row, cells }))
  const size = view.cardSize === 'large' ? 'large' : 'medium'
  return html`<div class="cards ${size}${block.data.fullWidth && ' full'}">${cards}</div>`
}

interface Card {
  block: Table
  view: TableViewCards
  row: TableRecord
  cells: Cells
}

function renderCard(context: RenderContext, card: Card): Html {
  const { block, view, row, cells } = card
  const hidden = new Set([view.targetDefinition, view.coverDefinition, view.coverDefinitionDark])
  const columns = view.columns
    .flatMap((id) => block.data.definition[id] ?? [])
    .filter((column) => !hidden.has(column.id))
  const parts = columns.map((column) => {
    const body = renderCell(context, column, row.values[column.id], cells)
    return isEmpty(body) ? nothing : html`<div class="card-part">${body}</div>`
  })
  const target = targetOfCard(context, card)
  const label = labelOf(card, columns) || target?.title || target?.href || ''
  const link =
    target === undefined
      ? nothing
      : html`<a class="card-link"${linkAttributes(context, target)} aria-label="${label}"></a>`
  return html`<div class="card${target !== undefined && ' linked'}">${renderCover(context, card)}<div class="card-body">${parts}</div>${link}</div>`
}

function targetOfCard(context: RenderContext, { view, row, block }: Card) {
  const named = view.targetDefinition
  const id = named ?? Object.values(block.data.definition).find((column) => column.type === 'content-ref')?.id
  const value = id === undefined ? undefined : row.values[id]
  return isRef(value) ? targetOf(context, value) : undefined
}

function renderCover(context: RenderContext, { view, row }: Card): Html {
  const light = imageRef(view.coverDefinition === undefined ? undefined : row.values[view.coverDefinition])
  const target = targetOf(context, light?.ref)
  if (target === undefined) return nothing
  const dark = imageRef(view.coverDefinitionDark === undefined ? undefined : row.values[view.coverDefinitionDark])
  const darkTarget = targetOf(context, dark?.ref)
  const fit = light?.objectFit === 'contain' || light?.objectFit === 'fill' ? ` ${light.objectFit}` : ''
  const picture = (href: string, mode: string): Html =>
    html`<img class="${mode}${fit}" src="${href}" alt="${light?.alt ?? ''}" loading="lazy" decoding="async">`
  if (darkTarget === undefined) return html`<div class="card-cover">${picture(target.href, '')}</div>`
  return html`<div class="card-cover">${picture(target.href, 'in-light')}${picture(darkTarget.href, 'in-dark')}</div>`
}

/** What the card's link is called: the words of its first cell that has any. */
function labelOf({ row, cells }: Card, columns: readonly TableDefinition[]): string {
  for (const column of columns) {
    const value = row.values[column.id]
    const cell = column.type === 'text' && typeof value === 'string' ? cells.get(value) : undefined
    const words = cell === undefined ? '' : fragmentText(cell).trim()
    if (words !== '') return cutTo(words, 200)
  }
  return ''
}
