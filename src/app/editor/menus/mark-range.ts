/** Where a link or an annotation begins and ends. */
import type { Mark } from 'prosemirror-model'
import type { EditorState } from 'prosemirror-state'

/** The words under one mark around a position. */
export function markRange(
  state: EditorState,
  pos: number,
  name: string,
): { from: number; to: number; mark: Mark } | undefined {
  const $pos = state.doc.resolve(pos)
  const start = $pos.start()
  let found: { from: number; to: number; mark: Mark } | undefined
  $pos.parent.forEach((child, offset) => {
    const mark = child.marks.find(({ type }) => type.name === name)
    const from = start + offset
    if (mark === undefined || from > pos || from + child.nodeSize < pos) return
    let begin = from
    let end = from + child.nodeSize
    $pos.parent.forEach((other, at) => {
      if (!other.marks.some((one) => one.eq(mark))) return
      begin = Math.min(begin, start + at)
      end = Math.max(end, start + at + other.nodeSize)
    })
    found ??= { from: begin, to: end, mark }
  })
  return found
}
