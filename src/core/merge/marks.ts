/** Three-way merge of the marks of one word. */

import { same } from '../diff/equal.ts'
import type { Token } from '../diff/tokens.ts'
import type { Mark } from '../document/tree/nodes.ts'
import { markTypes } from '../document/tree/schema.ts'
import type { Side } from './conflicts.ts'
import { choose, type Three } from './three-way.ts'

export const commonMarks = (a: Token, b: Token | undefined): Mark[] =>
  a.marks.filter((mark) => b?.marks.some((other) => same(mark, other)))

/** Mark by mark: put on or taken off by one side is enough. Two different colours clash. */
export function mergeMarks(
  { base, ours, theirs }: Three<Mark[]>,
  prefer: Side | undefined,
): { value: Mark[]; clash: boolean } {
  if (same(ours, theirs) || same(theirs, base)) return { value: ours, clash: false }
  if (same(ours, base)) return { value: theirs, clash: false }
  let clash = false
  const value = markTypes.flatMap((type) => {
    const find = (marks: readonly Mark[]): Mark | undefined => marks.find((mark) => mark.type === type)
    const chosen = choose({ base: find(base), ours: find(ours), theirs: find(theirs) }, prefer)
    clash ||= chosen.clash
    return chosen.value ?? []
  })
  return { value, clash }
}
