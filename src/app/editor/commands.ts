/** What one can do to blocks: insert, turn into another kind, move, duplicate, delete, choose; whatever the way it is asked for. */
import { lift, setBlockType, wrapIn } from 'prosemirror-commands'
import { type Node as EditorNode, Fragment, type NodeType, type ResolvedPos } from 'prosemirror-model'
import { liftListItem, wrapInList } from 'prosemirror-schema-list'
import {
  type Command,
  type EditorState,
  NodeSelection,
  Selection,
  TextSelection,
  type Transaction,
} from 'prosemirror-state'
import { StepMap } from 'prosemirror-transform'
import { CellSelection } from './blocks/cell-selection.ts'
import { fromBlock } from './document/from-document.ts'
import { nodeName } from './document/names.ts'
import { schema } from './document/schema.ts'
import { type BlockKind, type InlineKind, newBlock, newInlineData } from './insert.ts'

export const nodeType = (name: string): NodeType => {
  const type = schema.nodes[nodeName(name)]
  if (type === undefined) throw new Error(`The schema has no ${name}.`)
  return type
}

const today = (): string => new Date().toISOString().slice(0, 10)

/** A block and where it begins. */
export interface BlockPosition {
  pos: number
  node: EditorNode
  depth: number
}

/** What can be moved, copied and deleted by itself: blocks, and the parts of lists, tables, tabs and the like. */
const movable = (node: EditorNode): boolean =>
  node.type.isInGroup('flow') ||
  ['list_item', 'table_row', 'stepper_step', 'update', 'image', 'column', 'tabs_item'].includes(node.type.name)

/** The innermost movable block around a position. */
export function blockAround($pos: ResolvedPos): BlockPosition | undefined {
  for (let depth = $pos.depth; depth > 0; depth -= 1) {
    const node = $pos.node(depth)
    // The paragraph of a list item moves as the item.
    const isOnly = $pos.node(depth - 1).type.name === 'list_item' && $pos.index(depth - 1) === 0
    if (movable(node) && !isOnly) return { pos: $pos.before(depth), node, depth }
  }
  return undefined
}

export function selectedBlock(state: EditorState): BlockPosition | undefined {
  const { selection } = state
  if (selection instanceof NodeSelection && !selection.node.isInline)
    return { pos: selection.from, node: selection.node, depth: selection.$from.depth + 1 }
  return blockAround(selection.$from)
}

/** Puts a new block where the cursor is: in place of an empty paragraph, else after the block. */
export function insertBlock(kind: BlockKind): Command {
  return (state, dispatch) => {
    const node = fromBlock(newBlock(kind, today()))
    return insertNode(node)(state, dispatch)
  }
}

function insertNode(node: EditorNode): Command {
  return (state, dispatch) => {
    const { $from } = state.selection
    const textblock = $from.parent.isTextblock ? $from.parent : undefined
    const container = $from.depth > 0 ? $from.node($from.depth - (textblock ? 1 : 0)) : state.doc
    const isEmpty = textblock?.type.name === 'paragraph' && textblock.content.size === 0
    const index = $from.index($from.depth - (textblock ? 1 : 0))
    const tr = state.tr
    let pos: number
    if (textblock && container.canReplaceWith(index, index + 1, node.type) && isEmpty) {
      pos = $from.before()
      tr.replaceWith(pos, $from.after(), node)
    } else {
      const insertAt = insertionPoint($from)
      if (insertAt === undefined) return false
      pos = insertAt
      tr.insert(pos, node)
    }
    if (dispatch) dispatch(selectInside(tr, pos).scrollIntoView())
    return true
  }
}

/** After the block that holds the cursor, at the innermost place where any block may stand. */
function insertionPoint($from: ResolvedPos): number | undefined {
  for (let depth = $from.depth; depth > 0; depth -= 1) {
    const parent = $from.node(depth - 1)
    const index = $from.indexAfter(depth - 1)
    if (parent.canReplaceWith(index, index, nodeType('divider'))) return $from.after(depth)
  }
  return $from.depth === 0 ? $from.pos : undefined
}

function selectInside(tr: Transaction, pos: number): Transaction {
  const node = tr.doc.nodeAt(pos)
  if (node === null) return tr
  if (node.isTextblock) return tr.setSelection(TextSelection.create(tr.doc, pos + 1))
  if (node.isAtom || node.childCount === 0) return tr.setSelection(NodeSelection.create(tr.doc, pos))
  const found = Selection.findFrom(tr.doc.resolve(pos), 1, true)
  return found === null ? tr : tr.setSelection(found)
}

export function insertInline(kind: InlineKind): Command {
  return (state, dispatch) => {
    const node = nodeType(kind).create({ data: newInlineData(kind) })
    const { parent } = state.selection.$from
    // Between blocks, and in a line of code that does not take it, it gets a paragraph of its own.
    const isHere = parent.inlineContent && parent.type.contentMatch.matchType(node.type) !== null
    if (!isHere) {
      return insertNode(nodeType('paragraph').create(null, node))(state, (tr) => {
        const at = tr.selection.$from.start()
        dispatch?.(tr.setSelection(NodeSelection.create(tr.doc, at)))
      })
    }
    // One that is chosen stays: the new one stands behind it.
    const at = state.selection instanceof NodeSelection ? state.selection.to : state.selection.from
    const end = state.selection instanceof NodeSelection ? at : state.selection.to
    const tr = state.tr.replaceWith(at, end, node)
    if (dispatch) dispatch(tr.setSelection(NodeSelection.create(tr.doc, at)).scrollIntoView())
    return true
  }
}

const textKinds: readonly string[] = ['paragraph', 'heading-1', 'heading-2', 'heading-3']
const listKinds: readonly string[] = ['list-unordered', 'list-ordered', 'list-tasks']

/** Turns the block at the cursor into another kind, keeping its words. */
export function turnInto(kind: BlockKind): Command {
  return (state, dispatch, view) => {
    if (textKinds.includes(kind)) {
      const to = setBlockType(nodeType(kind), withoutAnchor)
      if (to(state, dispatch, view)) return true
      // Out of the list first.
      return liftListItem(nodeType('list-item'))(state, dispatch, view) || lift(state, dispatch, view)
    }
    if (listKinds.includes(kind)) return toggleList(kind)(state, dispatch, view)
    if (kind === 'code') return toCode(state, dispatch, view)
    if (kind === 'blockquote' || kind === 'if' || kind.startsWith('hint')) {
      const [only] = [fromBlock(newBlock(kind, today()))]
      return wrapIn(only?.type ?? nodeType('blockquote'), only?.attrs)(state, dispatch, view)
    }
    return insertBlock(kind)(state, dispatch, view)
  }
}

/** A paragraph has no anchor; everything else that a text block carries stays. */
function withoutAnchor(node: EditorNode): { key: unknown; data: object } {
  const { id: _, ...data } = node.attrs.data
  return { key: node.attrs.key, data }
}

/** Into this kind of list, or out of it. */
export function toggleList(kind: string): Command {
  return (state, dispatch, view) => {
    const { $from } = state.selection
    for (let depth = $from.depth; depth > 0; depth -= 1) {
      const node = $from.node(depth)
      if (!node.type.name.startsWith('list_') || node.type.name === 'list_item') continue
      if (node.type === nodeType(kind)) return liftListItem(nodeType('list-item'))(state, dispatch, view)
      if (dispatch) dispatch(changeList(state.tr, $from.before(depth), kind))
      return true
    }
    return wrapInList(nodeType(kind), {})(state, dispatch, view)
  }
}

function changeList(tr: Transaction, pos: number, kind: string): Transaction {
  const list = tr.doc.nodeAt(pos)
  if (list === null) return tr
  const items = list.children.map((item) =>
    item.type.create({ ...item.attrs, data: kind === 'list-tasks' ? { checked: false } : {} }, item.content),
  )
  const { from, to } = tr.selection
  tr.replaceWith(pos, pos + list.nodeSize, nodeType(kind).create({ key: list.attrs.key, data: {} }, items))
  return tr.setSelection(TextSelection.create(tr.doc, from, to))
}

const toCode: Command = (state, dispatch) => {
  const { $from, $to } = state.selection
  const range = $from.blockRange($to)
  if (range === null || !range.parent.canReplaceWith(range.startIndex, range.endIndex, nodeType('code'))) return false
  const lines: EditorNode[] = []
  state.doc.nodesBetween(range.start, range.end, (node) => {
    if (!node.isTextblock) return true
    for (const line of node.textContent.split('\n'))
      lines.push(nodeType('code-line').create(null, line === '' ? null : schema.text(line)))
    return false
  })
  if (dispatch) {
    const tr = state.tr.replaceWith(range.start, range.end, nodeType('code').create(null, lines))
    dispatch(selectInside(tr, range.start).scrollIntoView())
  }
  return true
}

/** Moves the block, or all blocks that are selected, past the neighbour; the selection goes along. */
export function moveBlock(direction: -1 | 1): Command {
  return (state, dispatch) => {
    const range = rangeToMove(state)
    if (range === undefined) return false
    const $start = state.doc.resolve(range.start)
    const other = direction < 0 ? $start.nodeBefore : state.doc.resolve(range.end).nodeAfter
    if (!other) return false
    if (!dispatch) return true
    const moved = state.doc.slice(range.start, range.end).content
    const first = direction < 0 ? range.start - other.nodeSize : range.start
    const nodes = direction < 0 ? moved.append(Fragment.from(other)) : Fragment.from(other).append(moved)
    const tr = state.tr.replaceWith(first, first + nodes.size, nodes)
    const shift = StepMap.offset(direction * other.nodeSize)
    tr.setSelection(state.selection.getBookmark().map(shift).resolve(tr.doc))
    dispatch(tr.scrollIntoView())
    return true
  }
}

/** Several blocks side by side where words of them are selected; else the one, or what it is alone in, as in a cell of a table. */
function rangeToMove(state: EditorState): { start: number; end: number } | undefined {
  const { doc, selection } = state
  if (selection instanceof TextSelection) {
    const range = selection.$from.blockRange(selection.$to)
    const nodes = range?.parent.children.slice(range.startIndex, range.endIndex) ?? []
    if (range && nodes.length > 1 && nodes.every(movable)) return range
  }
  let block = selectedBlock(state)
  while (block && !(selection instanceof NodeSelection)) {
    const $pos: ResolvedPos = doc.resolve(block.pos)
    const around = $pos.parent.childCount > 1 ? undefined : blockAround($pos)
    if (!around) break
    block = around
  }
  return block && { start: block.pos, end: block.pos + block.node.nodeSize }
}

/** Arrows on a chosen block choose the next one; with Shift the words of both are selected. */
export function chooseNext(direction: -1 | 1, { more }: { more: boolean }): Command {
  return (state, dispatch) => {
    const { doc, selection } = state
    if (!(selection instanceof NodeSelection) || selection.node.isInline) return false
    const pos = direction < 0 ? selection.from : selection.to
    const next = direction < 0 ? doc.resolve(pos).nodeBefore : doc.resolve(pos).nodeAfter
    if (!next || !NodeSelection.isSelectable(next)) return false
    const end = pos + direction * next.nodeSize
    const chosen = more
      ? TextSelection.between(doc.resolve(direction < 0 ? selection.to : selection.from), doc.resolve(end))
      : NodeSelection.create(doc, Math.min(pos, end))
    if (dispatch) dispatch(state.tr.setSelection(chosen).scrollIntoView())
    return true
  }
}

export const duplicateBlock: Command = (state, dispatch) => {
  const block = selectedBlock(state)
  if (block === undefined) return false
  if (dispatch) {
    const end = block.pos + block.node.nodeSize
    const tr = state.tr.insert(end, block.node)
    dispatch(selectInside(tr, end).scrollIntoView())
  }
  return true
}

export const deleteBlock: Command = (state, dispatch) => {
  const block = selectedBlock(state)
  if (block === undefined) return false
  if (dispatch) dispatch(deleteAt(state.tr, block.pos).scrollIntoView())
  return true
}

/** Deletes a block, and with it what would be empty without it. */
export function deleteAt(tr: Transaction, pos: number): Transaction {
  let $pos = tr.doc.resolve(pos)
  let from = pos
  let to = pos + ($pos.nodeAfter?.nodeSize ?? 0)
  while ($pos.depth > 0 && $pos.parent.childCount === 1 && movable($pos.parent)) {
    from = $pos.before()
    to = $pos.after()
    $pos = tr.doc.resolve(from)
  }
  return tr.delete(from, to)
}

/** Escape: the block is chosen as a whole; again: what is around it. */
export const selectAround: Command = (state, dispatch) => {
  const { selection } = state
  const $from = selection.$from
  const from = selection instanceof NodeSelection ? $from.depth : blockAround($from)?.depth
  if (from === undefined) return false
  for (let depth = from; depth > 0; depth -= 1) {
    if (!movable($from.node(depth))) continue
    if (dispatch) dispatch(state.tr.setSelection(NodeSelection.create(state.doc, $from.before(depth))))
    return true
  }
  return false
}

/** Enter on a chosen block: into it. */
export const enterBlock: Command = (state, dispatch) => {
  const { selection } = state
  if (!(selection instanceof NodeSelection) || selection.node.isInline) return false
  if (selection.node.isAtom || selection.node.isLeaf) {
    const paragraph = nodeType('paragraph').create()
    if (dispatch) {
      const tr = state.tr.insert(selection.to, paragraph)
      dispatch(tr.setSelection(TextSelection.create(tr.doc, selection.to + 1)).scrollIntoView())
    }
    return true
  }
  if (dispatch) dispatch(state.tr.setSelection(Selection.near(state.doc.resolve(selection.from + 1))).scrollIntoView())
  return true
}

/** Mod-Enter: out of the container, into a new paragraph below it. */
export const leaveContainer: Command = (state, dispatch) => {
  const { $from } = state.selection
  for (let depth = $from.depth; depth > 0; depth -= 1) {
    const node = $from.node(depth)
    const parent = $from.node(depth - 1)
    const index = $from.indexAfter(depth - 1)
    const isInner = depth === $from.depth && depth > 1 && node.isTextblock
    if (isInner || !node.type.isInGroup('flow') || !parent.canReplaceWith(index, index, nodeType('paragraph'))) continue
    const at = $from.after(depth)
    if (dispatch) {
      const tr = state.tr.insert(at, nodeType('paragraph').create())
      dispatch(tr.setSelection(TextSelection.create(tr.doc, at + 1)).scrollIntoView())
    }
    return true
  }
  return false
}

/** Mod-A: the text of the block, the container, the page. */
export const selectMore: Command = (state, dispatch) => {
  const { $anchor, $head } = state.selection
  const $from = $anchor.min($head)
  const $to = $anchor.max($head)
  for (let depth = $from.sharedDepth($to.pos); depth > 0; depth -= 1) {
    const start = $from.start(depth)
    const end = $from.end(depth)
    if (start >= $from.pos && end <= $to.pos) continue
    const $start = state.doc.resolve(start)
    const $end = state.doc.resolve(end)
    const words = TextSelection.between($start, $end)
    if (words.from >= $from.pos && words.to <= $to.pos) continue
    if (dispatch) dispatch(state.tr.setSelection(CellSelection.between(words.$from, words.$to) ?? words))
    return true
  }
  return false
}

/** New data for the node at a position. A field that is `undefined` or empty goes. */
export function setData(state: EditorState, pos: number, fields: object): Transaction {
  const node = state.doc.nodeAt(pos)
  if (node === null) return state.tr
  const data = Object.fromEntries(
    Object.entries({ ...node.attrs.data, ...fields }).filter(([, value]) => value !== undefined),
  )
  return state.tr.setNodeAttribute(pos, 'data', data)
}
