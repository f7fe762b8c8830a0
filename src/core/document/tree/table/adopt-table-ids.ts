/**
 * The names that columns and rows of a table had before it went through Markdown: a comment on a cell, and a merge of two
 * tables, go by them.
 */

import { fragmentText } from '../../text/to-text.ts'
import type { Fragment, Table, TableRecord, TableValue } from '../nodes.ts'
import { cellName, columnsOf, rowsOf } from './table-ids.ts'

/** The table with columns and rows named as `before` names the ones they match; only names by place are replaced. */
export function adoptTableIds(table: Table, before: Table): Table {
  const ids = [...Object.keys(table.data.definition), ...Object.keys(table.data.records)]
  if (!ids.every((id) => /^(?:column|row)-\d+$/.test(id))) return table
  const columns = matchNames(
    columnsOf(table).map((column) => ({ id: column.id, face: `${column.type} ${column.title}` })),
    columnsOf(before).map((column) => ({ id: column.id, face: `${column.type} ${column.title}` })),
  )
  const rows = matchNames(rowFaces(table), rowFaces(before))
  return renameTable(table, columns, rows)
}

/** The table with new names for its columns and rows; fragments are named after the cell they belong to. */
export function renameTable(
  table: Table,
  columns: ReadonlyMap<string, string>,
  rows: ReadonlyMap<string, string>,
): Table {
  const column = (id: string): string => columns.get(id) ?? id
  const row = (id: string): string => rows.get(id) ?? id
  const { view, definition, records, cellMerges, ...rest } = table.data
  const cells = new Map(table.fragments.map((cell) => [cell.fragment, cell]))
  const fragments: Fragment<'table-cell'>[] = []
  const newRecords: Record<string, TableRecord> = {}
  for (const [id, { orderIndex, values }] of Object.entries(records)) {
    const renamed: Record<string, TableValue> = {}
    for (const [name, value] of Object.entries(values)) {
      const cell = definition[name]?.type === 'text' && typeof value === 'string' ? cells.get(value) : undefined
      renamed[column(name)] = cell === undefined ? value : cellName(row(id), column(name))
      if (cell !== undefined) fragments.push({ ...cell, fragment: cellName(row(id), column(name)) })
    }
    newRecords[row(id)] = { orderIndex, values: renamed }
  }
  const newDefinition = Object.values(definition).map(
    (old) => [column(old.id), { ...old, id: column(old.id) }] as const,
  )
  const merges = cellMerges?.map((merge) => ({
    ...merge,
    anchor: { record: row(merge.anchor.record), column: column(merge.anchor.column) },
  }))
  const data = {
    view: renameView(view, column),
    records: newRecords,
    definition: Object.fromEntries(newDefinition),
    ...(merges === undefined ? {} : { cellMerges: merges }),
    ...rest,
  }
  return { ...table, data, fragments }
}

function renameView(view: Table['data']['view'], column: (id: string) => string): Table['data']['view'] {
  const columns = view.columns.map(column)
  if (view.type === 'grid') {
    if (view.columnWidths === undefined) return { ...view, columns }
    const widths = Object.entries(view.columnWidths).map(([id, width]) => [column(id), width] as const)
    return { ...view, columns, columnWidths: Object.fromEntries(widths) }
  }
  const renamed = { ...view, columns }
  for (const name of ['targetDefinition', 'coverDefinition', 'coverDefinitionDark'] as const) {
    const id = view[name]
    if (id !== undefined) renamed[name] = column(id)
  }
  return renamed
}

type Named = { id: string; face: string }

/** Same face first, in order; then same place; a name is given once. */
function matchNames(now: readonly Named[], before: readonly Named[]): Map<string, string> {
  const names = new Map<string, string>()
  const free = new Map(before.map((old, index) => [old.id, index]))
  const byFace = new Map<string, string[]>()
  for (const old of before.toReversed()) {
    const ids = byFace.get(old.face)
    if (ids === undefined) byFace.set(old.face, [old.id])
    else ids.push(old.id)
  }
  for (const { id, face } of now) {
    const match = byFace.get(face)?.pop()
    if (match === undefined) continue
    names.set(id, match)
    free.delete(match)
  }
  now.forEach(({ id }, index) => {
    const old = before[index]
    if (names.has(id) || old === undefined || !free.has(old.id)) return
    names.set(id, old.id)
    free.delete(old.id)
  })
  const taken = new Set(names.values())
  for (const { id } of now) {
    if (names.has(id)) continue
    let name = id
    for (let count = 2; taken.has(name); count += 1) name = `${id}-${count}`
    taken.add(name)
    names.set(id, name)
  }
  return names
}

/** What each row says. */
function rowFaces(table: Table): Named[] {
  const cells = new Map(table.fragments.map((cell) => [cell.fragment, cell]))
  const columns = columnsOf(table)
  return rowsOf(table).map(([id, row]) => {
    const face = columns.map((column) => {
      const value = row.values[column.id]
      const cell = column.type === 'text' && typeof value === 'string' ? cells.get(value) : undefined
      return cell === undefined ? JSON.stringify(value ?? null) : fragmentText(cell)
    })
    return { id, face: face.join('\u0000') }
  })
}
