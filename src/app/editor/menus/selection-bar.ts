/** The bar over a selection, and the link at the cursor. */
import { toggleMark } from 'prosemirror-commands'
import { type EditorState, Plugin, TextSelection } from 'prosemirror-state'
import type { EditorView } from 'prosemirror-view'
import { textColors } from '../../../core/document/tree/nodes.ts'
import { parseRef, printRef } from '../../../core/document/tree/refs.ts'
import { CellSelection } from '../blocks/cell-selection.ts'
import type { EditorContext } from '../context.ts'
import { markName } from '../document/names.ts'
import { schema } from '../document/schema.ts'
import { button, make } from '../dom.ts'
import { openAnnotation } from './annotation.ts'
import { markRange } from './mark-range.ts'
import { pageField } from './page-field.ts'
import { openPopover } from './popover.ts'
import { rectAt } from './typeahead.ts'

const marks = ['bold', 'italic', 'code', 'strikethrough', 'superscript', 'subscript', 'keyboard'] as const
const faces: Readonly<Record<(typeof marks)[number], string>> = {
  bold: 'B',
  italic: 'I',
  code: '‹›',
  strikethrough: 'S',
  superscript: 'x²',
  subscript: 'x₂',
  keyboard: '⌘',
}

export function selectionBar(context: EditorContext): Plugin {
  return new Plugin({ view: (view) => showOverSelection(view, context) })
}

/** Made when something is first selected. */
function makeBar(view: EditorView, context: EditorContext) {
  const { texts, root } = context
  const toggles = marks.map((name) => {
    const type = schema.marks[markName(name)]
    const toggle = button(texts.marks[name], {
      class: `ed-tool ed-tool-${name}`,
      tabindex: '-1',
      press: () => {
        if (type) toggleMark(type)(view.state, view.dispatch)
        view.focus()
      },
    })
    toggle.textContent = faces[name]
    return { toggle, type }
  })
  const color = make('select', { class: 'ed-tool', 'aria-label': texts.marks.color, tabindex: '-1' })
  color.append(
    make('option', { value: '' }, texts.marks.color),
    ...textColors.map((name) => make('option', { value: name }, name)),
  )
  color.addEventListener('change', () => {
    setColor(view, color.value)
    color.value = ''
    view.focus()
  })
  const link = button(texts.marks.link, {
    class: 'ed-tool',
    icon: 'link',
    tabindex: '-1',
    press: () => openLink(view, context),
  })
  const note = button(texts.marks.annotation, {
    class: 'ed-tool',
    icon: 'info',
    tabindex: '-1',
    press: () => openAnnotation(view, context),
  })
  const bar = make(
    'div',
    { class: 'ed-selection', role: 'toolbar', 'aria-label': texts.selection, hidden: true },
    ...toggles.map(({ toggle }) => toggle),
    color,
    link,
    note,
  )
  root.append(bar)
  return { bar, toggles }
}

function showOverSelection(view: EditorView, context: EditorContext) {
  const { root } = context
  let made: ReturnType<typeof makeBar> | undefined
  const follow = (): void => {
    const { selection } = view.state
    const isShown =
      (selection instanceof TextSelection || selection instanceof CellSelection) &&
      !selection.empty &&
      view.hasFocus() &&
      view.editable &&
      !selection.$from.parent.type.spec.code
    if (made) made.bar.hidden = !isShown
    if (!isShown) return
    made ??= makeBar(view, context)
    const { bar, toggles } = made
    bar.hidden = false
    for (const { toggle, type } of toggles)
      toggle.setAttribute(
        'aria-pressed',
        String(type ? view.state.doc.rangeHasMark(selection.from, selection.to, type) : false),
      )
    const start = view.coordsAtPos(selection.from)
    const outer = root.getBoundingClientRect()
    const width = bar.offsetWidth
    bar.style.left = `${Math.max(0, Math.min(start.left - outer.left, outer.width - width))}px`
    bar.style.top = `${start.top - outer.top - bar.offsetHeight - 8}px`
  }
  const blur = (): void => void setTimeout(() => made?.bar.contains(document.activeElement) || follow(), 0)
  view.dom.addEventListener('blur', blur)
  return {
    update: (_: EditorView, before: EditorState) => {
      if (!before.selection.eq(view.state.selection) || !before.doc.eq(view.state.doc)) follow()
    },
    destroy() {
      view.dom.removeEventListener('blur', blur)
      made?.bar.remove()
    },
  }
}

function setColor(view: EditorView, name: string): void {
  const type = schema.marks[markName('color')]
  const { tr, selection } = view.state
  if (type === undefined || selection.empty) return
  for (const { $from, $to } of selection.ranges) {
    tr.removeMark($from.pos, $to.pos, type)
    if (name !== 'default' && name !== '')
      tr.addMark($from.pos, $to.pos, type.create({ data: { text: name, background: 'default' } }))
  }
  view.dispatch(tr)
}

/** Mod-K: a link on the selection, or the one at the cursor. False where there is neither. */
export function openLink(view: EditorView, context: EditorContext): boolean {
  const { texts, root } = context
  const { state } = view
  const type = schema.marks.link
  const existing = state.selection.$from.parent.isTextblock ? markRange(state, state.selection.from, 'link') : undefined
  const range = existing ?? (state.selection.empty ? undefined : { from: state.selection.from, to: state.selection.to })
  if (range === undefined || type === undefined || !view.editable) return false
  const finish = (): void => {
    popover.close()
    view.focus()
  }
  const field = pageField({
    label: texts.link.field,
    context,
    find: context.lookup.pages,
    value: existing === undefined ? '' : printRef(existing.mark.attrs.data.ref),
    read: (text) => (text === '' ? undefined : parseRef(text)),
    choose: (ref) => {
      const mark = type.create({ key: existing?.mark.attrs.key ?? null, data: { ref } })
      view.dispatch(view.state.tr.removeMark(range.from, range.to, type).addMark(range.from, range.to, mark))
      finish()
    },
  })
  const remove = button(texts.link.remove, {
    class: 'ed-row',
    text: texts.link.remove,
    press: () => {
      view.dispatch(view.state.tr.removeMark(range.from, range.to, type))
      finish()
    },
  })
  const popover = openPopover(
    rectAt(view, range.from),
    { root, takesFocus: true, role: 'dialog', 'aria-label': texts.link.title },
    field,
    ...(existing === undefined ? [] : [remove]),
  )
  return true
}
