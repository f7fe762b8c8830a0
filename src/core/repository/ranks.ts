/** Ranks for siblings whose order was given anew: as many as can keep the rank they have. */
import { ranksBetween } from '../order.ts'

/**
 * Ranks for pages in this order. `present` is the rank each has now under the same parent, `others` are the ranks of
 * siblings that stay where they are; pages that all are new go behind those.
 */
export function ranksFor(present: readonly (string | undefined)[], others: readonly string[]): string[] {
  const inOrder = increasing(present)
  const known = [...others, ...[...inOrder].map((at) => present[at] ?? '')].sort()
  const ranks: string[] = []
  for (let at = 0; at < present.length; ) {
    if (inOrder.has(at)) {
      ranks.push(present[at] ?? '')
      at++
      continue
    }
    let end = at
    while (end < present.length && !inOrder.has(end)) end++
    ranks.push(
      ...ranksBetween(...gapFor(ranks.at(-1), end < present.length ? present[end] : undefined, known), end - at),
    )
    at = end
  }
  return ranks
}

/** Where new pages go: right behind the one before them, else right before the next, else behind everything. */
function gapFor(before: string | undefined, next: string | undefined, known: readonly string[]): [string, string] {
  if (before !== undefined) return [before, known.find((rank) => rank > before) ?? '']
  if (next !== undefined) return [known.findLast((rank) => rank < next) ?? '', next]
  return [known.at(-1) ?? '', '']
}

/** The places of a longest run of ranks that are in order already. */
function increasing(ranks: readonly (string | undefined)[]): Set<number> {
  const ends: number[] = []
  const previous = new Map<number, number | undefined>()
  for (const [at, rank] of ranks.entries()) {
    if (rank === undefined) continue
    let low = 0
    let high = ends.length
    while (low < high) {
      const middle = (low + high) >> 1
      if ((ranks[ends[middle] ?? 0] ?? '') < rank) low = middle + 1
      else high = middle
    }
    previous.set(at, low === 0 ? undefined : ends[low - 1])
    ends[low] = at
  }
  const found = new Set<number>()
  for (let at = ends.at(-1); at !== undefined; at = previous.get(at)) found.add(at)
  return found
}
