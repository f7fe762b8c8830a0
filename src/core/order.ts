/** Positions for the `move` operations: before or after a sibling, or at the end. */

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
 * Ranks: text keys that sort between any two others, so that moving one thing rewrites one row.
 * Letters 0-9a-z by code order; the empty string stands for "no neighbour on that side".
 */
export function rankBetween(low: string, high: string): string {
  const digits = '0123456789abcdefghijklmnopqrstuvwxyz'
  let rank = ''
  for (let i = 0; ; i++) {
    const from = i < low.length ? digits.indexOf(low.charAt(i)) : 0
    const to = i < high.length && high.startsWith(rank) ? digits.indexOf(high.charAt(i)) : digits.length
    if (to - from > 1) return rank + digits[(from + to) >> 1]
    rank += digits[from]
  }
}
