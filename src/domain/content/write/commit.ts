/** Makes a content the next revision of a space or change request: stored, pointed at, and all that follows, in one transaction. */
import { fail } from '../../../core/errors.ts'
import type { Content } from '../../../core/revision/content.ts'
import { diff } from '../../../core/revision/map-diff.ts'
import type { PageRecord } from '../../../core/revision/records.ts'
import { addContributor, type ChangeRequestRow, moveChangeRequest } from '../../../store/content/change-requests.ts'
import type { ContentWriter } from '../../../store/content/content.ts'
import {
  insertRevision,
  isReferredTo,
  moveHead,
  type RevisionRow,
  supersede,
} from '../../../store/content/revisions.ts'
import { findEvent, removeEvent } from '../../../store/events/events.ts'
import { type Noted, note } from '../../events/note.ts'
import type { Base } from '../../handler.ts'
import { renderMoved } from '../../sites/render-ahead.ts'
import type { Things } from '../../things.ts'
import { followSource, refuseTranslated } from '../../translations/follow.ts'
import type { UnmarkedConflict } from '../merge/merge.ts'
import { mainMoved, mainReplaced } from './publish.ts'

export interface Next {
  writer: ContentWriter
  before: RevisionRow
  content: Content
  type: RevisionRow['type']
  parents?: string[]
  mergedFrom?: string
  /** Written by the run of the translation that the space holds. */
  isTranslation?: boolean
  /** So much has changed that search and links follow in a job. */
  indexLater?: boolean
  /** Takes the place of `before` instead of following it. */
  amends?: boolean
  /** JSON: the commit of a repository that says the same. */
  git?: string | undefined
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
  // A later import or export is held against it.
  if (before.git !== null) return false
  if (Date.parse(now) - Date.parse(before.begunAt ?? before.createdAt) >= amendMilliseconds) return false
  return !(await isReferredTo(db, { id: before.id, spaceId, changeRequestId }))
}

export async function commitMain(base: Base, space: Things['space'], next: Next): Promise<RevisionRow> {
  const { db, env, now } = base
  const { before, content } = next
  const revision = await storeRevision(base, space, next)
  if (!(await moveHead(db, { spaceId: space.id, from: before.id, to: revision.id, now }))) throw movedMeanwhile()
  await (next.indexLater ? mainReplaced : mainMoved)(db, {
    spaceId: space.id,
    organizationId: space.organizationId,
    appUrl: env.urls.app,
    before: before.content,
    after: content,
    now,
    isIndexing: space.indexedUpTo !== null,
  })
  await renderMoved(db, space)
  await followSource(db, { spaceId: space.id, isMerge: next.mergedFrom !== undefined, now })
  await noteContent(base, space, next, {
    action: 'space_content_updated',
    target: { type: 'space', id: space.id },
    data: {
      revision: revision.id,
      ...(next.mergedFrom === undefined ? {} : { mergedFrom: next.mergedFrom }),
    },
  })
  return revision
}

/** A revision that nothing stands at: it says what a source holds, for whoever compares with it later. */
export const storeBeside = (base: Base, space: Things['space'], next: Next): Promise<RevisionRow> =>
  storeRevision(base, space, next)

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
  await noteContent(base, space, next, {
    action: 'change_request_content_updated',
    target: { type: 'change-request', id: changeRequest.id },
    data: { space: space.id, number: changeRequest.number, revision: revision.id },
  })
  return revision
}

/** So many are named; whoever follows the events of a larger change loads everything anew. */
const mostPagesNamed = 100

/**
 * Notes which pages were added, changed or removed. A series of saves is told of once: the event of the last one takes the
 * place of the one before, as its revision does, and names its pages too. It is noted before the other goes: the numbers of
 * events only rise.
 */
async function noteContent(
  base: Base,
  { organizationId }: Things['space'],
  { writer, before, content, amends }: Next,
  event: Pick<Noted, 'action' | 'target'> & { data: Record<string, unknown> },
): Promise<void> {
  const { db, actor } = base
  const pages = (await diff<PageRecord>(writer, before.content.pages, content.pages)).map(({ key }) => key)
  const key = {
    organizationId,
    action: event.action,
    targetId: event.target.id,
    actorId: actor.user.id,
    occurredAt: before.createdAt,
  }
  const superseded = amends ? await findEvent(db, key) : undefined
  const earlier = superseded ? (JSON.parse(superseded.data).pages ?? []) : []
  const all = [...new Set<string>([...pages, ...earlier])].slice(0, mostPagesNamed)
  await note(base, { ...event, organizationId, data: { ...event.data, pages: all } })
  if (superseded) await removeEvent(db, { id: superseded.id })
}

async function storeRevision({ db, env, now, actor }: Base, space: Things['space'], next: Next): Promise<RevisionRow> {
  if (!next.isTranslation) await refuseTranslated(db, space.id)
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
    git: next.git ?? null,
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
