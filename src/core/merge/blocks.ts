/**
 * Three-way merge of lists of blocks and of what the blocks hold.
 *
 * Every function here answers with a value and whether it clashes: whether the two sides want different things of it.
 * A clash travels up to the nearest list that can hold marked blocks, and that list keeps two versions, each
 * with all that did not clash. To make a version, the same functions run again with a side to prefer, and then
 * nothing clashes.
 */

import { same } from '../diff/equal.ts'
import { inlinesOf, isTextBlock, kindOf, noBlocks, partsOf } from '../diff/parts.ts'
import { withMarker } from '../document/tree/conflict-marker.ts'
import type { AnyBlock, Table } from '../document/tree/nodes.ts'
import { type Alignment, hasCarries } from './alignment.ts'
import { conflictId, type Side } from './conflicts.ts'
import { addsNothing } from './deletions.ts'
import { mergeFragments, mergeNodes } from './holders.ts'
import { type Gap, mergeOrders } from './order.ts'
import { mergeTable } from './tables.ts'
import { mergeWords } from './text.ts'
import { choose, chooseFields, type Three } from './three-way.ts'

export interface MergeContext {
  alignment: Alignment
  /** The side that decides; absent while clashes are still reported. */
  prefer?: Side
  /** Whether marked blocks may stand in this list. */
  holdsMarkers: boolean
  /** The side that deleted what this list is in: here it has no opinion, and counts as the base. */
  gone?: Side
}
export interface MergedList {
  nodes: AnyBlock[]
  clash: boolean
}
export type Versions = { base?: AnyBlock | undefined; ours?: AnyBlock | undefined; theirs?: AnyBlock | undefined }

export function mergeList(lists: Three<readonly AnyBlock[]>, context: MergeContext): MergedList {
  const { alignment } = context
  const old = new Set(lists.base)
  const common = commonInsertions(lists, alignment)
  const identities = {
    base: lists.base,
    ours: identitiesHere(lists.ours, old, context, 'ours'),
    theirs: identitiesHere(lists.theirs, old, context, 'theirs').map((block) => common.toOurs.get(block) ?? block),
  }
  const merged: MergedList = { nodes: [], clash: false }
  const emit = (identity: AnyBlock, side: Side): void => emitBlock(merged, versionsOf(identity, side, context), context)
  for (const { after, ours, theirs } of mergeOrders(identities)) {
    if (after !== undefined) emit(after, 'ours')
    const twins = pairInsertions({ ours: ours.filter((block) => !common.toTheirs.has(block)), theirs }, alignment)
    for (const identity of ours) {
      const twin = twins.get(identity) ?? common.toTheirs.get(identity)
      if (twin === undefined) emit(identity, 'ours')
      else emitBlock(merged, { ours: identity, theirs: twin }, context)
    }
    const paired = new Set(twins.values())
    for (const identity of theirs) if (!paired.has(identity)) emit(identity, 'theirs')
  }
  return merged
}

/** One block of the base, or of a side alone, with all it holds. */
function mergeBlock(versions: Versions, context: MergeContext): { node: AnyBlock; clash: boolean } | undefined {
  const { base, ours, theirs } = versions
  const one = ours ?? theirs
  if (one === undefined) return undefined
  if (!hasCarries(context.alignment)) {
    if (ours === undefined || theirs === undefined) return { node: one, clash: false }
    if (same(ours, theirs) || same(theirs, base)) return { node: ours, clash: false }
    if (same(ours, base)) return { node: theirs, clash: false }
  }
  const inside = goneInside(versions, context)
  // A side that deleted the block counts as the base inside it; a block of one side alone has no other versions.
  return mergeInside({ base, ours: ours ?? base, theirs: theirs ?? base, one }, inside)
}

/** The context inside a block: a side that has its own version of the block has an opinion there again. */
function goneInside({ base, ours, theirs }: Versions, { gone, ...rest }: MergeContext): MergeContext {
  if (base === undefined) return rest
  if (ours === undefined || (gone === 'ours' && ours === base)) return { ...rest, gone: 'ours' }
  if (theirs === undefined || (gone === 'theirs' && theirs === base)) return { ...rest, gone: 'theirs' }
  return rest
}

/** The things of a side's list that belong in this list, each by its identity: the base's block, or the block itself. */
function identitiesHere(
  list: readonly AnyBlock[],
  old: ReadonlySet<AnyBlock>,
  context: MergeContext,
  side: Side,
): AnyBlock[] {
  const { carriedByOurs, carriedByTheirs } = context.alignment
  const here: AnyBlock[] = []
  for (const block of list) {
    const identity = context.gone === side ? block : context.alignment[side].toBase.get(block)
    if (identity === undefined) {
      here.push(block)
      continue
    }
    const carrier = carriedByOurs.has(identity) ? 'ours' : carriedByTheirs.has(identity) ? 'theirs' : undefined
    const isAtHome = old.has(identity) ? carrier === undefined : carrier === side
    if (isAtHome && survives(versionsOf(identity, side, context), context)) here.push(identity)
  }
  return here
}

/** The versions of what a side's list names: a block that is not in the base has no other. */
function versionsOf(identity: AnyBlock, side: Side, { alignment, gone }: MergeContext): Versions {
  const { ours, theirs } = alignment
  if (!alignment.old.has(identity)) return side === 'ours' ? { ours: identity } : { theirs: identity }
  return {
    base: identity,
    ours: ours.fromBase.get(identity) ?? (gone === 'ours' ? identity : undefined),
    theirs: theirs.fromBase.get(identity) ?? (gone === 'theirs' ? identity : undefined),
  }
}

/** Deleted by one side, a block survives what the other wrote in it or carried away, unless the deleter decides. */
function survives({ base, ours, theirs }: Versions, context: MergeContext): boolean {
  if (base === undefined || (ours !== undefined && theirs !== undefined)) return true
  const left = ours ?? theirs
  if (left === undefined) return false
  const isCarried = context.alignment.carriedByOurs.has(base) || context.alignment.carriedByTheirs.has(base)
  const deleter = ours === undefined ? 'ours' : 'theirs'
  return (
    (isCarried || !addsNothing(base, left, context.alignment[deleter === 'ours' ? 'theirs' : 'ours'])) &&
    context.prefer !== deleter
  )
}

/** Blocks of one key that both sides have and the base has not: the same insertion, wherever in the list each has it. */
function commonInsertions({ ours, theirs }: Three<readonly AnyBlock[]>, alignment: Alignment) {
  const toOurs = new Map<AnyBlock, AnyBlock>()
  const toTheirs = new Map<AnyBlock, AnyBlock>()
  const isNew = (block: AnyBlock, side: Side): boolean => block.key !== undefined && !alignment[side].toBase.has(block)
  const byKey = new Map(ours.filter((block) => isNew(block, 'ours')).map((block) => [block.key, block]))
  if (byKey.size === 0) return { toOurs, toTheirs }
  for (const block of theirs) {
    const twin = isNew(block, 'theirs') ? byKey.get(block.key) : undefined
    if (twin === undefined || toTheirs.has(twin) || !isTwin(twin, block)) continue
    toOurs.set(block, twin)
    toTheirs.set(twin, block)
  }
  return { toOurs, toTheirs }
}

/** Blocks that both sides put into one gap: equal ones, and containers with one key, which are merged. */
function pairInsertions({ ours, theirs }: Gap<AnyBlock>, alignment: Alignment): Map<AnyBlock, AnyBlock> {
  const twins = new Map<AnyBlock, AnyBlock>()
  const isNew = (block: AnyBlock): boolean => !alignment.old.has(block)
  const free = theirs.filter(isNew)
  if (free.length === 0) return twins
  const used = new Set<AnyBlock>()
  for (const block of ours) {
    if (!isNew(block)) continue
    const twin = free.slice(0, widestGap).find((other) => !used.has(other) && isTwin(block, other))
    if (twin === undefined) continue
    used.add(twin)
    twins.set(block, twin)
  }
  return twins
}

/** How many insertions of the other side one insertion is compared with. */
const widestGap = 200

function isTwin(block: AnyBlock, other: AnyBlock): boolean {
  if (same(block, other)) return true
  if (block.key === undefined || block.key !== other.key || block.type !== other.type) return false
  return partsOf(block).size > 0 && block.type !== 'table' && same(block.data, other.data)
}

function emitBlock(merged: MergedList, versions: Versions, context: MergeContext): void {
  const { base, ours, theirs } = versions
  const isContested = base !== undefined && (ours === undefined || theirs === undefined) && context.prefer === undefined
  const result = mergeBlock(
    versions,
    isContested && context.holdsMarkers ? { ...context, prefer: survivor(versions) } : context,
  )
  if (result === undefined || becameEmpty(result.node, versions)) return
  const clash = result.clash || isContested
  if (!clash || !context.holdsMarkers) {
    merged.clash ||= clash
    merged.nodes.push(result.node)
    return
  }
  const id = conflictId(base ?? ours ?? result.node, {
    index: merged.nodes.length,
    signatures: context.alignment.signatures,
  })
  if (isContested) {
    merged.nodes.push(withMarker(result.node, { id, side: survivor(versions) }))
    return
  }
  for (const side of ['ours', 'theirs'] as const) {
    const version = mergeBlock(versions, { ...context, prefer: side })
    if (version !== undefined) merged.nodes.push(withMarker(version.node, { id, side }))
  }
}

const survivor = ({ ours }: Versions): Side => (ours === undefined ? 'theirs' : 'ours')

const emptied = new Set(['list', 'tabs', 'stepper', 'columns', 'updates', 'images'])

/** A list whose items were deleted by both sides together is gone, though neither deleted it. */
function becameEmpty(node: AnyBlock, { ours, theirs }: Versions): boolean {
  if (!emptied.has(kindOf(node)) || countBlocks(node) > 0) return false
  return ours !== undefined && theirs !== undefined && countBlocks(ours) > 0 && countBlocks(theirs) > 0
}

const countBlocks = (block: AnyBlock): number => (partsOf(block).get('nodes') ?? noBlocks).length

const asTable = (block: AnyBlock | undefined): Table | undefined => (block?.type === 'table' ? block : undefined)

type Inside = { base: AnyBlock | undefined; ours: AnyBlock | undefined; theirs: AnyBlock | undefined; one: AnyBlock }

function mergeInside({ base, ours, theirs, one }: Inside, context: MergeContext): { node: AnyBlock; clash: boolean } {
  const { prefer } = context
  const three = { base: base ?? one, ours: ours ?? one, theirs: theirs ?? one }
  const type = choose({ base: three.base.type, ours: three.ours.type, theirs: three.theirs.type }, prefer)
  const key = choose({ base: three.base.key, ours: three.ours.key, theirs: three.theirs.key }).value
  const node = Object.assign({ ...(prefer === 'theirs' ? three.theirs : three.ours) }, { type: type.value })
  if (key !== undefined) Object.assign(node, { key })
  if (node.type === 'table') {
    return mergeTable({ base: asTable(base), ours: asTable(ours), theirs: asTable(theirs) }, node, context)
  }
  const data = chooseFields({ base: three.base.data, ours: three.ours.data, theirs: three.theirs.data }, prefer)
  Object.assign(node, { data: data.value })
  let clash = prefer === undefined && (type.clash || data.clashes.length > 0)
  if (isTextBlock(three.base) && isTextBlock(three.ours) && isTextBlock(three.theirs)) {
    const { alignment } = context
    const inlines = {
      base: inlinesOf(three.base),
      ours: inlinesOf(three.ours),
      theirs: inlinesOf(three.theirs),
    }
    const words = mergeWords(inlines, { alignment, prefer })
    Object.assign(node, { nodes: words.nodes })
    clash ||= words.clash
  } else if ('nodes' in node) clash = mergeNodes(node, { base, ours, theirs }, context) || clash
  else if ('fragments' in node) clash = mergeFragments(node, { base, ours, theirs }, context) || clash
  return { node, clash }
}
