/**
 * Lists that open while typing: `/` inserts blocks, `@` mentions people and pages, `:` finds emoji. The keyboard stays in the
 * text; arrows and Enter choose, Escape leaves what was typed.
 */
import { type EditorState, Plugin, PluginKey } from 'prosemirror-state'
import type { EditorView } from 'prosemirror-view'
import type { EditorContext } from '../context.ts'
import { make } from '../dom.ts'
import { type Chooser, makeChooser, openPopover, type Popover } from './popover.ts'

export interface Item {
  title: string
  detail?: string | undefined
  group?: string
  /** Replaces what was typed. */
  run(view: EditorView, range: { from: number; to: number }): void
}

export interface Trigger {
  /** Matches the text before the cursor; the first group is what is looked for. */
  pattern: RegExp
  label: string
  find(query: string): Item[] | Promise<Item[]>
}

const key = new PluginKey('typeahead')

export function typeahead(context: EditorContext, triggers: readonly Trigger[]): Plugin {
  let open: Open | undefined
  let left: number | undefined
  const close = (): void => {
    open?.popover.close()
    open = undefined
  }
  const follow = (view: EditorView, isTyping: boolean): void => {
    const found = matchAt(view.state, triggers)
    if (found === undefined || found.from === left || !view.editable || !view.hasFocus()) {
      if (found === undefined) left = undefined
      close()
      return
    }
    if (open === undefined && !isTyping) return
    if (open?.trigger !== found.trigger) {
      close()
      open = openList(view, found.trigger, context, () => {
        open = undefined
      })
    }
    const current = open
    current.range = { from: found.from, to: view.state.selection.from }
    current.popover.moveTo(rectAt(view, found.from))
    void Promise.resolve(found.trigger.find(found.query)).then((items) => {
      if (open !== current) return
      current.chooser.show(items)
      view.dom.setAttribute('aria-activedescendant', `${current.chooser.element.id}-0`)
      context.announce(context.texts.menu.results(items.length))
      if (items.length === 0 && found.query.length > 12) close()
      else current.popover.moveTo(rectAt(view, found.from))
    })
  }
  return new Plugin({
    key,
    props: {
      handleKeyDown(_, event) {
        if (open === undefined || event.isComposing) return false
        if (event.key === 'Escape') {
          left = open.range.from
          close()
          return true
        }
        return open.chooser.key(event)
      },
      handleDOMEvents: {
        blur: () => {
          close()
          return false
        },
      },
    },
    view: () => ({
      update: (view, before) => {
        if (view.composing) return
        const isTyping = !before.doc.eq(view.state.doc)
        if (isTyping || !before.selection.eq(view.state.selection)) follow(view, isTyping)
      },
      destroy: close,
    }),
  })
}

interface Open {
  trigger: Trigger
  popover: Popover
  chooser: Chooser<Item>
  range: { from: number; to: number }
}

function openList(view: EditorView, trigger: Trigger, context: EditorContext, closed: () => void): Open {
  const chooser = makeChooser<Item>({
    label: trigger.label,
    id: 'ed-typeahead',
    empty: context.texts.menu.noMatch,
    group: ({ group }) => group ?? '',
    draw: ({ title, detail }) => [
      make('span', { class: 'ed-option-title' }, title),
      ...(detail === undefined ? [] : [make('span', { class: 'ed-option-detail' }, detail)]),
    ],
    choose: (item) => {
      const { range } = made
      popover.close()
      // Before it runs: what it opens takes the focus and keeps it.
      view.focus()
      item.run(view, range)
    },
  })
  view.dom.setAttribute('aria-controls', chooser.element.id)
  const popover = openPopover(
    rectAt(view, view.state.selection.from),
    {
      root: context.root,
      takesFocus: false,
      closed: () => {
        view.dom.removeAttribute('aria-controls')
        view.dom.removeAttribute('aria-activedescendant')
        closed()
      },
    },
    chooser.element,
  )
  const made: Open = { trigger, popover, chooser, range: { from: 0, to: 0 } }
  return made
}

function matchAt(
  state: EditorState,
  triggers: readonly Trigger[],
): { trigger: Trigger; query: string; from: number } | undefined {
  const { $from, empty } = state.selection
  if (!empty || !$from.parent.isTextblock || $from.parent.type.spec.code) return undefined
  const before = $from.parent.textBetween(Math.max(0, $from.parentOffset - 60), $from.parentOffset, undefined, '\ufffc')
  for (const trigger of triggers) {
    const match = trigger.pattern.exec(before)
    const query = match?.[1]
    if (match === null || query === undefined) continue
    return { trigger, query, from: $from.pos - query.length - 1 }
  }
  return undefined
}

export function rectAt(view: EditorView, pos: number): DOMRect {
  const { left, top, bottom } = view.coordsAtPos(pos)
  return new DOMRect(left, top, 0, bottom - top)
}
