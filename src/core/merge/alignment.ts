/**
 * Who is who in three documents, and which list each block of the base ends up in.
 *
 * A block that one side carried into another list (wrapped in a hint, say) is not deleted here and inserted there: it
 * is the same block, and what the other side wrote in it must follow it. So homes are settled before any list is
 * merged.
 *
 * 1. A block carried by one side goes where that side put it; carried by both, where ours put it.
 * 2. Homes never form a ring: a carry of theirs that would close one is dropped.
 * 3. A block that one side carried into what the other deleted goes there only if the other did not write in it: what is
 *    kept of a deleted block has one version, and no room for a second.
 */

import { same } from '../diff/equal.ts'
import { type Matches, matchBlocks } from '../diff/match.ts'
import { type Slots, slotsOf } from '../diff/parts.ts'
import { type Budget, newBudget } from '../diff/sequence.ts'
import type { AnyBlock, JSONDocument } from '../document/tree/nodes.ts'
import type { Signatures } from '../document/tree/signature.ts'
import type { AlignedWords } from './text.ts'
import type { Three } from './three-way.ts'

export interface Alignment {
  /** Every block of the base. */
  old: ReadonlySet<AnyBlock>
  ours: Matches
  theirs: Matches
  /** Blocks of the base that ours, or else theirs, carried into another list. */
  carriedByOurs: ReadonlySet<AnyBlock>
  carriedByTheirs: ReadonlySet<AnyBlock>
  signatures: Signatures
  budget: Budget
  /** The words of blocks that clash are aligned once, not once a version. */
  aligned: Map<unknown, AlignedWords>
}

export function alignVersions({ base, ours, theirs }: Three<JSONDocument>): Alignment {
  const tools = { signatures: new Map(), budget: newBudget(), trustsKeys: true }
  const slots = { base: slotsOf(base), ours: slotsOf(ours), theirs: slotsOf(theirs) }
  const old = { document: base, slots: slots.base }
  const matches = {
    ours: matchBlocks(old, { document: ours, slots: slots.ours }, tools),
    theirs: matchBlocks(old, { document: theirs, slots: slots.theirs }, tools),
  }
  const carriedByOurs = carriedBlocks(slots.base, slots.ours, matches.ours)
  const carriedByTheirs = carriedBlocks(slots.base, slots.theirs, matches.theirs)
  for (const block of carriedByOurs) carriedByTheirs.delete(block)
  const homes: Homes = { matches, slots, carriedByOurs, carriedByTheirs }
  if (carriedByOurs.size > 0 && carriedByTheirs.size > 0) dropRings(homes)
  dropIntoDeleted(homes, 'ours')
  dropIntoDeleted(homes, 'theirs')
  return { ...matches, old: new Set(slots.base.keys()), carriedByOurs, carriedByTheirs, ...tools, aligned: new Map() }
}

/** Whether some block changed its list: then no block can be taken whole from a side without looking inside. */
export const hasCarries = (alignment: Alignment): boolean =>
  alignment.carriedByOurs.size + alignment.carriedByTheirs.size > 0

type Holder = JSONDocument | AnyBlock
function carriedBlocks(base: Slots, side: Slots, matches: Matches): Set<AnyBlock> {
  const carried = new Set<AnyBlock>()
  for (const [block, old] of matches.toBase) {
    const now = side.get(block)
    const before = base.get(old)
    if (now === undefined || before === undefined) continue
    if (now.part !== before.part || identityOf(now.holder, matches) !== rootOr(before.holder)) carried.add(old)
  }
  return carried
}

const rootOr = (holder: Holder): AnyBlock | undefined => (holder.object === 'document' ? undefined : holder)

/** The base's block where there is one; a document is the same in all three. */
function identityOf(holder: Holder, matches: Matches): AnyBlock | undefined {
  return holder.object === 'document' ? undefined : (matches.toBase.get(holder) ?? holder)
}

interface Homes {
  matches: { ours: Matches; theirs: Matches }
  slots: { base: Slots; ours: Slots; theirs: Slots }
  carriedByOurs: Set<AnyBlock>
  carriedByTheirs: Set<AnyBlock>
}

function dropRings(homes: Homes): void {
  for (const carried of [...homes.carriedByTheirs]) {
    const seen = new Set<AnyBlock>()
    let above = homeOf(carried, homes)
    while (above !== undefined && above !== carried && !seen.has(above)) {
      seen.add(above)
      above = homeOf(above, homes)
    }
    if (above === carried) homes.carriedByTheirs.delete(carried)
  }
}

function dropIntoDeleted(homes: Homes, side: 'ours' | 'theirs'): void {
  const carried = side === 'ours' ? homes.carriedByOurs : homes.carriedByTheirs
  const other = homes.matches[side === 'ours' ? 'theirs' : 'ours']
  for (const block of [...carried]) {
    const version = other.fromBase.get(block)
    if (version === undefined || !isIntoDeleted(block, homes, other) || same(version, block)) continue
    carried.delete(block)
  }
}

function isIntoDeleted(block: AnyBlock, homes: Homes, other: Matches): boolean {
  const seen = new Set<AnyBlock>()
  for (let above = homeOf(block, homes); above !== undefined && !seen.has(above); above = homeOf(above, homes)) {
    if (homes.slots.base.has(above) && !other.fromBase.has(above)) return true
    seen.add(above)
  }
  return false
}

/** What the block will stand in; `undefined` at the root. A block that is not in the base stands in its own side. */
function homeOf(block: AnyBlock, { matches, slots, carriedByOurs, carriedByTheirs }: Homes): AnyBlock | undefined {
  const side = carriedByOurs.has(block) || slots.ours.has(block) ? 'ours' : 'theirs'
  const isOld = slots.base.has(block)
  if (isOld && !carriedByOurs.has(block) && !carriedByTheirs.has(block)) {
    const holder = slots.base.get(block)?.holder
    return holder === undefined ? undefined : rootOr(holder)
  }
  const own = isOld ? matches[side].fromBase.get(block) : block
  const holder = own === undefined ? undefined : slots[side].get(own)?.holder
  return holder === undefined ? undefined : identityOf(holder, matches[side])
}
