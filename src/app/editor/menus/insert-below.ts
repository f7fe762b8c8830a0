/** Begins a block below another, or in it where it is empty, with the list of what it can be. */
import { TextSelection } from 'prosemirror-state'
import type { EditorView } from 'prosemirror-view'
import { type BlockPosition, nodeType } from '../commands.ts'

export function insertBelow(view: EditorView, { pos, node }: BlockPosition): void {
  const at = node.type.isInGroup('flow') ? pos + node.nodeSize : view.state.doc.resolve(pos).after()
  const isEmpty = node.isTextblock && node.content.size === 0
  const tr = view.state.tr
  if (isEmpty) tr.insertText('/', pos + 1)
  else tr.insert(at, nodeType('paragraph').create(null, view.state.schema.text('/')))
  const end = isEmpty ? pos + 2 : at + 2
  view.focus()
  view.dispatch(tr.setSelection(TextSelection.near(tr.doc.resolve(end))).scrollIntoView())
}
