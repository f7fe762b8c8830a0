/** A table's records and fragments as rows of cells, and back. */
import type { Node as EditorNode } from 'prosemirror-model'
import type {
  Fragment,
  Node,
  Table,
  TableDefinition,
  TableRecord,
  TableValue,
} from '../../../core/document/tree/nodes.ts'
import { cellName, columnsOf, rowsOf } from '../../../core/document/tree/table/table-ids.ts'
import { orderBetween } from './order-index.ts'
import { schema } from './schema.ts'

export function tableRows(table: Table, blockNode: (block: Node) => EditorNode): EditorNode[] {
  const columns = columnsOf(table)
  const cells = new Map(table.fragments.map((cell) => [cell.fragment, cell]))
  return rowsOf(table).map(([id, record]) => {
    const nodes = columns.map((column) => cellNode({ id, record, column, cells }, blockNode))
    return create('table_row', { id, orderIndex: record.orderIndex }, nodes)
  })
}

interface Cell {
  id: string
  record: TableRecord
  column: TableDefinition
  cells: ReadonlyMap<string, Fragment<'table-cell'>>
}

function cellNode({ id, record, column, cells }: Cell, blockNode: (block: Node) => EditorNode): EditorNode {
  const value = record.values[column.id]
  if (column.type !== 'text') return create('table_value', { column: column.id, value: value ?? null }, [])
  const cell = typeof value === 'string' ? cells.get(value) : undefined
  if (cell === undefined || cell.nodes.length === 0) return emptyCell(id, column.id)
  const attrs = { key: cell.key ?? null, name: cell.fragment, column: column.id }
  return create('table_text', attrs, cell.nodes.map(blockNode))
}

export function emptyCell(row: string, column: string): EditorNode {
  return create('table_text', { key: null, name: cellName(row, column), column }, [create('paragraph', {}, [])])
}

/** The table's data and fragments from its rows. Rows that were moved or added get a place in the order between their neighbours. */
export function tableOf(
  node: EditorNode,
  toBlocks: (parent: EditorNode) => Node[],
): { data: object; fragments: object[] } {
  const records: Record<string, TableRecord> = {}
  const fragments: object[] = []
  const names = new Set<string>()
  const orders = orderOf(node)
  node.forEach((row, _, index) => {
    const values: Record<string, TableValue> = {}
    row.forEach((cell) => {
      const { column, value, key } = cell.attrs
      if (cell.type.name === 'table_value') {
        if (value !== null) values[column] = value
        return
      }
      const name = freeName(names, [cell.attrs.name, cellName(row.attrs.id, column)])
      values[column] = name
      fragments.push({
        object: 'fragment',
        ...(key === null ? {} : { key }),
        fragment: name,
        type: 'table-cell',
        nodes: toBlocks(cell),
      })
    })
    records[row.attrs.id] = { orderIndex: orders[index] ?? '', values }
  })
  return { data: { ...node.attrs.data, records }, fragments }
}

/** The first name that no cell has yet: a cell that was copied brings the name of the one it was copied from. */
function freeName(names: Set<string>, wanted: readonly [own: string, usual: string]): string {
  let name = wanted.find((candidate) => candidate !== '' && !names.has(candidate))
  for (let count = 2; name === undefined; count += 1)
    if (!names.has(`${wanted[1]}-${count}`)) name = `${wanted[1]}-${count}`
  names.add(name)
  return name
}

/** The order of the rows as strings: those that are in order keep theirs. */
function orderOf(table: EditorNode): string[] {
  const orders: string[] = []
  table.forEach((row, _, index) => {
    const own: string = row.attrs.orderIndex
    const before = orders.at(-1)
    const isInOrder = own !== '' && (before === undefined || own > before)
    const after = isInOrder ? undefined : nextAbove(table, index, before)
    orders.push(isInOrder ? own : orderBetween(before, after))
  })
  return orders
}

function nextAbove(table: EditorNode, index: number, before: string | undefined): string | undefined {
  for (let at = index + 1; at < table.childCount; at += 1) {
    const order: string = table.child(at).attrs.orderIndex
    if (order !== '' && (before === undefined || order > before)) return order
  }
  return undefined
}

function create(name: string, attrs: Record<string, unknown>, content: EditorNode[]): EditorNode {
  const type = schema.nodes[name]
  if (type === undefined) throw new Error(`The schema has no ${name}.`)
  return type.create(attrs, content)
}
