/**
 * Merging a change request into main, and bringing one up to date with main: the same three-way merge, with the sides
 * exchanged.
 *
 * The merge is worked out before the transaction, against main as it is then; inside, it counts if main has not moved
 * since. If it has, it is worked out again for what has changed, outside. Main moves only when nothing conflicts.
 */
import { changeRequests } from '../../contract/content/change-requests.ts'
import { fail } from '../../core/errors.ts'
import type { MergeConflict } from '../../core/merge/merged-pages.ts'
import type { StoredMerge } from '../../core/merge/stored-documents.ts'
import type { Content } from '../../core/revision/content.ts'
import { type ChangeRequestRow, updateChangeRequestRow } from '../../store/content/change-requests.ts'
import { type ContentWriter, openContent } from '../../store/content/content.ts'
import type { RevisionRow } from '../../store/content/revisions.ts'
import { revisionOf } from '../content/at.ts'
import { hasMarkers } from '../content/merge/changes.ts'
import { mergeContents, type UnmarkedConflict, unmarked, withEarlier } from '../content/merge/merge.ts'
import { commitChangeRequest, commitMain } from '../content/write/commit.ts'
import { note } from '../events/note.ts'
import { type Base, phased, StalePreparation } from '../handler.ts'
import type { Things } from '../things.ts'
import { followStatus, refuseClosed } from './status.ts'

interface Merged {
  /** The revisions it was worked out from; it counts only while both are still current. */
  main: RevisionRow
  proposed: RevisionRow
  writer: ContentWriter
  /** Main with the proposal: what main becomes when nothing conflicts, else what the change request becomes. */
  content: Content
  conflicts: readonly MergeConflict[]
  /** Whether what is proposed still holds marks of an earlier merge. */
  hasMarkers: boolean
  /** The documents merged so far, for the case that it must be done again. */
  known: Map<string, StoredMerge>
}

/** What is asked of both: their calls are such a thing. */
type Merging = Base & { space: Things['space']; changeRequest: ChangeRequestRow }

export const mergeHandlers = {
  mergeChangeRequest: phased(changeRequests.mergeChangeRequest, {
    prepare,
    commit: async (call, merged) => {
      requireCurrent(call, merged)
      if (merged.hasMarkers) throw fail('unresolved_conflicts')
      if (merged.conflicts.length > 0) {
        const revision = await moveChangeRequest(call, merged)
        return { revision: revision.id, result: 'conflicts' as const }
      }
      const revision = await moveMain(call, merged)
      return { revision: revision.id, result: 'merge' as const }
    },
  }),

  updateChangeRequest: phased(changeRequests.updateChangeRequest, {
    prepare,
    commit: async (call, merged) => {
      requireCurrent(call, merged)
      // Up to date already: there is nothing to bring in.
      if (ancestorOf(call.changeRequest) === merged.main.id)
        return { revision: merged.proposed.id, result: 'update' as const }
      const revision = await moveChangeRequest(call, merged)
      const result = merged.conflicts.length > 0 ? ('conflicts' as const) : ('update' as const)
      return { revision: revision.id, result }
    },
  }),
}

/** Worked out again, it takes over the documents that were merged before. */
async function prepare(call: Merging, stale?: Merged): Promise<Merged> {
  refuseClosed(call.changeRequest)
  return workOut(call, stale?.known ?? new Map())
}

/** What was prepared counts only while both sides are what it was worked out from. */
function requireCurrent({ space, changeRequest }: Merging, prepared: Merged): void {
  refuseClosed(changeRequest)
  const isCurrent = prepared.main.id === space.revisionId && prepared.proposed.id === changeRequest.revisionId
  if (!isCurrent) throw new StalePreparation()
}

const ancestorOf = ({ revisionMergedAncestor, revisionInitial }: ChangeRequestRow): string =>
  revisionMergedAncestor ?? revisionInitial

async function workOut({ db, space, changeRequest }: Merging, known: Merged['known']): Promise<Merged> {
  const main = await revisionOf(db, space.id, space.revisionId)
  const proposed = await revisionOf(db, space.id, changeRequest.revisionId)
  const writer = openContent(db)
  const markers = await hasMarkers(writer, main.content, proposed.content)
  const given = { main, proposed, writer, known, hasMarkers: markers }
  const ancestor = ancestorOf(changeRequest)
  // Main has not moved since: what is proposed is what main becomes.
  if (ancestor === main.id) return { ...given, content: proposed.content, conflicts: [] }
  const base = await revisionOf(db, space.id, ancestor)
  const sides = { base: base.content, ours: main.content, theirs: proposed.content }
  return { ...given, ...(await mergeContents(writer, sides, known)) }
}

/** The conflicts that no document shows, of the merges of a change request so far. */
export const conflictsOf = ({ conflicts }: ChangeRequestRow): UnmarkedConflict[] =>
  conflicts === null ? [] : JSON.parse(conflicts)

/** Brings the change request up to date with main, with both versions of what conflicts. */
function moveChangeRequest(
  call: Merging,
  { main, proposed, writer, content, conflicts }: Merged,
): Promise<RevisionRow> {
  return commitChangeRequest(call, call.space, call.changeRequest, {
    writer,
    before: proposed,
    content,
    type: 'update',
    parents: [proposed.id, main.id],
    ancestor: main.id,
    conflicts: withEarlier(conflictsOf(call.changeRequest), unmarked(conflicts)),
  })
}

async function moveMain(call: Merging, { main, proposed, writer, content }: Merged): Promise<RevisionRow> {
  const { space, changeRequest, actor, now } = call
  const revision = await commitMain(call, space, {
    writer,
    before: main,
    content,
    type: 'merge',
    parents: [main.id, proposed.id],
    mergedFrom: changeRequest.id,
  })
  const change = {
    status: 'merged' as const,
    revisionMerged: revision.id,
    mergedBy: actor.user.id,
    mergedAt: now,
    updatedAt: now,
  }
  await updateChangeRequestRow(call.db, changeRequest.id, change)
  await followStatus(call, space, changeRequest, 'merged')
  await note(call, {
    organizationId: space.organizationId,
    action: 'change_request_merged',
    target: { type: 'change-request', id: changeRequest.id },
    data: { space: space.id, number: changeRequest.number, revision: revision.id },
  })
  return revision
}
