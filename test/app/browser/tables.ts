/** Tables for the tests of the editor: made of columns and rows, and read back as such. */
import { fragment, paragraph } from '../../../src/core/document/tree/make.ts'
import type { Block, Table, TableDefinition, TableValue } from '../../../src/core/document/tree/nodes.ts'
import { cellName, orderIndexAt, rowId } from '../../../src/core/document/tree/table/table-ids.ts'

export const textColumn = (id: string, title: string): TableDefinition => ({
  id,
  title,
  type: 'text',
  textAlignment: 'left',
})

/** A string is the words of a text column; anything else is a value. */
export function makeTable(
  columns: readonly TableDefinition[],
  rows: readonly (readonly TableValue[])[],
  data: Partial<Table['data']> = {},
): Table {
  const fragments: Table['fragments'] = []
  const records = rows.map((cells, at) => {
    const id = rowId(at)
    const values = columns.map(({ id: column, type }, index) => {
      const value = cells[index] ?? null
      if (type !== 'text' || typeof value !== 'string') return [column, value]
      const name = cellName(id, column)
      fragments.push(fragment('table-cell', [paragraph(value)], name))
      return [column, name]
    })
    return [id, { orderIndex: orderIndexAt(at), values: Object.fromEntries(values) }]
  })
  return {
    object: 'block',
    type: 'table',
    isVoid: true,
    data: {
      view: { type: 'grid', columns: columns.map(({ id }) => id), hideHeader: false },
      definition: Object.fromEntries(columns.map((column) => [column.id, column])),
      records: Object.fromEntries(records),
      ...data,
    },
    fragments,
  }
}

/** The cells of the first table as they were saved, by row and shown column: words, or the value of a typed one. */
export function cellsOf(blocks: readonly Block[]): unknown[][] {
  const table = blocks.find((block): block is Table => block.type === 'table')
  if (table === undefined) return []
  const { view, definition, records } = table.data
  const words = new Map(table.fragments.map(({ fragment: name, nodes }) => [name, wordsOf(nodes)]))
  return Object.values(records)
    .sort((a, b) => (a.orderIndex < b.orderIndex ? -1 : 1))
    .map(({ values }) =>
      view.columns.map((id) =>
        definition[id]?.type === 'text' ? (words.get(String(values[id])) ?? '') : (values[id] ?? null),
      ),
    )
}

/** All texts within, one after another. */
function wordsOf(node: unknown): string {
  if (Array.isArray(node)) return node.map(wordsOf).join('')
  if (typeof node !== 'object' || node === null) return ''
  if ('text' in node && typeof node.text === 'string') return node.text
  return [...('nodes' in node ? [node.nodes] : []), ...('leaves' in node ? [node.leaves] : [])].map(wordsOf).join('')
}
