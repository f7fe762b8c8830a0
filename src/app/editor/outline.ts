/** The headings of the page, to go to. */
import { TextSelection } from 'prosemirror-state'
import type { EditorView } from 'prosemirror-view'

export interface Heading {
  key: string
  title: string
  level: 1 | 2 | 3
  /** Brings it into view, with the cursor at its end. */
  go(): void
}

export function outlineOf(view: EditorView): Heading[] {
  const headings: Heading[] = []
  view.state.doc.descendants((node, pos) => {
    const level = /^heading_([123])$/.exec(node.type.name)?.[1]
    if (level !== undefined && node.textContent.trim() !== '') {
      const { key } = node.attrs
      headings.push({
        key: key ?? String(pos),
        title: node.textContent.trim(),
        level: level === '1' ? 1 : level === '2' ? 2 : 3,
        go: () => goTo(view, key),
      })
    }
    return !node.isTextblock
  })
  return headings
}

/** By its key: the place may have moved since the outline was made. */
function goTo(view: EditorView, key: string): void {
  view.state.doc.descendants((node, pos) => {
    if (node.attrs.key !== key) return true
    view.dispatch(
      view.state.tr.setSelection(TextSelection.create(view.state.doc, pos + 1 + node.content.size)).scrollIntoView(),
    )
    view.focus()
    return false
  })
}
