/**
 * Leaves with sets of marks, as markup that nests: the mark that holds longest is opened first.
 */
import type { Leaf, Mark } from '../tree/nodes.ts'
import { sameMark } from '../tree/normalise-inline.ts'

export type Nested = { kind: 'text'; text: string } | { kind: 'mark'; mark: Mark; children: Nested[] }

export function nestMarks(leaves: readonly Leaf[]): Nested[] {
  const nested: Nested[] = []
  for (let at = 0; at < leaves.length; ) {
    const leaf = leaves[at]
    if (leaf === undefined) break
    const mark = longestMark(leaves, at)
    if (mark === undefined) {
      nested.push({ kind: 'text', text: leaf.text })
      at += 1
      continue
    }
    const end = at + reach(leaves, at, mark)
    const inner = leaves
      .slice(at, end)
      .map((part) => ({ ...part, marks: part.marks.filter((other) => !sameMark(other, mark)) }))
    nested.push({ kind: 'mark', mark, children: nestMarks(inner) })
    at = end
  }
  return nested
}

/** Code goes innermost: nothing is markup between backticks. */
function longestMark(leaves: readonly Leaf[], at: number): Mark | undefined {
  const marks = leaves[at]?.marks ?? []
  const candidates = marks.length > 1 ? marks.filter((mark) => mark.type !== 'code') : marks
  let best: Mark | undefined
  let bestReach = 0
  for (const mark of candidates) {
    const far = reach(leaves, at, mark)
    if (far <= bestReach) continue
    best = mark
    bestReach = far
  }
  return best
}

function reach(leaves: readonly Leaf[], at: number, mark: Mark): number {
  let far = 0
  while (leaves[at + far]?.marks.some((other) => sameMark(other, mark))) far += 1
  return far
}
