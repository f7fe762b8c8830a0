/** Makes a content the next revision of a space: stored, pointed at, and everything that follows, in one transaction. */
import { fail } from '../../core/errors.ts'
import type { Content } from '../../core/revision/content.ts'
import type { ContentWriter } from '../../store/content.ts'
import { insertRevision, moveHead, type RevisionRow } from '../../store/revisions.ts'
import type { Base } from '../scope.ts'
import type { Things } from '../things.ts'
import { mainMoved } from './publish.ts'

export async function commitMain(
  base: Base,
  space: Things['space'],
  next: {
    writer: ContentWriter
    before: RevisionRow
    content: Content
    type: RevisionRow['type']
    parents?: string[]
    mergedFrom?: string
  },
): Promise<RevisionRow> {
  const { db, env, now, actor } = base
  const { writer, before, content } = next
  await writer.flush(db, space.id, content)
  const revision: RevisionRow = {
    id: env.newId(),
    spaceId: space.id,
    parents: next.parents ?? [before.id],
    type: next.type,
    content,
    createdBy: actor.user.id,
    createdAt: now,
    mergedFrom: next.mergedFrom ?? null,
    git: null,
  }
  await insertRevision(db, revision)
  if (!(await moveHead(db, { spaceId: space.id, from: before.id, to: revision.id, now }))) {
    throw fail('conflict', 'The content changed at the same moment. Read it again and repeat the request.')
  }
  await mainMoved(db, {
    spaceId: space.id,
    organizationId: space.organizationId,
    appUrl: env.urls.app,
    before: before.content,
    after: content,
    now,
  })
  return revision
}
