/** Makes a content the next revision of a space or change request: stored, pointed at, and all that follows, in one transaction. */
import { fail } from '../../../core/errors.ts'
import type { Content } from '../../../core/revision/content.ts'
import { diff } from '../../../core/revision/map.ts'
import type { PageRecord } from '../../../core/revision/records.ts'
import { addContributor, type ChangeRequestRow, moveChangeRequest } from '../../../store/change-requests.ts'
import type { ContentWriter } from '../../../store/content.ts'
import { insertRevision, moveHead, type RevisionRow } from '../../../store/revisions.ts'
import { note } from '../../events/note.ts'
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
  await note(base, {
    organizationId: space.organizationId,
    action: 'space_content_updated',
    target: { type: 'space', id: space.id },
    data: {
      revision: revision.id,
      pages: await changedPages(next),
      ...(next.mergedFrom === undefined ? {} : { mergedFrom: next.mergedFrom }),
    },
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
  await note(base, {
    organizationId: space.organizationId,
    action: 'change_request_content_updated',
    target: { type: 'change-request', id: changeRequest.id },
    data: {
      space: space.id,
      number: changeRequest.number,
      revision: revision.id,
      pages: await changedPages(next),
    },
  })
  return revision
}

/** So many are named; whoever follows the events of a larger change loads everything anew. */
const mostPagesNamed = 100

/** The pages that were added, changed or removed. */
async function changedPages({ writer, before, content }: Next): Promise<string[]> {
  const pages = await diff<PageRecord>(writer, before.content.pages, content.pages)
  return pages.slice(0, mostPagesNamed).map(({ key }) => key)
}

async function storeRevision({ db, env, now, actor }: Base, space: Things['space'], next: Next): Promise<RevisionRow> {
  await next.writer.flush(db, space.id, next.content)
  const revision: RevisionRow = {
    id: env.newId(),
    spaceId: space.id,
    parents: next.parents ?? [next.before.id],
    type: next.type,
    content: next.content,
    createdBy: actor.user.id,
    createdAt: now,
    mergedFrom: next.mergedFrom ?? null,
    git: null,
  }
  await insertRevision(db, revision)
  return revision
}

// Writes to one space take turns, so this is met only by writers that go round them.
const movedMeanwhile = () =>
  fail('conflict', 'The content changed at the same moment. Read it again and repeat the request.')
