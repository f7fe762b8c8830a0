/**
 * A table of pasted HTML: what stands in its cells stays as it was (marks, links, lists), and cells that reach over others
 * still do. The first row is the head where it is titles and nothing else.
 */
import { DOMParser, type Node as EditorNode, Fragment, type Schema } from 'prosemirror-model'
import type { TableCellMerge } from '../../../core/document/tree/nodes.ts'
import { cellName, columnId, orderIndexAt, rowId } from '../../../core/document/tree/table/table-ids.ts'

/** What is used of an element; the types of a browser are not known wherever the schema is. */
interface Queryable {
  textContent: string | null
  getAttribute(name: string): string | null
  matches(selectors: string): boolean
  closest(selectors: string): unknown
  querySelectorAll(selectors: string): Iterable<Queryable>
}
type DomNode = Parameters<DOMParser['parse']>[0]

interface Placed {
  cell: Queryable
  row: number
  column: number
  rowSpan: number
  colSpan: number
}

interface HtmlTable {
  placed: readonly Placed[]
  width: number
  height: number
  hasHead: boolean
}

/** Of more cells than this no page could be written in: they are pasted as words. */
const mostCells = 5_000
/** As many as a cell of a document may reach over. */
const widest = 50

const known = new WeakMap<object, HtmlTable | undefined>()

/** Nothing, where it is no table that can be shown. */
export function readHtmlTable(element: unknown): HtmlTable | undefined {
  if (!isQueryable(element)) return undefined
  if (!known.has(element)) known.set(element, placeCells(element))
  return known.get(element)
}

function isQueryable(element: unknown): element is Queryable {
  return typeof element === 'object' && element !== null && 'querySelectorAll' in element && 'closest' in element
}

function isNode(cell: unknown): cell is DomNode {
  return typeof cell === 'object' && cell !== null && 'nodeType' in cell
}

function placeCells(table: Queryable): HtmlTable | undefined {
  // Those of a table within a cell belong to that table.
  const own = (elements: Iterable<Queryable>): Queryable[] =>
    [...elements].filter((one) => one.closest('table') === table)
  const rows = own(table.querySelectorAll('tr'))
    .map((row) => own(row.querySelectorAll('th, td')))
    .filter((cells) => cells.length > 0)
  const taken = new Set<string>()
  const placed: Placed[] = []
  for (const [row, cells] of rows.entries()) {
    let column = 0
    for (const cell of cells) {
      while (taken.has(`${row} ${column}`)) column += 1
      const colSpan = spanOf(cell, 'colspan')
      const rowSpan = Math.min(spanOf(cell, 'rowspan'), rows.length - row)
      for (let down = 0; down < rowSpan; down += 1)
        for (let right = 0; right < colSpan; right += 1) taken.add(`${row + down} ${column + right}`)
      placed.push({ cell, row, column, rowSpan, colSpan })
      column += colSpan
      if (taken.size > mostCells) return undefined
    }
  }
  const width = placed.reduce((most, { column, colSpan }) => Math.max(most, column + colSpan), 0)
  if (width === 0 || width * rows.length > mostCells) return undefined
  const first = placed.filter(({ row }) => row === 0)
  const hasHead = rows.length > 1 && first.every(isTitle)
  return { placed, width, height: rows.length, hasHead }
}

function spanOf(cell: Queryable, name: string): number {
  const span = Number(cell.getAttribute(name) ?? 1)
  return Number.isInteger(span) && span >= 1 ? Math.min(span, widest) : 1
}

/** A title is one line of words: a head can hold nothing else. */
function isTitle({ cell, rowSpan }: Placed): boolean {
  const [more] = cell.querySelectorAll('img, a, code, pre, ul, ol, table, p + p')
  return rowSpan === 1 && more === undefined && !wordsOf(cell).includes('\n')
}

const wordsOf = (cell: Queryable): string => (cell.textContent ?? '').trim()

export function htmlTableData({ placed, width, hasHead }: HtmlTable): object {
  const columns = Array.from({ length: width }, (_, at) => columnId(at))
  const titles = new Map(placed.filter(({ row }) => hasHead && row === 0).map((one) => [one.column, wordsOf(one.cell)]))
  const definition = Object.fromEntries(
    columns.map((id, at) => [
      id,
      { id, title: titles.get(at) ?? '', type: 'text', textAlignment: alignmentOf({ placed, hasHead }, at) },
    ]),
  )
  const down = hasHead ? 1 : 0
  const cellMerges = placed.flatMap(({ row, column, rowSpan, colSpan }): TableCellMerge[] => {
    if (row < down || (rowSpan === 1 && colSpan === 1)) return []
    const anchor = { record: rowId(row - down), column: columnId(column) }
    return [{ anchor, ...(rowSpan > 1 ? { rowSpan } : {}), ...(colSpan > 1 ? { colSpan } : {}) }]
  })
  return {
    view: { type: 'grid', columns, hideHeader: !hasHead },
    definition,
    ...(cellMerges.length > 0 ? { cellMerges } : {}),
  }
}

/** Spreadsheets say it of each cell: where all with words agree, it is the column's. */
function alignmentOf({ placed, hasHead }: Pick<HtmlTable, 'placed' | 'hasHead'>, at: number): string {
  const body = placed.filter(
    ({ column, row, cell }) => column === at && row >= (hasHead ? 1 : 0) && wordsOf(cell) !== '',
  )
  const found = new Set(
    body.map(
      ({ cell }) =>
        cell.getAttribute('align') ?? /text-align:\s*(\w+)/i.exec(cell.getAttribute('style') ?? '')?.[1] ?? 'left',
    ),
  )
  const [only] = found
  return found.size === 1 && (only === 'right' || only === 'center') ? only : 'left'
}

export function htmlTableRows(schema: Schema, { placed, width, height, hasHead }: HtmlTable): Fragment {
  const down = hasHead ? 1 : 0
  const cells = new Map(placed.map((one) => [`${one.row} ${one.column}`, one.cell]))
  return Fragment.from(
    Array.from({ length: height - down }, (_, row) => {
      const id = rowId(row)
      const texts = Array.from({ length: width }, (_, at) => {
        const empty = nodeOf(schema, 'table_text', { name: cellName(id, columnId(at)), column: columnId(at) })
        return readCell(schema, empty, cells.get(`${row + down} ${at}`))
      })
      return nodeOf(schema, 'table_row', { id, orderIndex: orderIndexAt(row) }, texts)
    }),
  )
}

function readCell(schema: Schema, empty: EditorNode, cell: Queryable | undefined): EditorNode {
  const filled = () => empty.copy(Fragment.from(nodeOf(schema, 'paragraph', { data: {} })))
  if (!isNode(cell)) return filled()
  const read = DOMParser.fromSchema(schema).parse(cell, { topNode: empty, preserveWhitespace: 'full' })
  return read.childCount === 0 ? filled() : read
}

function nodeOf(schema: Schema, name: string, attrs: object, content: EditorNode[] = []): EditorNode {
  const type = schema.nodes[name]
  if (type === undefined) throw new Error(`The schema has no ${name}.`)
  return type.create({ ...attrs }, content)
}
