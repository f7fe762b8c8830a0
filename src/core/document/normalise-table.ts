/**
 * The one form of a table: columns and rows named by place and listed in order, a fragment for every text cell.
 */
import { fragment, paragraph } from './make.ts'
import type { Fragment, Table, TableCellMerge, TableDefinition, TableRecord, TableValue, TableView } from './nodes.ts'
import { filled } from './normalise.ts'
import { cellName, columnId, columnsOf, orderIndexAt, renameTable, rowId, rowsOf } from './table-ids.ts'

/** The table, or nothing when it has no columns. */
export function normaliseTable(table: Table): Table[] {
  const columns = columnsOf(table)
  const rows = rowsOf(table)
  if (columns.length === 0) return []
  const named = renameTable(
    complete(table, columns, rows),
    new Map(columns.map((column, place) => [column.id, columnId(place)])),
    new Map(rows.map(([id], place) => [id, rowId(place)])),
  )
  const { key: _, ...keyless } = named
  return [{ ...keyless, data: { ...flags(named), ...slimParts(named) }, fragments: named.fragments }]
}

/** Rows in order, cells in the order of the columns, and no cell without its text. */
function complete(table: Table, columns: readonly TableDefinition[], rows: [string, TableRecord][]): Table {
  const cells = new Map(table.fragments.map((cell) => [cell.fragment, cell]))
  const fragments: Fragment<'table-cell'>[] = []
  const records: Record<string, TableRecord> = {}
  rows.forEach(([id, row], place) => {
    const values: Record<string, TableValue> = {}
    for (const column of columns) {
      const value = row.values[column.id]
      if (column.type === 'text') {
        const cell = typeof value === 'string' ? cells.get(value) : undefined
        const name = cellName(id, column.id)
        fragments.push(fragment('table-cell', cell === undefined ? [paragraph()] : filled(cell.nodes), name))
        values[column.id] = name
      } else if (!isNothing(column, value)) values[column.id] = value ?? null
    }
    records[id] = { orderIndex: orderIndexAt(place), values }
  })
  const definition = Object.fromEntries(columns.map((column) => [column.id, column]))
  return { ...table, data: { ...table.data, records, definition }, fragments }
}

/** An unticked box, an empty list and an empty cell look alike. */
function isNothing(column: TableDefinition, value: TableValue | undefined): boolean {
  if (value === undefined || value === null) return true
  if (column.type === 'checkbox') return value !== true
  return Array.isArray(value) && value.length === 0
}

function flags({ data }: Table): { fullWidth?: true; search?: true; cellMerges?: TableCellMerge[] } {
  const merges = (data.cellMerges ?? []).flatMap((merge) => {
    const { anchor, rowSpan = 1, colSpan = 1 } = merge
    const known = Object.hasOwn(data.records, anchor.record) && Object.hasOwn(data.definition, anchor.column)
    if (!known || (rowSpan === 1 && colSpan === 1)) return []
    return [{ anchor, ...(rowSpan > 1 ? { rowSpan } : {}), ...(colSpan > 1 ? { colSpan } : {}) }]
  })
  const place = ({ anchor }: TableCellMerge): number =>
    Number(anchor.record.slice('row-'.length)) * 100_000 + Number(anchor.column.slice('column-'.length))
  const first = new Map(merges.map((merge) => [place(merge), merge]))
  const sorted = [...first].sort(([a], [b]) => a - b).map(([, merge]) => merge)
  return {
    ...(data.fullWidth === true ? { fullWidth: true } : {}),
    ...(data.search === true ? { search: true } : {}),
    ...(sorted.length > 0 ? { cellMerges: sorted } : {}),
  }
}

function slimParts({ data }: Table): Pick<Table['data'], 'view' | 'records' | 'definition'> {
  return { view: slimView(data.view, data.definition), records: data.records, definition: data.definition }
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
  const widths = known.sort(([a], [b]) => placeOf(a) - placeOf(b))
  return {
    ...rest,
    columns,
    ...(widths.length > 0 ? { columnWidths: Object.fromEntries(widths) } : {}),
    ...(stickyHeader === true ? { stickyHeader } : {}),
    ...(stickyFirstColumn === true ? { stickyFirstColumn } : {}),
    ...(useNewSizing === true ? { useNewSizing } : {}),
  }
}

const placeOf = (column: string): number => Number(column.slice('column-'.length))
