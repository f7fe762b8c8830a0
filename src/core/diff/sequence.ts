/**
 * Aligning two sequences: which items of one are which items of the other, in order.
 *
 * A shortest edit script (Myers, from the `diff` package) costs the square of the number of edits, so it runs only
 * where that is small. Long stretches are first cut at the items that occur once on both sides.
 *
 * 1. The pairs rise on both sides, and paired items are equal.
 * 2. Work is bounded by the budget, whatever the input; when it is spent, stretches stay unpaired, which callers
 *    read as «all of this was replaced».
 */
import { diffArrays } from 'diff'

/** Steps of edit scripts that one diff or merge of a document may take in all. */
export interface Budget {
  steps: number
}
export const newBudget = (): Budget => ({ steps: 600_000 })

/** For every place of `a` the place of its partner in `b`, or -1. */
export function alignSequences<Item>(a: readonly Item[], b: readonly Item[], budget: Budget): Int32Array {
  const numbers = new Map<Item, number>()
  const numbered = (items: readonly Item[]): number[] =>
    items.map((item) => {
      const known = numbers.get(item)
      if (known !== undefined) return known
      numbers.set(item, numbers.size)
      return numbers.size - 1
    })
  const aligning: Aligning = { a: numbered(a), b: numbered(b), partners: new Int32Array(a.length).fill(-1), budget }
  alignRange(aligning, { fromA: 0, toA: a.length, fromB: 0, toB: b.length }, 0)
  return aligning.partners
}

/** The places of one longest rising subsequence. */
export function longestRising(values: readonly number[]): Set<number> {
  const tails: number[] = []
  const previous = new Int32Array(values.length).fill(-1)
  values.forEach((value, index) => {
    let low = 0
    let high = tails.length
    while (low < high) {
      const middle = (low + high) >> 1
      if ((values[tails[middle] ?? 0] ?? 0) < value) low = middle + 1
      else high = middle
    }
    previous[index] = low === 0 ? -1 : (tails[low - 1] ?? -1)
    tails[low] = index
  })
  const rising = new Set<number>()
  for (let index = tails.at(-1) ?? -1; index >= 0; index = previous[index] ?? -1) rising.add(index)
  return rising
}

interface Aligning {
  a: number[]
  b: number[]
  partners: Int32Array
  budget: Budget
}
interface Range {
  fromA: number
  toA: number
  fromB: number
  toB: number
}

const shortRange = 400
const mostEdits = 400
const mostCuts = 8

function alignRange(aligning: Aligning, range: Range, cuts: number): void {
  const { a, b, partners } = aligning
  let { fromA, toA, fromB, toB } = range
  while (fromA < toA && fromB < toB && a[fromA] === b[fromB]) partners[fromA++] = fromB++
  while (fromA < toA && fromB < toB && a[toA - 1] === b[toB - 1]) partners[--toA] = --toB
  if (fromA === toA || fromB === toB) return
  const rest = { fromA, toA, fromB, toB }
  const isShort = toA - fromA + (toB - fromB) <= shortRange
  if (isShort || cuts === mostCuts || !cutAtAnchors(aligning, rest, cuts)) alignByEdits(aligning, rest)
}

/** Pairs items that stand once in both ranges and aligns what lies between; false when there are none. */
function cutAtAnchors(aligning: Aligning, range: Range, cuts: number): boolean {
  const indexInB = onceIn(aligning.b, range.fromB, range.toB)
  const shared: { a: number; b: number }[] = []
  for (const [item, a] of onceIn(aligning.a, range.fromA, range.toA)) {
    const b = indexInB.get(item) ?? -1
    if (a >= 0 && b >= 0) shared.push({ a, b })
  }
  if (shared.length === 0) return false
  shared.sort((one, other) => one.a - other.a)
  const rising = longestRising(shared.map(({ b }) => b))
  let { fromA, fromB } = range
  shared.forEach(({ a, b }, index) => {
    if (!rising.has(index)) return
    alignRange(aligning, { fromA, toA: a, fromB, toB: b }, cuts + 1)
    aligning.partners[a] = b
    fromA = a + 1
    fromB = b + 1
  })
  alignRange(aligning, { fromA, toA: range.toA, fromB, toB: range.toB }, cuts + 1)
  return true
}

/** The place of each item of a range; -1 for an item that occurs more than once. */
function onceIn(items: readonly number[], from: number, to: number): Map<number, number> {
  const indexes = new Map<number, number>()
  for (let at = from; at < to; at += 1) {
    const item = items[at] ?? 0
    indexes.set(item, indexes.has(item) ? -1 : at)
  }
  return indexes
}

function alignByEdits({ a, b, partners, budget }: Aligning, { fromA, toA, fromB, toB }: Range): void {
  const maxEditLength = Math.min(mostEdits, Math.floor(Math.sqrt(2 * budget.steps)))
  if (maxEditLength < 2) return
  const script = diffArrays(a.slice(fromA, toA), b.slice(fromB, toB), { maxEditLength })
  const edits = script?.reduce((sum, { added, removed, count }) => (added || removed ? sum + count : sum), 0)
  budget.steps -= (((edits ?? maxEditLength) ** 2) >> 1) + (toA - fromA) + (toB - fromB)
  let indexInA = fromA
  let indexInB = fromB
  for (const { added, removed, count } of script ?? []) {
    if (!added && !removed) for (let at = 0; at < count; at += 1) partners[indexInA + at] = indexInB + at
    if (!added) indexInA += count
    if (!removed) indexInB += count
  }
}
