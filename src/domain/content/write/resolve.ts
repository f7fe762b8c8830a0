/** Decides one conflict of a document: one version stays, or both do. */
import { walkBlocks } from '../../../core/diff/parts.ts'
import { assignKeys } from '../../../core/document/tree/keys.ts'
import type { JSONDocument } from '../../../core/document/tree/nodes.ts'
import type { conflictChoices, OneOf } from '../../../core/enumerations.ts'
import { ApiError } from '../../../core/errors.ts'
import { conflictOf, resolveConflict } from '../../../core/merge/conflicts.ts'

/** `block` is the key of either version, or the id of the conflict, which is the key that the block had. */
export function decideConflict(
  document: JSONDocument | undefined,
  { block, keep }: { block: string; keep: OneOf<typeof conflictChoices> },
  field: string,
): JSONDocument {
  const id = document && conflictAt(document, block)
  if (document && id !== undefined) return assignKeys(resolveConflict(document, id, keep))
  throw new ApiError('not_found', {
    message: `No conflict stands at the block ${block}: it may be resolved already.`,
    details: [{ field, message: 'names no block with a conflict' }],
  })
}

function conflictAt(document: JSONDocument, block: string): string | undefined {
  let found: string | undefined
  walkBlocks(document, (node) => {
    const marker = conflictOf(node)
    if (marker && (marker.id === block || node.key === block)) found ??= marker.id
  })
  return found
}
