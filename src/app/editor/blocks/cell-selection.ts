/**
 * What is selected from one cell of a table to another is the rectangle between them, as in a spreadsheet.
 *
 * 1. It keeps the ends of the words that were selected: the browser goes on to extend it, and back in one cell it is words again.
 * 2. Whatever replaces it leaves the table as it is: cells are emptied, and what is put in their place goes into the first.
 */
import { type Node as EditorNode, Fragment, type ResolvedPos, Slice } from 'prosemirror-model'
import {
  type Command,
  type EditorState,
  Plugin,
  Selection,
  type SelectionBookmark,
  SelectionRange,
  TextSelection,
  type Transaction,
} from 'prosemirror-state'
import type { Mappable } from 'prosemirror-transform'
import { Decoration, DecorationSet, type EditorView } from 'prosemirror-view'
import type { TableCellMerge } from '../../../core/document/tree/nodes.ts'
import { columnsOfNode } from '../document/table-shape.ts'

interface Cells {
  table: EditorNode
  /** Of the table. */
  pos: number
  rows: readonly [first: number, last: number]
  columns: readonly [first: number, last: number]
}

interface PartData {
  view: object
  cellMerges?: TableCellMerge[]
}

export class CellSelection extends Selection {
  readonly cells: Cells

  constructor($anchor: ResolvedPos, $head: ResolvedPos, cells: Cells) {
    super($anchor, $head, rangesOf($anchor.node(0), cells))
    this.cells = cells
    // The cells are drawn as selected instead of their words.
    this.visible = false
  }

  /** Nothing, where the two are not in different cells of one table. */
  static between($anchor: ResolvedPos, $head: ResolvedPos): CellSelection | undefined {
    const cells = cellsBetween($anchor, $head)
    return cells && new CellSelection($anchor, $head, cells)
  }

  override eq(other: Selection): boolean {
    return other instanceof CellSelection && other.anchor === this.anchor && other.head === this.head
  }

  override map(doc: EditorNode, mapping: Mappable): Selection {
    return restore(doc, mapping.map(this.anchor), mapping.map(this.head))
  }

  override content(): Slice {
    const { table, rows, columns } = this.cells
    const { cellMerges: merges = [], ...data }: PartData = table.attrs.data
    const shown = columnsOfNode(table).slice(columns[0], columns[1] + 1)
    const chosen = table.children.slice(rows[0], rows[1] + 1)
    const cellMerges = merges.filter(
      ({ anchor }) =>
        shown.some(({ id }) => id === anchor.column) && chosen.some(({ attrs }) => attrs.id === anchor.record),
    )
    const part = {
      ...data,
      view: { ...data.view, columns: shown.map(({ id }) => id) },
      definition: Object.fromEntries(shown.map((column) => [column.id, column])),
      ...(cellMerges.length === 0 ? {} : { cellMerges }),
    }
    const copies = chosen.map((row) => row.copy(Fragment.from(row.children.slice(columns[0], columns[1] + 1))))
    return new Slice(Fragment.from(table.type.create({ key: null, data: part }, copies)), 0, 0)
  }

  override replace(tr: Transaction, content = Slice.empty): void {
    const [first] = this.ranges
    for (const { $from, $to } of this.ranges.toReversed()) {
      const cell = $from.parent
      if (cell.type.name === 'table_text')
        tr.replaceWith($from.pos, $to.pos, cell.type.createAndFill()?.content ?? Fragment.empty)
      else tr.setNodeAttribute($from.pos, 'value', null)
    }
    if (first === undefined) return
    tr.setSelection(Selection.near(tr.doc.resolve(first.$from.pos), 1))
    if (content.size > 0) tr.replaceSelection(content)
  }

  override replaceWith(tr: Transaction, node: EditorNode): void {
    this.replace(tr)
    tr.replaceSelectionWith(node, true)
  }

  override getBookmark(): SelectionBookmark {
    return bookmark(this.anchor, this.head)
  }

  override toJSON(): unknown {
    return { type: 'cells', anchor: this.anchor, head: this.head }
  }

  static override fromJSON(doc: EditorNode, json: { anchor: number; head: number }): Selection {
    return restore(doc, json.anchor, json.head)
  }
}
Selection.jsonID('cells', CellSelection)

/** Shift and an arrow: one cell more or less. From the words of a cell it leads to the next one where they end. */
export function extendCells(rowStep: -1 | 0 | 1, columnStep: -1 | 0 | 1): Command {
  return (state, dispatch, view) => {
    const { selection } = state
    const { $anchor, $head } = selection
    const isCells = selection instanceof CellSelection
    const direction = rowStep + columnStep > 0 ? 1 : -1
    const isAtEdge =
      isCells || (rowStep !== 0 && selection instanceof TextSelection && isLastLine($head, direction, state, view))
    const target = isAtEdge ? cellBeside($head, rowStep, columnStep) : undefined
    if (target === undefined) return isCells
    const near = Selection.findFrom(state.doc.resolve(target.inside), 1) ?? selection
    const next = CellSelection.between($anchor, near.$from) ?? TextSelection.between($anchor, $anchor)
    if (dispatch) dispatch(state.tr.setSelection(next).scrollIntoView())
    return true
  }
}

/** Whether there is nothing more of the cell in this direction. */
function isLastLine($head: ResolvedPos, direction: 1 | -1, state: EditorState, view: EditorView | undefined): boolean {
  const depth = depthOfCell($head)
  if (depth === undefined || view === undefined) return false
  for (let inner = depth; inner < $head.depth; inner += 1)
    if ($head.index(inner) !== (direction > 0 ? $head.node(inner).childCount - 1 : 0)) return false
  return view.endOfTextblock(direction > 0 ? 'down' : 'up', state)
}

function depthOfCell($pos: ResolvedPos): number | undefined {
  for (let depth = $pos.depth; depth > 1; depth -= 1) if ($pos.node(depth).type.name === 'table_text') return depth
  return undefined
}

/** A position in the cell so many rows and columns away; nothing at the edge of the table. */
function cellBeside($pos: ResolvedPos, rowStep: number, columnStep: number): { inside: number } | undefined {
  for (let depth = $pos.depth - 1; depth > 0; depth -= 1) {
    const table = $pos.node(depth)
    if (table.type.name !== 'table') continue
    const row = $pos.index(depth) + rowStep
    const column = $pos.index(depth + 1) + columnStep
    const shown = new Set(table.attrs.data.view.columns).size
    if (row < 0 || row >= table.childCount || column < 0 || column >= shown) return undefined
    const [found] = positionsOf({ table, pos: $pos.before(depth), rows: [row, row], columns: [column, column] })
    return found && { inside: found.cell.type.name === 'table_text' ? found.pos + 1 : found.pos }
  }
  return undefined
}

/** Words that are selected over cells select the cells, which are drawn so. */
export const cellSelection = (): Plugin =>
  new Plugin({
    props: {
      createSelectionBetween: (_, $anchor, $head) => CellSelection.between($anchor, $head) ?? null,
      decorations: drawCells,
    },
  })

function drawCells({ doc, selection }: EditorState): DecorationSet | null {
  if (!(selection instanceof CellSelection)) return null
  const { cells } = selection
  const drawn = positionsOf(cells).map(({ pos, cell }) =>
    Decoration.node(pos, pos + cell.nodeSize, { class: 'ed-selected' }),
  )
  return DecorationSet.create(doc, drawn)
}

function bookmark(anchor: number, head: number): SelectionBookmark {
  return {
    map: (mapping) => bookmark(mapping.map(anchor), mapping.map(head)),
    resolve: (doc) => restore(doc, anchor, head),
  }
}

function restore(doc: EditorNode, anchor: number, head: number): Selection {
  const $anchor = doc.resolve(anchor)
  const $head = doc.resolve(head)
  return CellSelection.between($anchor, $head) ?? TextSelection.between($anchor, $head)
}

/** The innermost table that both are in, and the cells between them. */
function cellsBetween($anchor: ResolvedPos, $head: ResolvedPos): Cells | undefined {
  for (let depth = $anchor.sharedDepth($head.pos); depth > 0; depth -= 1) {
    const table = $anchor.node(depth)
    if (table.type.name !== 'table') continue
    if ($anchor.depth === depth || $head.depth === depth) return undefined
    const rows = inOrder($anchor.index(depth), $head.index(depth))
    const last = new Set(table.attrs.data.view.columns).size - 1
    const columns = inOrder($anchor.index(depth + 1), $head.index(depth + 1))
    const isOne = rows[0] === rows[1] && columns[0] === columns[1]
    if (isOne || columns[1] > last) return undefined
    return { table, pos: $anchor.before(depth), rows, columns }
  }
  return undefined
}

const inOrder = (one: number, other: number): [number, number] => (one < other ? [one, other] : [other, one])

function positionsOf({ table, pos, rows, columns }: Cells): { pos: number; cell: EditorNode }[] {
  const found: { pos: number; cell: EditorNode }[] = []
  table.forEach((row, rowOffset, rowIndex) => {
    if (rowIndex < rows[0] || rowIndex > rows[1]) return
    row.forEach((cell, offset, index) => {
      if (index >= columns[0] && index <= columns[1]) found.push({ pos: pos + 1 + rowOffset + 1 + offset, cell })
    })
  })
  return found
}

/** The first cell is the first range: what is put in place of all begins there. */
function rangesOf(doc: EditorNode, cells: Cells): SelectionRange[] {
  return positionsOf(cells).map(({ pos, cell }) =>
    cell.type.name === 'table_text'
      ? new SelectionRange(doc.resolve(pos + 1), doc.resolve(pos + 1 + cell.content.size))
      : new SelectionRange(doc.resolve(pos), doc.resolve(pos + cell.nodeSize)),
  )
}
