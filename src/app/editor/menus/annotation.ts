/** The note behind a word, written as Markdown. */
import type { EditorView } from 'prosemirror-view'
import { assignKeys } from '../../../core/document/tree/keys.ts'
import { fragment, makeDocument } from '../../../core/document/tree/make.ts'
import type { EditorContext } from '../context.ts'
import { withKeys } from '../document/keys.ts'
import { schema } from '../document/schema.ts'
import { button, make } from '../dom.ts'
import { randomKey } from '../random-key.ts'
import { markRange } from './mark-range.ts'
import { openPopover } from './popover.ts'
import { rectAt } from './typeahead.ts'

export async function openAnnotation(view: EditorView, context: EditorContext): Promise<void> {
  const { texts, root } = context
  const type = schema.marks.annotation
  const { selection } = view.state
  const existing = selection.$from.parent.isTextblock ? markRange(view.state, selection.from, 'annotation') : undefined
  const range = existing ?? (selection.empty ? undefined : { from: selection.from, to: selection.to })
  if (range === undefined || type === undefined || !view.editable) return
  const { readMarkdown, printMarkdown } = await import('../markdown.ts')
  const [body] = existing?.mark.attrs.fragments ?? []
  const area = make('textarea', { class: 'ed-input', rows: 5, 'aria-label': texts.marks.annotation })
  area.value = body === undefined ? '' : printMarkdown(makeDocument(body.nodes))
  const finish = (): void => {
    popover.close()
    view.focus()
  }
  const apply = button(texts.link.apply, {
    class: 'ed-row',
    text: texts.link.apply,
    press: () => {
      const { nodes } = assignKeys(makeDocument(readMarkdown(area.value).nodes))
      const key = existing?.mark.attrs.key ?? randomKey()
      const fragments = withKeys([{ ...fragment('annotation-body', nodes), key: '' }], `${key}-0`)
      view.dispatch(
        view.state.tr
          .removeMark(range.from, range.to, type)
          .addMark(range.from, range.to, type.create({ key, fragments })),
      )
      finish()
    },
  })
  const remove = button(texts.menu.delete, {
    class: 'ed-row',
    text: texts.menu.delete,
    press: () => {
      view.dispatch(view.state.tr.removeMark(range.from, range.to, type))
      finish()
    },
  })
  const popover = openPopover(
    rectAt(view, range.from),
    { root, takesFocus: true, role: 'dialog', 'aria-label': texts.marks.annotation },
    area,
    apply,
    remove,
  )
}
