/** Tables: cells that span others leave room for them, and each cell holds blocks. */
import { inlineText } from '../../document/text/to-text.ts'
import { fragment, paragraph } from '../../document/tree/make.ts'
import type { Block, Table, TableCellMerge } from '../../document/tree/nodes.ts'
import { cellName, columnId, orderIndexAt, rowId } from '../../document/tree/table/table-ids.ts'
import type { HtmlContext, ReadBlocks } from './context.ts'
import { readInlines } from './inline.ts'
import { attribute, childrenOf, elementsIn, findAll, type HtmlElement, styleOf } from './tree.ts'

interface Placed {
  cell: HtmlElement
  row: number
  column: number
  rowSpan: number
  colSpan: number
}

/** A table of more cells than this is a mistake or an attack. */
const mostCells = 20_000

export function readTable(table: HtmlElement, context: HtmlContext, readBlocks: ReadBlocks): Block[] {
  const rows = rowsOf(table)
  const caption = elementsIn(childrenOf(table)).find(({ tagName }) => tagName === 'caption')
  const before = caption ? readBlocks(childrenOf(caption), context) : []
  const placed = placeCells(rows)
  const width = Math.max(0, ...placed.map(({ column, colSpan }) => column + colSpan))
  // Pages that are laid out by a table, and tables that no page could show, are read cell by cell.
  if (width <= 1 || width * rows.length > mostCells || isLayout(table))
    return [...before, ...rows.flat().flatMap((cell) => readBlocks(childrenOf(cell), context))]
  const isHead = rows[0]?.every(({ tagName }) => tagName === 'th') === true
  const down = isHead ? 1 : 0
  const columns = Array.from({ length: width }, (_, index) => columnId(index))
  const head = new Map(placed.filter(({ row }) => row < down).map(({ column, cell }) => [column, cell]))
  const body = placed.filter(({ row }) => row >= down)
  const records: Table['data']['records'] = {}
  for (let row = 0; row < rows.length - down; row++)
    records[rowId(row)] = {
      orderIndex: orderIndexAt(row),
      values: Object.fromEntries(columns.map((column) => [column, cellName(rowId(row), column)])),
    }
  const cells = new Map(body.map((one) => [`${one.row - down} ${one.column}`, one.cell]))
  const data: Table['data'] = {
    view: { type: 'grid', columns, hideHeader: !isHead },
    records,
    definition: Object.fromEntries(
      columns.map((id, index) => {
        const cell = head.get(index)
        const title = cell ? inlineText(readInlines(childrenOf(cell), context)).trim() : ''
        return [id, { id, title, type: 'text' as const, textAlignment: alignmentOf(cell) }]
      }),
    ),
    ...mergesOf(body, down),
  }
  const fragments = Object.keys(records).flatMap((record, row) =>
    columns.map((column, index) => {
      const cell = cells.get(`${row} ${index}`)
      const blocks = cell ? readBlocks(childrenOf(cell), context) : []
      return fragment('table-cell', blocks.length > 0 ? blocks : [paragraph()], cellName(record, column))
    }),
  )
  if (Object.keys(records).length === 0) return before
  return [...before, { object: 'block', type: 'table', isVoid: true, data, fragments }]
}

const rowsOf = (table: HtmlElement): HtmlElement[][] =>
  elementsIn(childrenOf(table))
    .flatMap((part) => (/^(?:thead|tbody|tfoot)$/.test(part.tagName) ? elementsIn(childrenOf(part)) : [part]))
    .filter(({ tagName }) => tagName === 'tr')
    .map((row) => elementsIn(childrenOf(row)).filter(({ tagName }) => tagName === 'td' || tagName === 'th'))
    .filter((cells) => cells.length > 0)

/** A table with another table or a heading in it arranges a page. */
const isLayout = (table: HtmlElement): boolean =>
  attribute(table, 'role') === 'presentation' ||
  findAll(childrenOf(table), ({ tagName }) => tagName === 'table').length > 0

function placeCells(rows: readonly HtmlElement[][]): Placed[] {
  const taken = new Set<string>()
  const placed: Placed[] = []
  for (const [row, cells] of rows.entries()) {
    let column = 0
    for (const cell of cells) {
      while (taken.has(`${row} ${column}`)) column++
      const colSpan = spanOf(cell, 'colspan', 100)
      const rowSpan = Math.min(spanOf(cell, 'rowspan', 1000), rows.length - row)
      for (let down = 0; down < rowSpan; down++)
        for (let right = 0; right < colSpan; right++) taken.add(`${row + down} ${column + right}`)
      placed.push({ cell, row, column, rowSpan, colSpan })
      column += colSpan
      if (taken.size > mostCells) return placed
    }
  }
  return placed
}

function spanOf(cell: HtmlElement, name: string, most: number): number {
  const span = Number(attribute(cell, name) ?? 1)
  return Number.isInteger(span) && span >= 1 ? Math.min(span, most) : 1
}

function mergesOf(body: readonly Placed[], down: number): Pick<Table['data'], 'cellMerges'> {
  const cellMerges = body
    .filter(({ rowSpan, colSpan }) => rowSpan > 1 || colSpan > 1)
    .map(
      ({ row, column, rowSpan, colSpan }): TableCellMerge => ({
        anchor: { record: rowId(row - down), column: columnId(column) },
        ...(rowSpan > 1 ? { rowSpan } : {}),
        ...(colSpan > 1 ? { colSpan } : {}),
      }),
    )
  return cellMerges.length === 0 ? {} : { cellMerges }
}

function alignmentOf(cell: HtmlElement | undefined): 'left' | 'center' | 'right' {
  const align = cell && (attribute(cell, 'align') ?? styleOf(attribute(cell, 'style')).get('text-align'))
  return align === 'center' || align === 'right' ? align : 'left'
}
