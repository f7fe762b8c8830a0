/**
 * Cells that are pasted into a table fill its cells, from the one with the cursor on; the table grows where they need more.
 *
 * 1. A column keeps its type: what it cannot hold leaves its cell as it was, and is counted.
 * 2. Nothing that is filled stays covered: cells that reached over it are single cells again.
 */
import { type Node as EditorNode, Fragment, Slice } from 'prosemirror-model'
import { type EditorState, Selection, type Transaction } from 'prosemirror-state'
import type { TableCellMerge, TableDefinition, TableValue } from '../../../core/document/tree/nodes.ts'
import { plainValue, readValue } from '../blocks/cell-values.ts'
import { cellPos, tableAround } from '../blocks/table-commands.ts'
import { nodeType } from '../commands.ts'
import { schema } from '../document/schema.ts'
import { emptyCell } from '../document/table-rows.ts'
import { columnsOfNode } from '../document/table-shape.ts'
import { randomKey } from '../random-key.ts'

export interface Filled {
  tr: Transaction
  /** How many cells were left as they were, since their column cannot hold what was pasted. */
  refused: number
}

export interface PastedCells {
  /** By row and column; nothing where the cell stays as it is. */
  rows: readonly (readonly (EditorNode | undefined)[])[]
  /** As they were where they come from. */
  columns: readonly TableDefinition[]
  merges: readonly { row: number; column: number; rowSpan: number; colSpan: number }[]
}

/** Nothing, where something else than the cells of one table was pasted. A head that was only guessed is cells too. */
export function cellsIn(slice: Slice, { headIsCells }: { headIsCells: boolean }): PastedCells | undefined {
  const table = tableIn(slice)
  if (table === undefined) return undefined
  const {
    view,
    cellMerges = [],
  }: { view: { columns: string[]; hideHeader?: boolean }; cellMerges?: TableCellMerge[] } = table.attrs.data
  const shown = columnsOfNode(table).slice(0, new Set(view.columns).size)
  const isThere = shown.map(({ id }) => table.children.some((row) => row.children.some(isOf(id))))
  const first = Math.max(0, isThere.indexOf(true))
  const columns = shown.slice(first, isThere.lastIndexOf(true) + 1)
  const hasHead = headIsCells && view.hideHeader !== true && columns.some(({ title }) => title !== '')
  const rows = table.children.map((row) => columns.map(({ id }) => row.children.find(isOf(id))))
  if (hasHead) rows.unshift(columns.map(({ id, title }) => textCell(emptyCell('', id), title)))
  const merges = cellMerges.flatMap(({ anchor, rowSpan = 1, colSpan = 1 }) => {
    const row = table.children.findIndex(({ attrs }) => attrs.id === anchor.record)
    const column = columns.findIndex(({ id }) => id === anchor.column)
    return row < 0 || column < 0 ? [] : [{ row: row + (hasHead ? 1 : 0), column, rowSpan, colSpan }]
  })
  if (rows.length === 0 || columns.length === 0) return undefined
  return { rows, columns: hasHead ? columns.map((column) => ({ ...column, title: '' })) : columns, merges }
}

/** What programs write that know cells but no HTML. */
export function cellsOfText(text: string): PastedCells | undefined {
  if (!text.includes('\t')) return undefined
  const lines = text.replace(/\r\n?/g, '\n').replace(/\n$/, '').split('\n')
  const words = lines.map((line) => line.split('\t'))
  const width = Math.max(...words.map((line) => line.length))
  const columns = Array.from({ length: width }, (_, at) => textColumn(`c${at}`))
  return {
    rows: words.map((line) => columns.map(({ id }, at) => textCell(emptyCell('', id), (line[at] ?? '').trim()))),
    columns,
    merges: [],
  }
}

/** Nothing, where the cursor is in no table. */
export function fillCells(state: EditorState, pasted: PastedCells, locale: string): Filled | undefined {
  const around = tableAround(state)
  if (around === undefined) return undefined
  const isInWords = state.selection.$from.parent.isTextblock
  if (isInWords && pasted.rows.length === 1 && pasted.columns.length === 1) return fillWords(state, pasted)
  const { table, pos } = around
  const { data } = table.attrs
  const shown = columnsOfNode(table).slice(0, new Set<string>(data.view.columns).size)
  const from = { row: around.row, column: Math.min(around.column, shown.length) }
  const grown = pasted.columns.slice(shown.length - from.column).map((column) => ({ ...column, id: randomKey(8) }))
  const definition: Record<string, TableDefinition> = {
    ...data.definition,
    ...Object.fromEntries(grown.map((column) => [column.id, column])),
  }
  const ids = [...shown.map(({ id }) => id), ...grown.map(({ id }) => id)]
  let refused = 0
  const rows = Array.from({ length: Math.max(table.childCount, from.row + pasted.rows.length) }, (_, at) => {
    const row = table.maybeChild(at) ?? nodeType('table_row').create({ id: randomKey(8) })
    const cells = ids.map((id, index) => {
      const column = definition[id] ?? textColumn(id)
      const own = row.children.find(isOf(id)) ?? emptyOf(column, row.attrs.id)
      const source = pasted.columns[index - from.column]
      const cell = pasted.rows[at - from.row]?.[index - from.column]
      if (source === undefined || cell === undefined) return own
      const filled = fillCell(own, { column, locale }, { cell, column: source })
      if (filled === undefined) refused += 1
      else definition[id] = filled.column
      return filled?.cell ?? own
    })
    const hidden = row.children.filter(({ attrs }) => !ids.includes(attrs.column))
    return row.copy(Fragment.from([...cells, ...hidden]))
  })
  const cellMerges = mergesAfter(data.cellMerges ?? [], pasted, { from, rows, ids })
  const next = table.type.create(
    {
      ...table.attrs,
      data: {
        ...data,
        view: { ...data.view, columns: ids },
        definition,
        ...(cellMerges.length === 0 && data.cellMerges === undefined ? {} : { cellMerges }),
      },
    },
    rows,
  )
  const tr = state.tr.replaceWith(pos, pos + table.nodeSize, next)
  const last = { row: from.row + pasted.rows.length - 1, column: from.column + pasted.columns.length - 1 }
  const end = cellPos({ table: next, pos }, last.row, last.column) + next.child(last.row).child(last.column).nodeSize
  return { tr: tr.setSelection(Selection.near(tr.doc.resolve(end - 1), -1)), refused }
}

const isOf =
  (id: string) =>
  ({ attrs }: EditorNode): boolean =>
    attrs.column === id

/** The one table of a slice, which may be cut out of what is around it; lines without words beside it do not count. */
function tableIn({ content, openStart, openEnd }: Slice): EditorNode | undefined {
  let nodes = content.content
  for (let depth = 0; ; depth += 1) {
    const [only, more] = nodes.filter((node) => !isBlank(node))
    if (only === undefined || more !== undefined) return undefined
    if (only.type.name === 'table') return only
    if (depth >= openStart || depth >= openEnd) return undefined
    nodes = only.children
  }
}

const isBlank = (node: EditorNode): boolean =>
  node.isTextblock && node.children.every((child) => child.isText && (child.text ?? '').trim() === '')

/** One cell is words like any others: they go where the cursor is. */
function fillWords(state: EditorState, { rows, columns }: PastedCells): Filled | undefined {
  const [cell] = rows[0] ?? []
  const [column] = columns
  if (cell === undefined || column === undefined) return undefined
  const content = cell.type.name === 'table_text' ? cell.content : Fragment.from(paragraphsOf(cell, column))
  return { tr: state.tr.replaceSelection(Slice.maxOpen(content)), refused: 0 }
}

interface Source {
  cell: EditorNode
  column: TableDefinition
}

/** The cell as it is filled, and its column, which may have learned an option. */
function fillCell(
  own: EditorNode,
  { column, locale }: { column: TableDefinition; locale: string },
  source: Source,
): { cell: EditorNode; column: TableDefinition } | undefined {
  if (column.type === 'text') {
    const content =
      source.cell.type.name === 'table_text'
        ? source.cell.content
        : Fragment.from(paragraphsOf(source.cell, source.column))
    return { cell: own.copy(content), column }
  }
  const value = valueFor(column, source, locale)
  if (value === undefined) return undefined
  const cell = own.type.create({ ...own.attrs, value })
  return { cell, column: column.type === 'select' ? withOptions(column, value) : column }
}

function valueFor(column: TableDefinition, source: Source, locale: string): TableValue | undefined {
  const { cell } = source
  if (cell.type.name === 'table_value') {
    if (source.column.type === column.type && column.type !== 'select') return cell.attrs.value
    return readValue(column, plainValue(cell.attrs.value, source.column), locale)
  }
  const words = cell.textBetween(0, cell.content.size, '\n').trim()
  const ref = refIn(cell, column.type)
  return ref ?? readValue(column, words, locale)
}

/** What a cell of words leads to, or the picture in it. */
function refIn(cell: EditorNode, type: TableDefinition['type']): TableValue | undefined {
  if (type !== 'content-ref' && type !== 'image') return undefined
  let found: TableValue | undefined
  cell.descendants((node) => {
    const ref =
      type === 'image'
        ? node.type.name === 'image' && node.attrs.data.ref
        : node.marks.find((mark) => mark.type.name === 'link')?.attrs.data.ref
    if (ref && (ref.kind !== 'url' || /^https?:/i.test(ref.url))) found ??= ref
    return found === undefined
  })
  return found
}

/** What was chosen and is no option yet becomes one, as long as there is room. */
function withOptions(column: Extract<TableDefinition, { type: 'select' }>, value: TableValue): TableDefinition {
  const known = new Set(column.options.map((option) => option.value))
  const chosen = (Array.isArray(value) ? value : []).filter((one): one is string => typeof one === 'string')
  const options = chosen
    .filter((one) => !known.has(one))
    .map((one) => ({ value: one, label: one, color: 'default' as const }))
  return options.length === 0 ? column : { ...column, options: [...column.options, ...options] }
}

/** People and pages of a typed cell are mentioned in words; anything else is its words. */
function paragraphsOf(cell: EditorNode, column: TableDefinition): EditorNode[] {
  const { value } = cell.attrs
  const refs =
    column.type === 'users' && Array.isArray(value)
      ? value.map((user) => ({ kind: 'user', user }))
      : column.type === 'content-ref' && value !== null
        ? [value]
        : []
  const words = plainValue(value, column)
  const content =
    refs.length > 0
      ? refs.map((ref) => nodeType('mention').create({ data: { ref } }))
      : words === ''
        ? []
        : [schema.text(words)]
  return [nodeType('paragraph').create(null, content)]
}

const textColumn = (id: string): TableDefinition => ({ id, title: '', type: 'text', textAlignment: 'left' })

const textCell = (empty: EditorNode, words: string): EditorNode =>
  words === '' ? empty : empty.copy(Fragment.from(nodeType('paragraph').create(null, schema.text(words))))

const emptyOf = ({ id, type }: TableDefinition, row: string): EditorNode =>
  type === 'text' ? emptyCell(row, id) : nodeType('table_value').create({ column: id, value: null })

interface FilledPart {
  from: { row: number; column: number }
  rows: readonly EditorNode[]
  ids: readonly string[]
}

function mergesAfter(
  own: readonly TableCellMerge[],
  pasted: PastedCells,
  { from, rows, ids }: FilledPart,
): TableCellMerge[] {
  const bottom = from.row + pasted.rows.length
  const right = from.column + pasted.columns.length
  const isApart = ({ anchor, rowSpan = 1, colSpan = 1 }: TableCellMerge): boolean => {
    const row = rows.findIndex(({ attrs }) => attrs.id === anchor.record)
    const column = ids.indexOf(anchor.column)
    return row >= bottom || row + rowSpan <= from.row || column >= right || column + colSpan <= from.column
  }
  const fresh = pasted.merges.flatMap(({ row, column, rowSpan, colSpan }): TableCellMerge[] => {
    const record: string | undefined = rows[from.row + row]?.attrs.id
    const anchor = ids[from.column + column]
    return record === undefined || anchor === undefined
      ? []
      : [
          {
            anchor: { record, column: anchor },
            ...(rowSpan > 1 ? { rowSpan } : {}),
            ...(colSpan > 1 ? { colSpan } : {}),
          },
        ]
  })
  return [...own.filter(isApart), ...fresh]
}
