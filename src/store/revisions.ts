/** Revisions: immutable rows; a space or change request points at one and moves on by compare-and-set. */
import type { Content } from '../core/revision/content.ts'
import type { Connection } from './database.ts'
import { dynamicRun, first, run } from './query.ts'
import type { RevisionTable } from './tables.ts'

export interface RevisionRow extends Omit<RevisionTable, 'content' | 'parents'> {
  content: Content
  parents: string[]
}

const find = first((b, p: { id: string; spaceId: string }) =>
  b.selectFrom('revision').selectAll().where('id', '=', p.id).where('spaceId', '=', p.spaceId),
)

export async function findRevision(
  db: Connection,
  key: { id: string; spaceId: string },
): Promise<RevisionRow | undefined> {
  const row = await find(db, key)
  return row && { ...row, content: JSON.parse(row.content), parents: JSON.parse(row.parents) }
}

export const insertRevision = (tx: Connection, row: RevisionRow): Promise<number> =>
  dynamicRun(tx, (b) =>
    b
      .insertInto('revision')
      .values({ ...row, content: JSON.stringify(row.content), parents: JSON.stringify(row.parents) }),
  )

/** Moves a space on to a new revision; false when someone else moved it first. */
export const moveHead = async (
  tx: Connection,
  move: { spaceId: string; from: string; to: string; now: string },
): Promise<boolean> => (await setHead(tx, move)) === 1

const setHead = run((b, p: { spaceId: string; from: string; to: string; now: string }) =>
  b
    .updateTable('space')
    .set({ revisionId: p.to, updatedAt: p.now })
    .where('id', '=', p.spaceId)
    .where('revisionId', '=', p.from),
)

const alias = run((b, p: { spaceId: string; parentId: string; slug: string; pageId: string; createdAt: string }) =>
  b
    .insertInto('slugAlias')
    .values({ spaceId: p.spaceId, parentId: p.parentId, slug: p.slug, pageId: p.pageId, createdAt: p.createdAt })
    .onConflict((oc) =>
      oc.columns(['spaceId', 'parentId', 'slug']).doUpdateSet({ pageId: p.pageId, createdAt: p.createdAt }),
    ),
)

/** Notes that a page was found under this segment, so that old paths go on leading to it. */
export const putAlias = alias

export const findAlias = first((b, p: { spaceId: string; parentId: string; slug: string }) =>
  b
    .selectFrom('slugAlias')
    .select('pageId')
    .where('spaceId', '=', p.spaceId)
    .where('parentId', '=', p.parentId)
    .where('slug', '=', p.slug),
)
