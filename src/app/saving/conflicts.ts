/** Settling what two people wrote differently: mine, theirs, or both one after the other. */

import { assignKeys } from '../../core/document/tree/keys.ts'
import { makeDocument } from '../../core/document/tree/make.ts'
import type { Block, JSONDocument } from '../../core/document/tree/nodes.ts'
import { conflictsIn, resolveConflict } from '../../core/merge/conflicts.ts'
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
  const sides = { mine: 'ours', theirs: 'theirs', both: 'both' } as const
  let settled = document
  for (const { id } of conflictsIn(document)) settled = resolveConflict(settled, id, sides[choiceOf(id)])
  return assignKeys(JSON.parse(JSON.stringify(settled))).nodes
}
