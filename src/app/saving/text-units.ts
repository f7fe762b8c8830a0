/** The text of a block in pieces that are compared as wholes. */
import type { Node as EditorNode } from 'prosemirror-model'

/** A word, a sign, a run of blanks, or an inline that stands for itself. */
interface Unit {
  face: string
  size: number
  node: EditorNode
}

export function unitsOf(parent: EditorNode): Unit[] {
  const units: Unit[] = []
  parent.forEach((child) => {
    const marks = JSON.stringify(child.marks.map((mark) => mark.toJSON()))
    if (!child.isText) {
      units.push({ face: `${marks} ${JSON.stringify(child.toJSON())}`, size: child.nodeSize, node: child })
      return
    }
    let from = 0
    for (const part of (child.text ?? '').split(/(\s+|[^\p{L}\p{N}\s])/u)) {
      if (part === '') continue
      units.push({ face: `${marks} ${part}`, size: part.length, node: child.cut(from, from + part.length) })
      from += part.length
    }
  })
  return units
}
