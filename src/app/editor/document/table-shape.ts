/**
 * Tables stay tables, whatever is pasted, deleted or merged into them: every row has a name of its own and one cell for each
 * column, in the order of the columns. Texts that belong to no column any more are kept in the first text cell.
 */
import type { Node as EditorNode } from 'prosemirror-model'
import { Plugin, type Transaction } from 'prosemirror-state'
import type { TableDefinition } from '../../../core/document/tree/nodes.ts'
import { cellName } from '../../../core/document/tree/table/table-ids.ts'
import { emptyCell } from './table-rows.ts'

export function tableShapePlugin({ makeKey }: { makeKey(): string }): Plugin {
  return new Plugin({
    appendTransaction: (transactions, before, after) => {
      if (!transactions.some((transaction) => transaction.docChanged)) return null
      const tr = after.tr
      changedTables(before.doc, after.doc, (table, pos) => mendTable(tr, table, pos, makeKey))
      return tr.docChanged ? tr : null
    },
  })
}

const sound = new WeakSet<EditorNode>()

/** Tables in top-level blocks that are not what they were. */
function changedTables(before: EditorNode, after: EditorNode, visit: (table: EditorNode, pos: number) => void): void {
  const same = new Set(before.children)
  after.forEach((block, offset) => {
    if (same.has(block)) return
    if (block.type.name === 'table') visit(block, offset)
    block.descendants((node, pos) => {
      if (node.type.name === 'table') visit(node, offset + 1 + pos)
      return !node.isTextblock
    })
  })
}

/** The columns of a table in the order in which its cells stand: those shown, then the hidden ones. */
export function columnsOfNode(table: EditorNode): TableDefinition[] {
  const { view, definition }: { view: { columns: string[] }; definition: Record<string, TableDefinition> } =
    table.attrs.data
  const shown = [...new Set(view.columns)].flatMap((id) => definition[id] ?? [])
  const isShown = new Set(shown.map(({ id }) => id))
  return [...shown, ...Object.values(definition).filter(({ id }) => !isShown.has(id))]
}

function mendTable(tr: Transaction, table: EditorNode, pos: number, makeKey: () => string): void {
  if (sound.has(table)) return
  const columns = columnsOfNode(table)
  const ids = new Set<string>()
  table.forEach((row, offset) => {
    const id: string = row.attrs.id !== '' && !ids.has(row.attrs.id) ? row.attrs.id : makeKey()
    ids.add(id)
    if (id === row.attrs.id && isShaped(row, columns)) return
    const at = tr.mapping.map(pos + 1 + offset)
    tr.replaceWith(at, at + row.nodeSize, row.type.create({ ...row.attrs, id }, cellsOf(row, columns, id)))
  })
  sound.add(table)
}

function isShaped(row: EditorNode, columns: readonly TableDefinition[]): boolean {
  return (
    row.childCount === columns.length &&
    columns.every((column, at) => {
      const cell = row.child(at)
      return cell.attrs.column === column.id && fits(cell, column)
    })
  )
}

const fits = (cell: EditorNode, column: TableDefinition): boolean =>
  (cell.type.name === 'table_text') === (column.type === 'text')

function cellsOf(row: EditorNode, columns: readonly TableDefinition[], id: string): EditorNode[] {
  const left = [...row.children]
  const take = (wanted: (cell: EditorNode) => boolean): EditorNode | undefined => {
    const at = left.findIndex(wanted)
    return at < 0 ? undefined : left.splice(at, 1)[0]
  }
  const own = columns.map((column) => take((cell) => cell.attrs.column === column.id && fits(cell, column)))
  const cells = columns.map((column, at) => {
    const cell = own[at] ?? (column.type === 'text' ? take((other) => other.type.name === 'table_text') : undefined)
    if (cell === undefined) return column.type === 'text' ? emptyCell(id, column.id) : emptyValue(row, column)
    if (column.type !== 'text') return cell
    const name = id === row.attrs.id && cell.attrs.column === column.id ? cell.attrs.name : cellName(id, column.id)
    return cell.type.create({ ...cell.attrs, column: column.id, name }, cell.content)
  })
  const texts = left.filter((cell) => cell.type.name === 'table_text' && cell.textContent !== '')
  const first = cells.findIndex((cell) => cell.type.name === 'table_text')
  const target = cells[first]
  if (target !== undefined)
    for (const text of texts) cells[first] = target.copy((cells[first] ?? target).content.append(text.content))
  return cells
}

function emptyValue(row: EditorNode, column: TableDefinition): EditorNode {
  const type = row.type.schema.nodes.table_value
  if (type === undefined) throw new Error('The schema has no table_value.')
  return type.create({ column: column.id, value: null })
}
