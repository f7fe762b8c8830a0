/**
 * The `+` and the handle beside the block under the pointer, or beside the one with the cursor: to insert, to drag, and for the
 * menu of the block. Whoever cannot drag finds moving up and down in the menu.
 */
import { NodeSelection, Plugin } from 'prosemirror-state'
import type { EditorView } from 'prosemirror-view'
import { type BlockPosition, blockAround } from '../commands.ts'
import type { EditorContext } from '../context.ts'
import { button, make } from '../dom.ts'
import { openBlockMenu } from './block-menu.ts'
import { dropBlock } from './drop-block.ts'
import { insertBelow } from './insert-below.ts'

export function blockHandle(context: EditorContext): Plugin {
  return new Plugin({
    view: (view) => makeHandle(view, context),
    props: { handleDrop: (view, event, _, isMoved) => dropBlock(view, event, isMoved) },
  })
}

function makeHandle(view: EditorView, context: EditorContext) {
  const { texts, root } = context
  let block: BlockPosition | undefined
  const plus = button(texts.insert, {
    class: 'ed-handle-button',
    icon: 'plus',
    tabindex: '-1',
    press: () => {
      const chosen = choose()
      if (chosen !== undefined) insertBelow(view, chosen)
    },
  })
  const grip = make('button', {
    type: 'button',
    class: 'ed-handle-button',
    draggable: 'true',
    tabindex: '-1',
    'aria-label': texts.handle,
    title: texts.handle,
  })
  grip.append(button('', { icon: 'handle', press: () => undefined }).firstElementChild ?? '')
  const element = make('div', { class: 'ed-handle', hidden: true }, plus, grip)
  root.append(element)

  const show = (found: BlockPosition | undefined): void => {
    block = found
    const dom = found === undefined ? null : view.nodeDOM(found.pos)
    if (!(dom instanceof HTMLElement) || !view.editable) {
      element.hidden = true
      return
    }
    const box = dom.getBoundingClientRect()
    const outer = root.getBoundingClientRect()
    element.hidden = false
    element.style.top = `${box.top - outer.top + root.scrollTop + Math.min(4, box.height / 2 - 14)}px`
    const isRightToLeft = getComputedStyle(view.dom).direction === 'rtl'
    const start = isRightToLeft ? outer.right - box.right : box.left - outer.left
    element.style.insetInlineStart = `${Math.max(-52, start - 52)}px`
  }
  const choose = (): BlockPosition | undefined => {
    if (block === undefined || view.state.doc.nodeAt(block.pos) !== block.node) return undefined
    view.dispatch(view.state.tr.setSelection(NodeSelection.create(view.state.doc, block.pos)))
    return block
  }
  grip.addEventListener('click', () => {
    if (choose() !== undefined) openBlockMenu(view, context, grip.getBoundingClientRect())
  })
  grip.addEventListener('dragstart', (event) => {
    const chosen = choose()
    if (chosen === undefined || event.dataTransfer === null) return
    const selection = NodeSelection.create(view.state.doc, chosen.pos)
    const slice = selection.content()
    event.dataTransfer.clearData()
    event.dataTransfer.setData('text/plain', chosen.node.textContent)
    event.dataTransfer.effectAllowed = 'copyMove'
    const dom = view.nodeDOM(chosen.pos)
    if (dom instanceof Element) event.dataTransfer.setDragImage(dom, 0, 0)
    // The library moves what it is told is being dragged.
    Object.assign(view, { dragging: { slice, move: !event.altKey, node: selection } })
  })
  const hover = (event: PointerEvent): void => {
    if (event.pointerType !== 'mouse' || event.buttons > 0) return
    // Under the pointer it stays with its block; in a cell it goes on to the row.
    const isOnHandle = event.target instanceof Node && element.contains(event.target)
    if (isOnHandle && block && view.state.doc.resolve(block.pos).parent.type.name !== 'table_text') return
    const box = view.dom.getBoundingClientRect()
    const left = Math.min(Math.max(event.clientX, box.left + 2), box.right - 2)
    const at = view.posAtCoords({ left, top: event.clientY })
    if (at === null) return
    const $pos = view.state.doc.resolve(at.inside >= 0 ? at.inside : at.pos)
    const node = at.inside >= 0 ? view.state.doc.nodeAt(at.inside) : null
    const found =
      node !== null && (node.isAtom || node.isLeaf) && !node.isInline
        ? { pos: at.inside, node, depth: $pos.depth + 1 }
        : blockAround(view.state.doc.resolve(at.pos))
    show(found)
  }
  root.addEventListener('pointermove', hover)
  // What opens above the text, and pictures that arrive, move the block away from its handle.
  const moved = new ResizeObserver(() => !element.hidden && show(block))
  moved.observe(root)
  return {
    update(_: EditorView, before: typeof view.state) {
      if (before.selection.eq(view.state.selection) && before.doc.eq(view.state.doc)) return
      // Measuring costs a layout: not with every key, only when the cursor has come to another block.
      const found = view.hasFocus() ? blockAround(view.state.selection.$from) : undefined
      const isThere =
        found !== undefined && !element.hidden && found.pos === block?.pos && found.node.type === block.node.type
      if (isThere) block = found
      else requestAnimationFrame(() => !view.isDestroyed && show(found))
    },
    destroy() {
      root.removeEventListener('pointermove', hover)
      moved.disconnect()
      element.remove()
    },
  }
}
