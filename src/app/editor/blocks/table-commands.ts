/** What one can do to tables: rows and columns added, moved, deleted; columns of another type; cells by Tab. */
import { type Node as EditorNode, Fragment } from 'prosemirror-model'
import { type Command, type EditorState, Selection, TextSelection, type Transaction } from 'prosemirror-state'
import type { TableDefinition, TableDefinitionType } from '../../../core/document/tree/nodes.ts'
import { emptyCell } from '../document/table-rows.ts'
import { columnsOfNode } from '../document/table-shape.ts'
import { randomKey } from '../random-key.ts'
import { plainValue, readValue } from './cell-values.ts'

interface TablePosition {
  table: EditorNode
  pos: number
  row: number
  column: number
}

/** The table around the cursor, and the cell. */
export function tableAround(state: EditorState): TablePosition | undefined {
  const { $from } = state.selection
  for (let depth = $from.depth; depth > 0; depth -= 1) {
    const table = $from.node(depth)
    if (table.type.name !== 'table') continue
    return {
      table,
      pos: $from.before(depth),
      row: $from.index(depth),
      column: depth < $from.depth ? $from.index(depth + 1) : 0,
    }
  }
  return undefined
}

/** Where the n-th cell of a row begins. */
export function cellPos({ table, pos }: Pick<TablePosition, 'table' | 'pos'>, row: number, column: number): number {
  let at = pos + 1
  for (let index = 0; index < row; index += 1) at += table.child(index).nodeSize
  at += 1
  for (let index = 0; index < column; index += 1) at += table.child(row).child(index).nodeSize
  return at
}

export function goToNextCell(direction: 1 | -1): Command {
  return (state, dispatch) => {
    const position = tableAround(state)
    if (position === undefined || position.table.childCount === 0) return false
    const { table, pos } = position
    const width = table.firstChild?.childCount ?? 0
    const next = position.row * width + position.column + direction
    if (width === 0 || next < 0) return false
    if (next >= table.childCount * width) {
      if (dispatch) {
        const tr = insertRow(state.tr, pos, table.childCount)
        const fresh = tr.doc.nodeAt(pos)
        if (fresh) selectCell(tr, cellPos({ table: fresh, pos }, table.childCount, 0))
        dispatch(tr.scrollIntoView())
      }
      return true
    }
    if (dispatch)
      dispatch(selectCell(state.tr, cellPos(position, Math.floor(next / width), next % width)).scrollIntoView())
    return true
  }
}

function selectCell(tr: Transaction, pos: number): Transaction {
  const cell = tr.doc.nodeAt(pos)
  if (cell?.type.name !== 'table_text') return tr.setSelection(Selection.near(tr.doc.resolve(pos)))
  const from = Selection.findFrom(tr.doc.resolve(pos + 1), 1, true)
  const to = Selection.findFrom(tr.doc.resolve(pos + cell.nodeSize - 1), -1, true)
  return from && to ? tr.setSelection(TextSelection.create(tr.doc, from.from, to.to)) : tr
}

export function insertRow(tr: Transaction, pos: number, index: number): Transaction {
  const table = tr.doc.nodeAt(pos)
  if (table === null) return tr
  const id = randomKey(8)
  const cells = columnsOfNode(table).map((column) =>
    column.type === 'text' ? emptyCell(id, column.id) : make(table, 'table_value', { column: column.id, value: null }),
  )
  let at = pos + 1
  for (let earlier = 0; earlier < index; earlier += 1) at += table.child(earlier).nodeSize
  return tr.insert(at, make(table, 'table_row', { id }, cells))
}

export function deleteRow(tr: Transaction, pos: number, index: number): Transaction {
  const table = tr.doc.nodeAt(pos)
  const row = table?.maybeChild(index)
  if (!table || !row) return tr
  const at = cellPos({ table, pos }, index, 0) - 1
  return tr.delete(at, at + row.nodeSize)
}

export function moveRow(tr: Transaction, pos: number, index: number, to: number): Transaction {
  const table = tr.doc.nodeAt(pos)
  if (!table?.maybeChild(index) || !table.maybeChild(to)) return tr
  const rows = [...table.children]
  const [row] = rows.splice(index, 1)
  if (row) rows.splice(to, 0, row)
  return tr.replaceWith(pos + 1, pos + table.nodeSize - 1, Fragment.from(rows))
}

type Data = { view: { columns: string[]; type: string }; definition: Record<string, TableDefinition> }

/** Changes the columns; the rows follow (`table-shape.ts` brings the cells in order). */
function withData(tr: Transaction, pos: number, change: (data: Data) => Data): Transaction {
  const table = tr.doc.nodeAt(pos)
  return table === null ? tr : tr.setNodeAttribute(pos, 'data', change(table.attrs.data))
}

export function insertColumn(tr: Transaction, pos: number, index: number): Transaction {
  const id = randomKey(8)
  return withData(tr, pos, (data) => ({
    ...data,
    view: { ...data.view, columns: data.view.columns.toSpliced(index, 0, id) },
    definition: { ...data.definition, [id]: { id, title: '', type: 'text', textAlignment: 'left' } },
  }))
}

/** The column and its cells go; nothing of it is put into another. */
export function deleteColumn(tr: Transaction, pos: number, id: string): Transaction {
  dropCells(tr, pos, id)
  return withData(tr, pos, (data) => {
    const { [id]: _, ...definition } = data.definition
    const view: Record<string, unknown> = { ...data.view, columns: data.view.columns.filter((column) => column !== id) }
    for (const field of ['targetDefinition', 'coverDefinition', 'coverDefinitionDark'])
      if (view[field] === id) delete view[field]
    return { ...data, view: { ...data.view, ...view }, definition }
  })
}

export function moveColumn(tr: Transaction, pos: number, id: string, by: 1 | -1): Transaction {
  return withData(tr, pos, (data) => {
    const at = data.view.columns.indexOf(id)
    const to = at + by
    if (at < 0 || to < 0 || to >= data.view.columns.length) return data
    const columns = data.view.columns.toSpliced(at, 1).toSpliced(to, 0, id)
    return { ...data, view: { ...data.view, columns } }
  })
}

export function hideColumn(tr: Transaction, pos: number, id: string): Transaction {
  return withData(tr, pos, (data) =>
    data.view.columns.length < 2
      ? data
      : { ...data, view: { ...data.view, columns: data.view.columns.filter((column) => column !== id) } },
  )
}

export function setColumn(tr: Transaction, pos: number, id: string, fields: object): Transaction {
  return withData(tr, pos, (data) => {
    const column = data.definition[id]
    return column === undefined ? data : { ...data, definition: { ...data.definition, [id]: { ...column, ...fields } } }
  })
}

/** Another type for a column. Texts become values where they can be read as such, and values become texts. */
export function retypeColumn(
  tr: Transaction,
  pos: number,
  { id, type, locale }: { id: string; type: TableDefinitionType; locale: string },
): Transaction {
  const table = tr.doc.nodeAt(pos)
  if (table === null) return tr
  const column: TableDefinition | undefined = table.attrs.data.definition[id]
  if (column === undefined || column.type === type) return tr
  const texts = cellTexts(table, id)
  const definition = definitionOf(id, column.title, type, texts)
  const rows = table.children.map((row, index) => {
    const cells = row.children.map((cell) => {
      if (cell.attrs.column !== id) return cell
      const text = texts[index] ?? ''
      if (type !== 'text')
        return make(table, 'table_value', { column: id, value: readValue(definition, text, locale) ?? null })
      const empty = emptyCell(row.attrs.id, id)
      const line = empty.firstChild
      return text === '' || line === null
        ? empty
        : empty.copy(Fragment.from(line.copy(Fragment.from(row.type.schema.text(text)))))
    })
    return row.copy(Fragment.from(cells))
  })
  const data = { ...table.attrs.data, definition: { ...table.attrs.data.definition, [id]: definition } }
  return tr.replaceWith(pos, pos + table.nodeSize, table.type.create({ ...table.attrs, data }, rows))
}

function cellTexts(table: EditorNode, id: string): string[] {
  return table.children.map((row) => {
    const cell = row.children.find(({ attrs }) => attrs.column === id)
    if (cell === undefined) return ''
    if (cell.type.name === 'table_text') return cell.textBetween(0, cell.content.size, '\n').trim()
    return plainValue(cell.attrs.value, table.attrs.data.definition[id])
  })
}

function definitionOf(id: string, title: string, type: TableDefinitionType, texts: readonly string[]): TableDefinition {
  switch (type) {
    case 'text':
      return { id, title, type, textAlignment: 'left' }
    case 'rating':
      return { id, title, type, max: 5 }
    case 'users':
      return { id, title, type, multiple: true }
    case 'select': {
      const labels = [...new Set(texts.flatMap((text) => text.split(',').map((part) => part.trim())))].filter(
        (label) => label !== '',
      )
      return {
        id,
        title,
        type,
        multiple: false,
        options: labels.slice(0, 100).map((label) => ({ value: label, label, color: 'default' })),
      }
    }
    default:
      return { id, title, type }
  }
}

function dropCells(tr: Transaction, pos: number, id: string): void {
  const table = tr.doc.nodeAt(pos)
  if (table === null) return
  const rows = table.children.map((row) =>
    row.copy(Fragment.from(row.children.filter(({ attrs }) => attrs.column !== id))),
  )
  tr.replaceWith(pos + 1, pos + table.nodeSize - 1, Fragment.from(rows))
}

function make(table: EditorNode, name: string, attrs: object, content: EditorNode[] = []): EditorNode {
  const type = table.type.schema.nodes[name]
  if (type === undefined) throw new Error(`The schema has no ${name}.`)
  return type.create({ ...attrs }, content)
}
