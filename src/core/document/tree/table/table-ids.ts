/**
 * Names of table columns and rows. Markdown has no place for them, so a table read from Markdown names them by place
 * (`column-1`, `row-1`).
 */

import type { Table, TableDefinition, TableRecord } from '../nodes.ts'

export const columnId = (index: number): string => `column-${index + 1}`
export const rowId = (index: number): string => `row-${index + 1}`
export const cellName = (row: string, column: string): string => `${row}/${column}`
/** Fixed width, so that the order of the strings is the order of the rows. */
export const orderIndexAt = (index: number): string => String(index + 1).padStart(7, '0')

/** The rows in their order. */
export function rowsOf(table: Table): [id: string, row: TableRecord][] {
  return Object.entries(table.data.records).sort(([, a], [, b]) =>
    a.orderIndex < b.orderIndex ? -1 : a.orderIndex > b.orderIndex ? 1 : 0,
  )
}

/** The columns in their order: those shown, and then the hidden ones. */
export function columnsOf(table: Table): TableDefinition[] {
  const { view, definition } = table.data
  const isShown = new Set(view.columns)
  const shown = [...isShown].flatMap((id) => definition[id] ?? [])
  return [...shown, ...Object.values(definition).filter((column) => !isShown.has(column.id))]
}
