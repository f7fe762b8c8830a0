/** Revisions: immutable rows; a space or change request points at one and moves on by compare-and-set. */

import { sql } from 'kysely'
import type { Content } from '../../core/revision/content.ts'
import type { Connection, EngineName } from '../database.ts'
import { all, type Builder, dynamic, dynamicRun, first, run } from '../query.ts'
import type { RevisionTable } from '../tables.ts'

export interface RevisionRow extends Omit<RevisionTable, 'content' | 'parents'> {
  content: Content
  parents: string[]
}

const find = first((b, p: { id: string; spaceId: string }) =>
  b.selectFrom('revision').selectAll().where('id', '=', p.id).where('spaceId', '=', p.spaceId),
)

export type RevisionValues = Omit<RevisionRow, 'begunAt' | 'supersededAt'> & { begunAt?: string | null }

const parsed = (row: RevisionTable): RevisionRow => ({
  ...row,
  content: JSON.parse(row.content),
  parents: JSON.parse(row.parents),
})

export async function findRevision(
  db: Connection,
  key: { id: string; spaceId: string },
): Promise<RevisionRow | undefined> {
  const row = await find(db, key)
  return row && parsed(row)
}

export const insertRevision = (tx: Connection, row: RevisionValues): Promise<number> =>
  dynamicRun(tx, (b) =>
    b.insertInto('revision').values({
      ...row,
      supersededAt: null,
      content: JSON.stringify(row.content),
      parents: JSON.stringify(row.parents),
    }),
  )

/** Another revision takes its place. It stays for a day, for edits that were made from it. */
export const supersede = run((b, p: { id: string; now: string }) =>
  b.updateTable('revision').set({ supersededAt: p.now }).where('id', '=', p.id),
)

/**
 * Whether something refers to a revision beside the space or change request that stands at it: a comment, a review, a
 * change request that began with it, was brought up to date with it or proposes it.
 */
export async function isReferredTo(
  db: Connection,
  p: { id: string; spaceId: string; changeRequestId: string | undefined },
): Promise<boolean> {
  const rows = await findReferences(db, { ...p, changeRequestId: p.changeRequestId ?? '' })
  return rows.length > 0
}

const findReferences = all((b, p: { id: string; spaceId: string; changeRequestId: string }) =>
  b
    .selectFrom('comment')
    .select('comment.id')
    .where('spaceId', '=', p.spaceId)
    .where('revisionId', '=', p.id)
    .unionAll(
      b
        .selectFrom('review')
        .innerJoin('changeRequest', 'changeRequest.id', 'review.changeRequestId')
        .select('review.id')
        .where('changeRequest.spaceId', '=', p.spaceId)
        .where('review.revisionId', '=', p.id),
    )
    .unionAll(
      b
        .selectFrom('changeRequest')
        .select('id')
        .where('spaceId', '=', p.spaceId)
        .where((eb) =>
          eb.or([
            eb('revisionInitial', '=', p.id),
            eb('revisionMergedAncestor', '=', p.id),
            eb('revisionMerged', '=', p.id),
            eb.and([eb('revisionId', '=', p.id), eb('id', '<>', p.changeRequestId)]),
          ]),
        ),
    )
    .limit(1),
)

/**
 * A revision and those it follows, newest first, along the first parent of each: the history of a space, or of a change
 * request down to what that began with.
 */
export async function listLine(
  db: Connection,
  line: { from: string; until: string | undefined; limit: number },
): Promise<RevisionRow[]> {
  const rows = await dynamic(db, (b) =>
    b
      .withRecursive('line(id, next, position)', () => lineOf(b, line, db.engine))
      .selectFrom('line')
      .innerJoin('revision', 'revision.id', 'line.id')
      .selectAll('revision')
      .where('line.id', '<>', line.until ?? '')
      .orderBy('line.position'),
  )
  return rows.map(parsed)
}

/** How long such a line is. */
export async function countLine(db: Connection, line: { from: string; until: string | undefined }): Promise<number> {
  const [row] = await dynamic(db, (b) =>
    b
      .withRecursive('line(id, next, position)', () => lineOf(b, { ...line, limit: longestLine }, db.engine))
      .selectFrom('line')
      .select(sql<number>`count(*)`.as('count'))
      .where('line.id', '<>', line.until ?? ''),
  )
  return Number(row?.count ?? 0)
}

/** Where counting stops. */
const longestLine = 100_000

function lineOf(b: Builder, line: { from: string; until: string | undefined; limit: number }, engine: EngineName) {
  const parent = (parents: string) =>
    engine === 'sqlite'
      ? sql<string | null>`${sql.ref(parents)} ->> 0`
      : sql<string | null>`cast(${sql.ref(parents)} as jsonb) ->> 0`
  return b
    .selectFrom('revision')
    .select(['id', parent('parents').as('next'), sql<number>`1`.as('position')])
    .where('id', '=', line.from)
    .unionAll(
      b
        .selectFrom(sql<{ next: string | null; position: number; id: string }>`line`.as('before'))
        .innerJoin('revision', (join) => join.on(sql<boolean>`revision.id = before.next`))
        .select(['revision.id', parent('revision.parents').as('next'), sql<number>`before.position + 1`.as('position')])
        .where(sql<boolean>`before.position < ${line.limit}`)
        .where(sql<boolean>`before.id <> ${line.until ?? ''}`),
    )
}

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
