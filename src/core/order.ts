/** Positions for the `move` operations: before or after a sibling, or at the end. */
import { generateKeyBetween, generateNKeysBetween } from 'fractional-indexing'

export interface Position<Ref> {
  before?: Ref | undefined
  after?: Ref | undefined
}

/**
 * The list with `item` moved (or put in) at the position. `null` when the position names something that is not in the
 * list. With both `before` and `after`, `before` decides: it is the more exact wish of the two at the end of a list.
 */
export function reorder<T>(list: readonly T[], item: T, position: Position<T>): T[] | null {
  const rest = list.filter((other) => other !== item)
  const anchor = position.before ?? position.after
  if (anchor === undefined) return [...rest, item]
  if (anchor === item) return [...list]
  const index = rest.indexOf(anchor)
  if (index < 0) return null
  rest.splice(position.before === undefined ? index + 1 : index, 0, item)
  return rest
}

/**
 * Ranks: text keys that sort between any two others, so that moving one thing rewrites one row. They stay short when
 * things are added at an end, where most are. The empty text stands for "no neighbour on that side".
 */
export const rankBetween = (low: string, high: string): string => generateKeyBetween(low || null, above(low, high))

/** `count` ranks in order between two neighbours. */
export const ranksBetween = (low: string, high: string, count: number): string[] =>
  generateNKeysBetween(low || null, above(low, high), count)

/**
 * Ranks for `count` things that come to stand at an index among others. Between two of the same rank there is none: then those that
 * stand behind with that rank are pushed on, to ranks of their own.
 */
export function ranksAt(
  ranks: readonly string[],
  { index, count }: { index: number; count: number },
): { coming: string[]; pushed: string[] } {
  const low = ranks[index - 1] ?? ''
  const next = ranks.findIndex((rank, i) => i >= index && rank > low)
  const end = next < 0 ? ranks.length : next
  const all = ranksBetween(low, ranks[end] ?? '', count + end - index)
  return { coming: all.slice(0, count), pushed: all.slice(count) }
}

// Two sides that inserted at one place may have given the same rank: behind both is then the only place left.
const above = (low: string, high: string): string | null => (high === '' || high <= low ? null : high)
