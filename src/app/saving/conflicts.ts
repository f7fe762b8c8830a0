/** Settling what two people wrote differently: mine, theirs, or both one after the other. */

import { markerOf, withoutMarker } from '../../core/document/tree/conflict-marker.ts'
import { assignKeys } from '../../core/document/tree/keys.ts'
import { makeDocument } from '../../core/document/tree/make.ts'
import type { Block, JSONDocument, Node } from '../../core/document/tree/nodes.ts'
import { childrenOf } from '../../core/document/tree/walk.ts'
import { type MergedDocument, mergeDocuments } from '../../core/merge/documents.ts'

export type Choice = 'mine' | 'theirs' | 'both'

interface Sides {
  base: readonly Block[]
  mine: readonly Block[]
  theirs: readonly Block[]
}

export function mergeBlocks({ base, mine, theirs }: Sides): MergedDocument {
  const document = (blocks: readonly Block[]): JSONDocument => makeDocument([...blocks])
  return mergeDocuments({ base: document(base), ours: document(mine), theirs: document(theirs) })
}

/** The merged document with every conflict settled by its choice. */
export function settle(document: JSONDocument, choiceOf: (id: string) => Choice): Block[] {
  const settled: JSONDocument = settleNode(document, choiceOf)
  // Both versions of a block carry its key.
  return assignKeys(JSON.parse(JSON.stringify(settled))).nodes
}

function settleNode<Of extends JSONDocument | Node>(node: Of, choiceOf: (id: string) => Choice): Of {
  if (childrenOf(node).length === 0) return node
  const keep = (children: readonly Node[]): Node[] =>
    children.flatMap((child) => {
      const marker = child.object === 'block' ? markerOf(child.data) : undefined
      if (marker === undefined || child.object !== 'block') return [settleNode(child, choiceOf)]
      const choice = choiceOf(marker.id)
      const isKept = choice === 'both' || (choice === 'mine') === (marker.side === 'ours')
      return isKept ? [settleNode(withoutMarker(child), choiceOf)] : []
    })
  const copy = { ...node }
  if ('nodes' in copy) Object.assign(copy, { nodes: keep(copy.nodes) })
  if ('fragments' in copy) Object.assign(copy, { fragments: keep(copy.fragments) })
  return copy
}
