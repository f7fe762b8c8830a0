/**
 * Three-way merge of an order: where each thing stands when two sides have put things in, taken things out and moved
 * them about in one list.
 *
 * The things that neither side moved or removed stand still and cut the list into gaps. A thing that a side put in or
 * moved stands in the gap that side chose.
 *
 * 1. In one gap ours come first, each side's in its own order.
 * 2. A thing that both sides moved stands where ours has it.
 * 3. Nothing that both lists hold is given twice, and nothing that either list placed is left out.
 */
import { longestRising } from '../diff/sequence.ts'

/** Things of one identity are equal (`===`) in all three lists. */
export interface Orders<Of> {
  base: readonly Of[]
  ours: readonly Of[]
  theirs: readonly Of[]
}
export interface Gap<Of> {
  /** The thing that stands still before the gap; absent at the start. */
  after?: Of
  ours: Of[]
  theirs: Of[]
}

/** The gaps in order; reading `after`, `ours`, `theirs` of each gives the merged list. */
export function mergeOrders<Of>({ base, ours, theirs }: Orders<Of>): Gap<Of>[] {
  const indexes = new Map(base.map((thing, index) => [thing, index]))
  const movedOurs = movedIn(ours, indexes)
  const movedTheirs = movedIn(theirs, indexes)
  const inTheirs = new Set(theirs)
  const inOurs = new Set(ours)
  const isStill = (thing: Of): boolean =>
    indexes.has(thing) && inOurs.has(thing) && inTheirs.has(thing) && !movedOurs.has(thing) && !movedTheirs.has(thing)
  // A thing in both lists follows the side that moved it, and ours when both did.
  const followsTheirs = (thing: Of): boolean =>
    !inOurs.has(thing) || (indexes.has(thing) && movedTheirs.has(thing) && !movedOurs.has(thing))
  const gaps: Gap<Of>[] = [{ ours: [], theirs: [] }]
  for (const thing of ours)
    if (isStill(thing)) gaps.push({ after: thing, ours: [], theirs: [] })
    else if (!(inTheirs.has(thing) && followsTheirs(thing))) gaps.at(-1)?.ours.push(thing)
  let gap = 0
  for (const thing of theirs)
    if (isStill(thing)) gap += 1
    else if (followsTheirs(thing)) gaps[gap]?.theirs.push(thing)
  return gaps
}

export function inOrder<Of>(gaps: readonly Gap<Of>[]): Of[] {
  return gaps.flatMap(({ after, ours, theirs }) => [...(after === undefined ? [] : [after]), ...ours, ...theirs])
}

function movedIn<Of>(list: readonly Of[], indexes: ReadonlyMap<Of, number>): Set<Of> {
  const known = list.filter((thing) => indexes.has(thing))
  const rising = longestRising(known.map((thing) => indexes.get(thing) ?? 0))
  return new Set(known.filter((_, index) => !rising.has(index)))
}
