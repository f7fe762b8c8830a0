/** Words in an empty page, and in the empty paragraph that has the cursor. */
import { Plugin } from 'prosemirror-state'
import { Decoration, DecorationSet } from 'prosemirror-view'

export function placeholder(words: string): Plugin {
  return new Plugin({
    props: {
      decorations({ doc, selection }) {
        const { $from, empty } = selection
        const node = $from.parent
        const isAlone =
          doc.childCount === 1 && doc.firstChild?.isTextblock === true && doc.firstChild.content.size === 0
        if (isAlone)
          return DecorationSet.create(doc, [Decoration.node(0, 2, { class: 'is-empty', 'data-placeholder': words })])
        if (!empty || $from.depth !== 1 || node.type.name !== 'paragraph' || node.content.size > 0) return null
        return DecorationSet.create(doc, [
          Decoration.node($from.before(), $from.after(), { class: 'is-empty', 'data-placeholder': words }),
        ])
      },
    },
  })
}
