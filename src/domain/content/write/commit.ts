/** Makes a content the next revision of a space or change request: stored, pointed at, and all that follows, in one transaction. */
import { fail } from '../../../core/errors.ts'
import type { Content } from '../../../core/revision/content.ts'
import { addContributor, type ChangeRequestRow, moveChangeRequest } from '../../../store/change-requests.ts'
import type { ContentWriter } from '../../../store/content.ts'
import { removeEvent } from '../../../store/events.ts'
import { insertRevision, isReferredTo, moveHead, type RevisionRow, supersede } from '../../../store/revisions.ts'
import { note } from '../../events.ts'
import type { Base } from '../../scope.ts'
import type { Things } from '../../things.ts'
import type { UnmarkedConflict } from '../merge/merge.ts'
import { mainMoved } from './publish.ts'

export interface Next {
  writer: ContentWriter
  before: RevisionRow
  content: Content
  type: RevisionRow['type']
  parents?: string[]
  mergedFrom?: string
  /** Takes the place of `before` instead of following it. */
  amends?: boolean
}

/** For how long a series of saves stays one revision. */
const amendMilliseconds = 10 * 60 * 1000

/** Whether a save may take the place of the last one: an edit of the same author, still young, that nothing refers to. */
export async function mayAmend(
  { db, actor, now }: Base,
  before: RevisionRow,
  { spaceId, changeRequestId }: { spaceId: string; changeRequestId?: string },
): Promise<boolean> {
  if (before.type !== 'edits' || before.createdBy !== actor.user.id || before.parents.length === 0) return false
  if (Date.parse(now) - Date.parse(before.begunAt ?? before.createdAt) >= amendMilliseconds) return false
  return !(await isReferredTo(db, { id: before.id, spaceId, changeRequestId }))
}

export async function commitMain(base: Base, space: Things['space'], next: Next): Promise<RevisionRow> {
  const { db, env, now } = base
  const { before, content } = next
  const revision = await storeRevision(base, space, next)
  if (!(await moveHead(db, { spaceId: space.id, from: before.id, to: revision.id, now }))) throw movedMeanwhile()
  await mainMoved(db, {
    spaceId: space.id,
    organizationId: space.organizationId,
    appUrl: env.urls.app,
    before: before.content,
    after: content,
    now,
  })
  const target = { type: 'space', id: space.id }
  if (next.amends) await forgetSuperseded(base, space, { action: 'space_content_updated', target, before })
  await note(base, {
    organizationId: space.organizationId,
    action: 'space_content_updated',
    target,
    data: { revision: revision.id, ...(next.mergedFrom === undefined ? {} : { changeRequest: next.mergedFrom }) },
  })
  return revision
}

/** The same for what a change request proposes. `ancestor` is the main revision it is now up to date with. */
export async function commitChangeRequest(
  base: Base,
  space: Things['space'],
  changeRequest: ChangeRequestRow,
  next: Next & { ancestor?: string; conflicts?: readonly UnmarkedConflict[] },
): Promise<RevisionRow> {
  const { db, now, actor } = base
  const revision = await storeRevision(base, space, next)
  const moved = await moveChangeRequest(db, {
    id: changeRequest.id,
    from: next.before.id,
    revisionId: revision.id,
    updatedAt: now,
    ...(next.ancestor === undefined ? {} : { revisionMergedAncestor: next.ancestor }),
    ...(next.conflicts === undefined ? {} : { conflicts: JSON.stringify(next.conflicts) }),
  })
  if (!moved) throw movedMeanwhile()
  await addContributor(db, { changeRequestId: changeRequest.id, userId: actor.user.id, firstAt: now })
  const action = 'change_request_content_updated'
  const target = { type: 'change-request', id: changeRequest.id }
  if (next.amends) await forgetSuperseded(base, space, { action, target, before: next.before })
  await note(base, {
    organizationId: space.organizationId,
    action,
    target,
    data: { space: space.id, number: changeRequest.number, revision: revision.id },
  })
  return revision
}

/** A series of saves is told of once: the event of the last one takes the place of the one before, as its revision does. */
const forgetSuperseded = (
  { db, actor }: Base,
  { organizationId }: Things['space'],
  { action, target, before }: { action: string; target: { type: string; id: string }; before: RevisionRow },
): Promise<number> =>
  removeEvent(db, { organizationId, action, targetId: target.id, actorId: actor.user.id, occurredAt: before.createdAt })

async function storeRevision({ db, env, now, actor }: Base, space: Things['space'], next: Next): Promise<RevisionRow> {
  await next.writer.flush(db, space.id, next.content)
  const { before } = next
  const revision: RevisionRow = {
    id: env.newId(),
    spaceId: space.id,
    parents: next.parents ?? (next.amends ? before.parents : [before.id]),
    type: next.type,
    content: next.content,
    createdBy: actor.user.id,
    createdAt: now,
    mergedFrom: next.mergedFrom ?? null,
    git: null,
    begunAt: next.amends ? (before.begunAt ?? before.createdAt) : null,
    supersededAt: null,
  }
  await insertRevision(db, revision)
  if (next.amends) await supersede(db, { id: before.id, now })
  return revision
}

// Writes to one space take turns, so this is met only by writers that go round them.
const movedMeanwhile = () =>
  fail('conflict', 'The content changed at the same moment. Read it again and repeat the request.')
