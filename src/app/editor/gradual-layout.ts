/**
 * A long page can be written in when the part in view is laid out: the browser leaves out the blocks below it, and they are
 * laid out a few at a time while it is idle. Chromium loses what is typed into a block that was made while it is left out, so
 * all are laid out at once when the cursor comes to them.
 */
import { Plugin } from 'prosemirror-state'
import type { EditorView } from 'prosemirror-view'
import { whenIdle } from '../kit/when-idle.ts'

/** More than are in view on most screens. */
const blocksAtOnce = 30
const blocksWhenIdle = 20
/** How near the cursor may come to those that are left out. */
const distance = 3

/** The blocks from this one on, counted from 1. A sheet made by script needs no exception from the policy. */
const styleFrom = (block: number): string =>
  `.ed-doc[data-laid-out=part] > :nth-child(n + ${block}) { content-visibility: auto; contain-intrinsic-block-size: auto 4lh }`

export function gradualLayout(): Plugin {
  return new Plugin({
    view: (view) => (view.state.doc.childCount > blocksAtOnce + distance ? layOutGradually(view) : {}),
  })
}

function layOutGradually(view: EditorView) {
  let next = blocksAtOnce
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(styleFrom(next))
  document.adoptedStyleSheets.push(sheet)
  view.dom.dataset.laidOut = 'part'

  const finish = (): void => {
    stop()
    delete view.dom.dataset.laidOut
    document.adoptedStyleSheets = document.adoptedStyleSheets.filter((one) => one !== sheet)
  }
  const goOn = (): void => {
    next += blocksWhenIdle
    if (next > view.state.doc.childCount) finish()
    else {
      sheet.replaceSync(styleFrom(next))
      stop = whenIdle(goOn)
    }
  }
  let stop = whenIdle(goOn)
  return {
    update(): void {
      if (view.dom.dataset.laidOut !== undefined && view.state.selection.$to.index(0) + distance > next) finish()
    },
    destroy: finish,
  }
}
