/**
 * On a touch screen: inserting and moving blocks, and their menu, in a bar that lies above the keyboard on the screen. Blocks
 * are not dragged by a finger, which scrolls.
 */
import { type Command, Plugin } from 'prosemirror-state'
import type { EditorView } from 'prosemirror-view'
import { moveBlock, selectedBlock } from '../commands.ts'
import type { EditorContext } from '../context.ts'
import { button, make } from '../dom.ts'
import { openBlockMenu } from './block-menu.ts'
import { insertBelow } from './insert-below.ts'

/** The line with the cursor stays above the bar. */
const room = { top: 5, right: 5, bottom: 72, left: 5 }

export function touchBar(context: EditorContext): Plugin {
  if (!matchMedia('(pointer: coarse)').matches) return new Plugin({})
  return new Plugin({
    props: { scrollMargin: room, scrollThreshold: room },
    view: (view) => makeBar(view, context),
  })
}

function makeBar(view: EditorView, { texts, root, ...context }: EditorContext) {
  const run = (command: Command) => () => command(view.state, view.dispatch, view)
  const tool = (label: string, icon: string, press: () => void) => button(label, { class: 'ed-tool', icon, press })
  const insert = (): void => {
    const block = selectedBlock(view.state)
    if (block) insertBelow(view, block)
  }
  const bar = make(
    'div',
    { class: 'ed-touch', role: 'toolbar', 'aria-label': texts.touch.bar, hidden: true },
    tool(texts.insert, 'plus', insert),
    tool(texts.menu.moveUp, 'up', run(moveBlock(-1))),
    tool(texts.menu.moveDown, 'down', run(moveBlock(1))),
    tool(texts.touch.menu, 'handle', () =>
      openBlockMenu(view, { texts, root, ...context }, bar.getBoundingClientRect()),
    ),
    tool(texts.touch.done, 'close', () => view.dom.blur()),
  )
  root.append(bar)
  const { visualViewport } = window
  const placeBar = (): void => {
    const shown = visualViewport
    bar.style.bottom = shown ? `${Math.max(0, innerHeight - shown.height - shown.offsetTop)}px` : '0'
  }
  const show = (): void => {
    bar.hidden = !view.hasFocus() || !view.editable
    placeBar()
  }
  // What takes the focus has it a moment after the text has lost it.
  const left = (): void => void setTimeout(show, 0)
  view.dom.addEventListener('focus', show)
  view.dom.addEventListener('blur', left)
  visualViewport?.addEventListener('resize', placeBar)
  visualViewport?.addEventListener('scroll', placeBar)
  return {
    destroy() {
      view.dom.removeEventListener('focus', show)
      view.dom.removeEventListener('blur', left)
      visualViewport?.removeEventListener('resize', placeBar)
      visualViewport?.removeEventListener('scroll', placeBar)
      bar.remove()
    },
  }
}
