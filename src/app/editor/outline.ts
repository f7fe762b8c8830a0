/** The headings of the page, to go to. */
import { NodeSelection, Selection, TextSelection } from 'prosemirror-state'
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

/** The block of this key with the cursor at its end, or the link of this key selected, wherever it stands by now. */
export function goTo(view: EditorView, key: string): void {
  const { doc, tr } = view.state
  let found: Selection | undefined
  doc.descendants((node, pos) => {
    if (found !== undefined) return false
    if (node.marks.some(({ attrs }) => attrs.key === key)) found = TextSelection.create(doc, pos, pos + node.nodeSize)
    else if (node.attrs.key === key)
      found = node.isAtom ? NodeSelection.create(doc, pos) : Selection.near(doc.resolve(pos + node.nodeSize - 1), -1)
    return found === undefined
  })
  if (found === undefined) return
  // An editor without the focus does not scroll.
  view.focus()
  view.dispatch(tr.setSelection(found).scrollIntoView())
}
