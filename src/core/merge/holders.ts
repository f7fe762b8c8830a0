/**
 * The lists inside a block: the children of a container, the fragments of an image or an expandable.
 */

import { noBlocks, partsOf } from '../diff/parts.ts'
import type { AnyBlock } from '../document/tree/nodes.ts'
import { type MergeContext, type MergedList, mergeList, type Versions } from './blocks.ts'

/** Lists whose items do not print one by one, so that a mark on an item could not be read back. */
const unmarkable = new Set(['code', 'images', 'prompt'])

/** Puts the merged children into `node`, which the caller has just made; whether they clash. */
export function mergeNodes(node: AnyBlock, versions: Versions, context: MergeContext): boolean {
  const holdsMarkers = !unmarkable.has(node.type) && context.holdsMarkers
  const merged = mergePart('nodes', versions, { ...context, holdsMarkers })
  const { nodes, clash } = node.type === 'prompt' ? exactlyOne(merged, 'nodes', versions, context) : merged
  Object.assign(node, { nodes })
  return clash
}

/** The same for fragments. */
export function mergeFragments(node: AnyBlock, versions: Versions, context: MergeContext): boolean {
  const fragments = new Map<string, object>()
  let clash = false
  for (const version of [versions.ours, versions.theirs])
    if (version !== undefined && 'fragments' in version)
      for (const part of version.fragments) {
        if (fragments.has(part.fragment)) continue
        const holdsMarkers = part.type === 'expandable-body' && context.holdsMarkers
        const merged = mergePart(part.fragment, versions, { ...context, holdsMarkers })
        const isTitle = part.type === 'expandable-title'
        const kept = isTitle ? exactlyOne(merged, part.fragment, versions, context) : merged
        clash ||= kept.clash
        const isEmptied = kept.nodes.length === 0 && part.nodes.length > 0 && part.type === 'caption'
        if (!isEmptied) fragments.set(part.fragment, { ...part, nodes: kept.nodes })
      }
  Object.assign(node, { fragments: [...fragments.values()] })
  return clash
}

function mergePart(part: string, { base, ours, theirs }: Versions, context: MergeContext): MergedList {
  const listOf = (version: AnyBlock | undefined): readonly AnyBlock[] =>
    version === undefined ? noBlocks : (partsOf(version).get(part) ?? noBlocks)
  return mergeList({ base: listOf(base), ours: listOf(ours), theirs: listOf(theirs) }, context)
}

/** A title has one paragraph: two new ones from two sides are a clash, not a list. */
function exactlyOne(merged: MergedList, part: string, { ours, theirs }: Versions, context: MergeContext): MergedList {
  if (merged.nodes.length === 1) return merged
  const version = context.prefer === 'theirs' ? (theirs ?? ours) : (ours ?? theirs)
  const nodes = version === undefined ? noBlocks : (partsOf(version).get(part) ?? noBlocks)
  return { nodes: [...nodes], clash: context.prefer === undefined }
}
