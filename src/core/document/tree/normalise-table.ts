/**
 * The one form of a table: columns and rows named by place and listed in order, a fragment for every text cell.
 */

import { fragment, paragraph } from './make.ts'
import type { Fragment, Table, TableCellMerge, TableDefinition, TableRecord, TableValue, TableView } from './nodes.ts'
import { filled } from './normalise.ts'
import { renameTable } from './table/adopt-table-ids.ts'
import { cellName, columnId, columnsOf, orderIndexAt, rowId, rowsOf } from './table/table-ids.ts'

/** The table, or nothing when it has no columns. */
export function normaliseTable(table: Table): Table | undefined {
  const columns = columnsOf(table)
  const rows = rowsOf(table)
  if (columns.length === 0) return undefined
  const { records, fragments } = layRows(table, columns, rows)
  const definition = Object.fromEntries(columns.map((column) => [column.id, column]))
  const named = renameTable(
    { ...table, data: { ...table.data, records: {}, definition }, fragments: [] },
    new Map(columns.map((column, index) => [column.id, columnId(index)])),
    new Map(rows.map(([id], index) => [id, rowId(index)])),
  )
  const data = { ...named.data, records }
  return {
    object: 'block',
    type: 'table',
    isVoid: true,
    data: { ...flags(data), view: slimView(data.view, data.definition), records, definition: data.definition },
    fragments,
  }
}

/** Rows in order and named by place, cells in the order of the columns, and no cell without its text. */
function layRows(table: Table, columns: readonly TableDefinition[], rows: readonly [string, TableRecord][]) {
  const names = columns.map((_, index) => columnId(index))
  const cellOf = cellFinder(table)
  const fragments: Fragment<'table-cell'>[] = []
  const records: Record<string, TableRecord> = {}
  rows.forEach(([, row], index) => {
    const id = rowId(index)
    const values: Record<string, TableValue> = {}
    columns.forEach((column, at) => {
      const value = row.values[column.id]
      const to = names[at] ?? ''
      if (column.type === 'text') {
        const cell = typeof value === 'string' ? cellOf(value) : undefined
        const name = cellName(id, to)
        fragments.push(fragment('table-cell', cell === undefined ? [paragraph()] : filled(cell.nodes), name))
        values[to] = name
      } else if (!isNothing(column, value)) values[to] = value ?? null
    })
    records[id] = { orderIndex: orderIndexAt(index), values }
  })
  return { records, fragments }
}

/** Cells by name. Nearly always they stand in the order in which they are asked for, and need not be looked up. */
export function cellFinder({ fragments }: Table): (name: string) => Fragment<'table-cell'> | undefined {
  let next = 0
  let byName: Map<string, Fragment<'table-cell'>> | undefined
  return (name) => {
    const cell = fragments[next]
    if (cell?.fragment === name) {
      next += 1
      return cell
    }
    byName ??= new Map(fragments.map((one) => [one.fragment, one]))
    return byName.get(name)
  }
}

/** An unticked box, an empty list and an empty cell look alike. */
function isNothing(column: TableDefinition, value: TableValue | undefined): boolean {
  if (value === undefined || value === null) return true
  if (column.type === 'checkbox') return value !== true
  return Array.isArray(value) && value.length === 0
}

function flags(data: Table['data']): { fullWidth?: true; search?: true; cellMerges?: TableCellMerge[] } {
  const merges = (data.cellMerges ?? []).flatMap((merge) => {
    const { anchor, rowSpan = 1, colSpan = 1 } = merge
    const known = Object.hasOwn(data.records, anchor.record) && Object.hasOwn(data.definition, anchor.column)
    if (!known || (rowSpan === 1 && colSpan === 1)) return []
    return [{ anchor, ...(rowSpan > 1 ? { rowSpan } : {}), ...(colSpan > 1 ? { colSpan } : {}) }]
  })
  const indexOf = ({ anchor }: TableCellMerge): number =>
    Number(anchor.record.slice('row-'.length)) * 100_000 + Number(anchor.column.slice('column-'.length))
  const first = new Map(merges.map((merge) => [indexOf(merge), merge]))
  const sorted = [...first].sort(([a], [b]) => a - b).map(([, merge]) => merge)
  return {
    ...(data.fullWidth === true ? { fullWidth: true } : {}),
    ...(data.search === true ? { search: true } : {}),
    ...(sorted.length > 0 ? { cellMerges: sorted } : {}),
  }
}

function slimView(view: TableView, definition: Table['data']['definition']): TableView {
  const columns = [...new Set(view.columns)]
  if (view.type === 'cards') {
    const { hideColumnTitle, wrap, ...rest } = view
    return {
      ...rest,
      columns,
      ...(hideColumnTitle === true ? { hideColumnTitle } : {}),
      ...(wrap === true ? { wrap } : {}),
    }
  }
  const { columnWidths, stickyHeader, stickyFirstColumn, useNewSizing, ...rest } = view
  const known = Object.entries(columnWidths ?? {}).filter(([id]) => Object.hasOwn(definition, id))
  const widths = known.sort(([a], [b]) => indexOf(a) - indexOf(b))
  return {
    ...rest,
    columns,
    ...(widths.length > 0 ? { columnWidths: Object.fromEntries(widths) } : {}),
    ...(stickyHeader === true ? { stickyHeader } : {}),
    ...(stickyFirstColumn === true ? { stickyFirstColumn } : {}),
    ...(useNewSizing === true ? { useNewSizing } : {}),
  }
}

const indexOf = (column: string): number => Number(column.slice('column-'.length))
