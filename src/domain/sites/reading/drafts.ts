/** Spaces as their reader meets them: to who previews a change request, its space holds what it proposes. */
import type { Actor } from '../../actor.ts'

export const withDrafts = <Row extends { id: string; revisionId: string }>(
  actor: Actor | undefined,
  rows: readonly Row[],
): Row[] => rows.map((row) => ({ ...row, revisionId: actor?.visitor?.drafts?.get(row.id) ?? row.revisionId }))
