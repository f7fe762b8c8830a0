/** What views of nodes have in common. */
import type { Node as EditorNode } from 'prosemirror-model'
import { NodeSelection } from 'prosemirror-state'
import type { EditorView, NodeView } from 'prosemirror-view'
import { setData } from '../commands.ts'
import type { EditorContext } from '../context.ts'

export type GetPos = () => number | undefined

export interface Site {
  node: EditorNode
  view: EditorView
  getPos: GetPos
  context: EditorContext
}

export type MakeView = (site: Site) => NodeView

/** A change of fields of the node's data. */
export function changeData({ view, getPos }: Pick<Site, 'view' | 'getPos'>, fields: object): void {
  const pos = getPos()
  if (pos !== undefined && view.editable) view.dispatch(setData(view.state, pos, fields))
}

export function chooseNode({ view, getPos }: Pick<Site, 'view' | 'getPos'>): void {
  const pos = getPos()
  if (pos === undefined) return
  view.dispatch(view.state.tr.setSelection(NodeSelection.create(view.state.doc, pos)))
  view.focus()
}

export function openSettings({ view, getPos, context }: Pick<Site, 'view' | 'getPos' | 'context'>): void {
  const pos = getPos()
  if (pos !== undefined && view.editable) context.openPanel(view, pos)
}

/**
 * A view with content: `draw` sets what depends on the node, on making and on every change. Controls are not content: the
 * editor leaves events in them and changes to them alone.
 */
export function boxView(
  node: EditorNode,
  parts: { dom: HTMLElement; content: HTMLElement; controls?: HTMLElement[]; draw(node: EditorNode): void },
): NodeView {
  const { dom, content, controls = [], draw } = parts
  for (const control of controls) control.contentEditable = 'false'
  draw(node)
  const isControl = (target: EventTarget | null): boolean =>
    target instanceof Node && controls.some((control) => control.contains(target))
  return {
    dom,
    contentDOM: content,
    update(next) {
      if (next.type !== node.type) return false
      node = next
      draw(next)
      return true
    },
    stopEvent: (event) => isControl(event.target),
    ignoreMutation: (mutation) =>
      mutation.type !== 'selection' && (isControl(mutation.target) || !content.contains(mutation.target)),
  }
}

/** A field inside a block: what is typed goes into the node's data when the field is left. */
export function dataField(
  site: Site,
  input: HTMLInputElement,
  { name, empty }: { name: string; empty?: string },
): HTMLInputElement {
  const commit = (): void => {
    const value = input.value.trim()
    changeData(site, { [name]: value === '' ? empty : value })
  }
  input.addEventListener('change', commit)
  input.addEventListener('keydown', (event) => {
    if (event.key !== 'Enter' && event.key !== 'Escape') return
    event.preventDefault()
    commit()
    site.view.focus()
  })
  return input
}
