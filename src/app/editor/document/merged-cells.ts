/** Cells that reach over others do so while one writes as well; what they cover, and hidden columns, are not shown. */
import type { Node as EditorNode } from 'prosemirror-model'
import { Plugin, PluginKey } from 'prosemirror-state'
import { Decoration, DecorationSet } from 'prosemirror-view'
import type { TableCellMerge } from '../../../core/document/tree/nodes.ts'

const key = new PluginKey<DecorationSet>('merged-cells')

export const mergedCells = (): Plugin<DecorationSet> =>
  new Plugin<DecorationSet>({
    key,
    state: {
      init: (_, { doc }) => draw(doc),
      apply: (tr, set) => (tr.docChanged ? draw(tr.doc) : set),
    },
    props: { decorations: (state) => key.getState(state) },
  })

interface Shown {
  from: number
  to: number
  attrs: { rowspan?: string; colspan?: string; class?: string }
}

/** By block, from its own beginning: a block that stays the same is looked through once. */
const known = new WeakMap<EditorNode, readonly Shown[]>()

function draw(doc: EditorNode): DecorationSet {
  const all: Decoration[] = []
  doc.forEach((block, offset) => {
    const shown = known.get(block) ?? cellsIn(block)
    known.set(block, shown)
    for (const { from, to, attrs } of shown) all.push(Decoration.node(offset + from, offset + to, attrs))
  })
  return all.length === 0 ? DecorationSet.empty : DecorationSet.create(doc, all)
}

function cellsIn(block: EditorNode): Shown[] {
  const found: Shown[] = []
  const visit = (node: EditorNode, pos: number): boolean => {
    if (node.type.name === 'table') found.push(...cellsOf(node, pos))
    return !node.isTextblock
  }
  if (visit(block, 0)) block.descendants((node, pos) => visit(node, pos + 1))
  return found
}

interface ShownView {
  type: string
  columns: string[]
  targetDefinition?: string
  coverDefinition?: string
  coverDefinitionDark?: string
}

function cellsOf(table: EditorNode, pos: number): Shown[] {
  const { cellMerges = [], view }: { cellMerges?: TableCellMerge[]; view: ShownView } = table.attrs.data
  const columns = [...new Set(view.columns)]
  const width = table.firstChild?.childCount ?? 0
  if (cellMerges.length === 0 && width <= columns.length) return []
  const spans = view.type === 'grid' ? spansOf(table, cellMerges, columns) : new Map<string, Shown['attrs']>()
  // What a card leads to and its cover are chosen in it, though they are no part of its text.
  const parts = new Set([view.targetDefinition, view.coverDefinition, view.coverDefinitionDark])
  const shown: Shown[] = []
  table.forEach((row, rowOffset, rowIndex) => {
    row.forEach((cell, cellOffset, cellIndex) => {
      const isHidden = cellIndex >= columns.length && (view.type === 'grid' || !parts.has(cell.attrs.column))
      const attrs = isHidden ? { class: 'ed-covered' } : spans.get(`${rowIndex} ${cellIndex}`)
      const from = pos + 1 + rowOffset + 1 + cellOffset
      if (attrs !== undefined) shown.push({ from, to: from + cell.nodeSize, attrs })
    })
  })
  return shown
}

function spansOf(
  table: EditorNode,
  merges: readonly TableCellMerge[],
  columns: readonly string[],
): Map<string, Shown['attrs']> {
  const rows = table.children
  const spans = new Map<string, Shown['attrs']>()
  for (const { anchor, rowSpan = 1, colSpan = 1 } of merges) {
    const row = rows.findIndex(({ attrs }) => attrs.id === anchor.record)
    const column = columns.indexOf(anchor.column)
    if (row < 0 || column < 0) continue
    const high = Math.min(rowSpan, rows.length - row)
    const wide = Math.min(colSpan, columns.length - column)
    for (let down = 0; down < high; down += 1)
      for (let right = 0; right < wide; right += 1)
        spans.set(`${row + down} ${column + right}`, { class: 'ed-covered' })
    spans.set(`${row} ${column}`, { rowspan: String(high), colspan: String(wide) })
  }
  return spans
}
