/**
 * Merging a change request into main, and bringing one up to date with main: the same three-way merge, with the sides
 * exchanged.
 *
 * The merge is worked out before the transaction, against main as it is then; inside, it counts if main has not moved
 * since, and is worked out again if it has. Main moves only when nothing conflicts.
 */
import { changeRequests } from '../../contract/change-requests.ts'
import { fail } from '../../core/errors.ts'
import type { MergeConflict } from '../../core/merge/merged-pages.ts'
import type { Content } from '../../core/revision/content.ts'
import { type ChangeRequestRow, updateChangeRequestRow } from '../../store/change-requests.ts'
import { type ContentWriter, openContent } from '../../store/content.ts'
import type { Connection } from '../../store/database.ts'
import type { RevisionRow } from '../../store/revisions.ts'
import { followStatus, refuseClosed } from '../change-requests.ts'
import { revisionOf } from '../content/at.ts'
import { hasMarks } from '../content/changes.ts'
import { commitChangeRequest, commitMain } from '../content/commit.ts'
import { mergeContents, unmarked } from '../content/merge.ts'
import { note } from '../events.ts'
import { phased } from '../scope.ts'
import type { Things } from '../things.ts'

interface Merged {
  /** The revisions it was worked out from; it counts only while both are still current. */
  main: RevisionRow
  proposed: RevisionRow
  writer: ContentWriter
  /** Main with the proposal: what main becomes when nothing conflicts, else what the change request becomes. */
  content: Content
  conflicts: readonly MergeConflict[]
}

async function workOut(db: Connection, space: Things['space'], changeRequest: ChangeRequestRow): Promise<Merged> {
  const ancestor = changeRequest.revisionMergedAncestor ?? changeRequest.revisionInitial
  const main = await revisionOf(db, space.id, space.revisionId)
  const proposed = await revisionOf(db, space.id, changeRequest.revisionId)
  const writer = openContent(db)
  // Main has not moved since: what is proposed is what main becomes.
  if (ancestor === main.id) return { main, proposed, writer, content: proposed.content, conflicts: [] }
  const base = await revisionOf(db, space.id, ancestor)
  const { content, conflicts } = await mergeContents(writer, {
    base: base.content,
    ours: main.content,
    theirs: proposed.content,
  })
  return { main, proposed, writer, content, conflicts }
}

const stillTrue = (merged: Merged, space: Things['space'], changeRequest: ChangeRequestRow): boolean =>
  merged.main.id === space.revisionId && merged.proposed.id === changeRequest.revisionId

export const mergeHandlers = {
  mergeChangeRequest: phased(changeRequests.mergeChangeRequest, {
    prepare: async ({ db, space, changeRequest }) => {
      refuseClosed(changeRequest)
      return workOut(db, space, changeRequest)
    },
    commit: async ({ space, changeRequest, ...base }, prepared) => {
      refuseClosed(changeRequest)
      const merged = stillTrue(prepared, space, changeRequest) ? prepared : await workOut(base.db, space, changeRequest)
      const { main, proposed, writer } = merged
      if (await hasMarks(writer, main.content, proposed.content)) throw fail('unresolved_conflicts')
      if (merged.conflicts.length > 0) {
        const revision = await commitChangeRequest(base, space, changeRequest, {
          writer,
          before: proposed,
          content: merged.content,
          type: 'update',
          parents: [proposed.id, main.id],
          ancestor: main.id,
          conflicts: unmarked(merged.conflicts),
        })
        return { revision: revision.id, result: 'conflicts' as const }
      }
      const revision = await commitMain(base, space, {
        writer,
        before: main,
        content: merged.content,
        type: 'merge',
        parents: [main.id, proposed.id],
        mergedFrom: changeRequest.id,
      })
      const change = {
        status: 'merged' as const,
        revisionMerged: revision.id,
        mergedBy: base.actor.user.id,
        mergedAt: base.now,
        updatedAt: base.now,
      }
      await updateChangeRequestRow(base.db, changeRequest.id, change)
      await followStatus(base, space, changeRequest, 'merged')
      await note(base, {
        organizationId: space.organizationId,
        action: 'change_request_merged',
        target: { type: 'change-request', id: changeRequest.id },
        data: { space: space.id, number: changeRequest.number, revision: revision.id },
      })
      return { revision: revision.id, result: 'merge' as const }
    },
  }),

  updateChangeRequest: phased(changeRequests.updateChangeRequest, {
    prepare: async ({ db, space, changeRequest }) => {
      refuseClosed(changeRequest)
      return workOut(db, space, changeRequest)
    },
    commit: async ({ space, changeRequest, ...base }, prepared) => {
      refuseClosed(changeRequest)
      const merged = stillTrue(prepared, space, changeRequest) ? prepared : await workOut(base.db, space, changeRequest)
      const { main, proposed, writer } = merged
      const ancestor = changeRequest.revisionMergedAncestor ?? changeRequest.revisionInitial
      // Up to date already: there is nothing to bring in.
      if (ancestor === main.id) return { revision: proposed.id, result: 'update' as const }
      const revision = await commitChangeRequest(base, space, changeRequest, {
        writer,
        before: proposed,
        content: merged.content,
        type: 'update',
        parents: [proposed.id, main.id],
        ancestor: main.id,
        conflicts: unmarked(merged.conflicts),
      })
      return {
        revision: revision.id,
        result: merged.conflicts.length > 0 ? ('conflicts' as const) : ('update' as const),
      }
    },
  }),
}
