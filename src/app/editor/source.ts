/** The page as Markdown, to read and to change. Blocks keep their keys where their words stay alike. */
import type { EditorView } from 'prosemirror-view'
import { assignKeys } from '../../core/document/tree/keys.ts'
import { applyBlocks } from '../saving/apply-blocks.ts'
import type { EditorContext } from './context.ts'
import { toDocument } from './document/to-document.ts'
import { button, make } from './dom.ts'

export async function openSource(view: EditorView, context: EditorContext, changed: () => void): Promise<void> {
  const { texts, root } = context
  if (root.querySelector('.ed-source') !== null) return
  const { readMarkdown, printMarkdown } = await import('./markdown.ts')
  const before = toDocument(view.state.doc)
  const area = make('textarea', {
    class: 'ed-input ed-code',
    'aria-label': texts.source.field,
    spellcheck: 'false',
    dir: 'auto',
  })
  area.value = printMarkdown(before)
  const printed = area.value
  const close = (): void => {
    dialog.remove()
    view.dom.hidden = false
    view.focus()
  }
  const apply = (): void => {
    // What others wrote meanwhile is brought in by the next save; here only one's own text counts.
    if (area.value !== printed && view.editable) {
      const after = assignKeys(readMarkdown(area.value), toDocument(view.state.doc))
      view.dispatch(applyBlocks(view.state, after.nodes, { undoable: true }))
      changed()
    }
    close()
  }
  const dialog = make(
    'div',
    { class: 'ed-source', role: 'dialog', 'aria-label': texts.source.title },
    area,
    make(
      'div',
      { class: 'ed-bar' },
      button(texts.source.apply, { class: 'ed-row', text: texts.source.apply, press: apply }),
      button(texts.source.cancel, { class: 'ed-row', text: texts.source.cancel, press: close }),
    ),
  )
  dialog.addEventListener('keydown', (event) => {
    if (event.key === 'Escape') close()
    else if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) apply()
    else return
    event.preventDefault()
  })
  view.dom.hidden = true
  view.dom.before(dialog)
  area.focus()
}
