/**
 * Paragraphs that one side split in two, or joined, while the other wrote in them.
 *
 * A split leaves the left half under the old key and the right half under a new one, so that to a merge by key the
 * right half looks deleted here and inserted there. Before documents are merged, what one side cut is cut in the base
 * and on the other side as well, at the place that stands for it there; a join is made on all three likewise. From
 * then on each half is a block that all three have, and the merge of words does the rest.
 *
 * 1. A side that did nothing to the block is cut exactly as the base is, so that it still has nothing to say.
 * 2. Every word of the three documents stays.
 * 3. Only blocks with keys are looked at: without them which block is which is a guess already.
 */

import type { JSONDocument } from '../../document/tree/nodes.ts'
import type { Three } from '../three-way.ts'
import { applyJoins } from './joins.ts'
import { applySplits } from './splits.ts'

/** Pieces beyond this many are merged as insertions. */
const mostRounds = 12

export function alignCuts(three: Three<JSONDocument>): Three<JSONDocument> {
  // Joins first: what a cut adds to the base below is nothing that the other side could have joined.
  return repeat(applySplits, repeat(applyJoins, three))
}

function repeat(step: (three: Three<JSONDocument>) => Three<JSONDocument>, three: Three<JSONDocument>) {
  let now = three
  for (let round = 0; round < mostRounds; round += 1) {
    const next = step(now)
    if (next === now) break
    now = next
  }
  return now
}
