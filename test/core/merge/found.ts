/**
 * How often the laws are tried, and the recipes that once broke one: those are tried first, by every law.
 * `LAW_TIMES=50 LAW_SEED=random npx vitest run test/core/merge/laws.test.ts` looks for more.
 */

import type { Recipe } from './generate.ts'
import type { TreeRecipe } from './generate-pages.ts'

const times = Number(process.env.LAW_TIMES ?? '1')

export const triesOf = (count: number): number => count * times

export const longestLaw = 120_000 * times

export const foundTriples: readonly Recipe[] = [
  // A deletion that meets an insertion at its edge and bold inside it.
  { seed: 3480, size: 1, hasKeys: true, hasEchoes: false, ours: [26878, 54404], theirs: [49655, 52626] },
  // Each side deletes one of two tabs, and one moves the tabs as well.
  { seed: 4527, size: 7, hasKeys: true, hasEchoes: false, ours: [59879], theirs: [31599, 49574] },
  // A rule beside the one that the other side deletes.
  { seed: 5913, size: 3, hasKeys: true, hasEchoes: false, ours: [13542], theirs: [46332] },
  // A row for a column that the other side replaced by one of another type.
  { seed: 9466, size: 1, hasKeys: true, hasEchoes: false, ours: [99202], theirs: [94034, 23006] },
  // Two new rows that say the same.
  { seed: 2219, size: 1, hasKeys: true, hasEchoes: false, ours: [85514], theirs: [16941, 46172, 28094] },
  // A new paragraph between blocks that both sides move about.
  { seed: 7799, size: 5, hasKeys: true, hasEchoes: false, ours: [40611, 44917], theirs: [37148, 52856] },
  // A list that one side wrote in, and the other emptied and moved into what the first deleted.
  { seed: 11, size: 3, hasKeys: true, hasEchoes: true, ours: [50975, 0], theirs: [58319, 16894, 47705] },
]

export const foundTrees: readonly TreeRecipe[] = []
