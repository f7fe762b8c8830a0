/**
 * A block that is dropped where it was dragged to.
 *
 * 1. What is moved is the block as it is now: somebody else may have written in it since it was picked up.
 * 2. A part that is dragged out of its list, table or the like takes one of the same kind with it: an item stays bulleted, a
 *    row keeps its columns.
 */
import { type Node as EditorNode, Fragment, Slice } from 'prosemirror-model'
import { NodeSelection } from 'prosemirror-state'
import { dropPoint } from 'prosemirror-transform'
import type { EditorView } from 'prosemirror-view'
import { deleteAt } from '../commands.ts'

/** False, where no block is moved. */
export function dropBlock(view: EditorView, event: DragEvent, isMoved: boolean): boolean {
  const { selection, doc, tr } = view.state
  if (!isMoved || !(selection instanceof NodeSelection) || selection.node.isInline) return false
  const { node, $from, from, to } = selection
  const at = view.posAtCoords({ left: event.clientX, top: event.clientY })?.pos
  if (at === undefined) return false
  event.preventDefault()
  const isPart = !node.type.isInGroup('flow')
  const block = isPart && !takes(doc, at, node) ? containerOf($from.parent, node) : node
  const target = dropPoint(doc, at, new Slice(Fragment.from(block), 0, 0))
  if (target === null || (target >= from && target <= to)) return true
  // A list or a table ends with its last part; a tab or a column stays when its words leave it.
  if (isPart) deleteAt(tr, from)
  else selection.replace(tr)
  const pos = tr.mapping.map(target)
  tr.insert(pos, block)
  view.dispatch(
    tr.setSelection(NodeSelection.create(tr.doc, block === node ? pos : pos + 1)).setMeta('uiEvent', 'drop'),
  )
  view.focus()
  return true
}

/** Whether something around the position holds such parts. */
function takes(doc: EditorNode, at: number, part: EditorNode): boolean {
  const $at = doc.resolve(at)
  for (let depth = $at.depth; depth > 0; depth -= 1) {
    const index = $at.index(depth)
    if ($at.node(depth).canReplace(index, index, Fragment.from(part))) return true
  }
  return false
}

function containerOf(parent: EditorNode, part: EditorNode): EditorNode {
  // Cells that reach over others are told by the rows they are in.
  const { cellMerges: _, ...data } = parent.attrs.data
  return parent.type.create({ key: null, data }, part)
}
