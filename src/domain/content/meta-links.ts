/** The same page elsewhere, for the head of a rendered page. */
import type { ContentRef } from '../../core/document/tree/nodes.ts'
import { fail } from '../../core/errors.ts'
import { pageById } from '../../core/revision/content.ts'
import { spacesTranslatedWith } from '../../store/content/translations.ts'
import type { Base } from '../handler.ts'
import { findSeen } from '../named.ts'
import { isAdmitted } from '../sites/reading/pages.ts'
import { type ContentAt, contentAt, pageIn } from './at.ts'

/** Pages keep their ids in translations. What the caller does not see is not told of. */
export async function metaLinks(base: Base, at: ContentAt, pageId: string): Promise<{ alternates: ContentRef[] }> {
  const page = await pageIn(at, pageId)
  const visitor = base.actor.visitor?.scope
  if (visitor && !(await isAdmitted(at, page, visitor))) throw fail('not_found')
  const pairs = await spacesTranslatedWith(base.db, { spaceId: at.space.id })
  const ids = new Set(pairs.flatMap(({ sourceSpaceId, resultSpaceId }) => [sourceSpaceId, resultSpaceId]))
  const alternates: ContentRef[] = []
  for (const id of ids) {
    const space = id === null || id === at.space.id ? undefined : await findSeen(base, 'space', id)
    if (!space) continue
    // As that space is now: what the path names beside the space is of this one.
    const there = await contentAt({ db: base.db, env: base.env, space })
    const twin = await pageById(there.reader, there.content, pageId)
    if (twin && (!visitor || (await isAdmitted(there, twin, visitor))))
      alternates.push({ kind: 'page', page: pageId, space: space.id })
  }
  return { alternates }
}
