/** Comments, replies and reactions. Counters beside them are changed in the same transaction and stay equal to the rows. */
import { sql } from 'kysely'
import type { Connection } from './database.ts'
import { beyond, countAll, type Page } from './paging.ts'
import { dynamic, dynamicRun, first, oneOf, run } from './query.ts'
import type { CommentReplyTable, CommentTable, ReactionTable } from './tables.ts'

export type CommentRow = CommentTable
export type ReplyRow = CommentReplyTable
export type ReactionRow = ReactionTable

export const findComment = first((b, p: { id: string; spaceId: string }) =>
  b.selectFrom('comment').selectAll().where('id', '=', p.id).where('spaceId', '=', p.spaceId),
)
export const findReply = first((b, p: { id: string; commentId: string }) =>
  b.selectFrom('commentReply').selectAll().where('id', '=', p.id).where('commentId', '=', p.commentId),
)

export const insertComment = run((b, p: CommentTable) =>
  b.insertInto('comment').values({
    id: p.id,
    spaceId: p.spaceId,
    changeRequestId: p.changeRequestId,
    pageId: p.pageId,
    nodeId: p.nodeId,
    nodePreview: p.nodePreview,
    nodeMark: p.nodeMark,
    revisionId: p.revisionId,
    markdown: p.markdown,
    document: p.document,
    postedBy: p.postedBy,
    postedAt: p.postedAt,
    editedAt: p.editedAt,
    status: p.status,
    resolvedAt: p.resolvedAt,
    resolvedBy: p.resolvedBy,
    replies: p.replies,
  }),
)
export const updateComment = (tx: Connection, id: string, change: Partial<CommentTable>) =>
  dynamicRun(tx, (b) => b.updateTable('comment').set(change).where('id', '=', id))
export const deleteComment = run((b, p: { id: string }) => b.deleteFrom('comment').where('id', '=', p.id))

export const insertReply = (tx: Connection, row: CommentReplyTable) =>
  dynamicRun(tx, (b) => b.insertInto('commentReply').values(row))
export const updateReply = (tx: Connection, id: string, change: Partial<CommentReplyTable>) =>
  dynamicRun(tx, (b) => b.updateTable('commentReply').set(change).where('id', '=', id))
const removeReply = run((b, p: { id: string }) => b.deleteFrom('commentReply').where('id', '=', p.id))
const removeReactions = run((b, p: { id: string }) => b.deleteFrom('reaction').where('targetId', '=', p.id))

export async function deleteReply(tx: Connection, reply: { id: string; commentId: string }): Promise<void> {
  await removeReactions(tx, reply)
  if ((await removeReply(tx, reply)) > 0) await countReplies(tx, { id: reply.commentId, by: -1 })
}

export const countReplies = run((b, p: { id: string; by: number }) =>
  b
    .updateTable('comment')
    .set((eb) => ({ replies: eb('replies', '+', p.by) }))
    .where('id', '=', p.id),
)

const countInSpace = run((b, p: { id: string; by: number }) =>
  b
    .updateTable('space')
    .set((eb) => ({ comments: eb('comments', '+', p.by) }))
    .where('id', '=', p.id),
)
const countInChangeRequest = run((b, p: { id: string; by: number }) =>
  b
    .updateTable('changeRequest')
    .set((eb) => ({ comments: eb('comments', '+', p.by) }))
    .where('id', '=', p.id),
)

/** Open comments of main count on the space, those of a change request on it. */
export const countOpen = (
  tx: Connection,
  comment: { spaceId: string; changeRequestId: string | null },
  by: number,
): Promise<number> =>
  comment.changeRequestId === null
    ? countInSpace(tx, { id: comment.spaceId, by })
    : countInChangeRequest(tx, { id: comment.changeRequestId, by })

export interface CommentFilter {
  spaceId: string
  /** null: on main content. */
  changeRequestId: string | null
  status: 'all' | 'open' | 'resolved'
  targetPage?: string | undefined
  authors?: readonly string[] | undefined
}

const where = (db: Connection, filter: CommentFilter) => {
  const parts = [sql<boolean>`"comment"."spaceId" = ${filter.spaceId}`]
  parts.push(
    filter.changeRequestId === null
      ? sql<boolean>`"comment"."changeRequestId" is null`
      : sql<boolean>`"comment"."changeRequestId" = ${filter.changeRequestId}`,
  )
  if (filter.status !== 'all') parts.push(sql<boolean>`"comment"."status" = ${filter.status}`)
  if (filter.targetPage !== undefined) parts.push(sql<boolean>`"comment"."pageId" = ${filter.targetPage}`)
  if (filter.authors !== undefined)
    parts.push(oneOf(sql.ref('comment.postedBy'), JSON.stringify(filter.authors), db.engine))
  return sql<boolean>`${sql.join(parts, sql` and `)}`
}

export const listComments = (db: Connection, filter: CommentFilter, page: Page): Promise<CommentRow[]> =>
  dynamic(db, (b) =>
    b
      .selectFrom('comment')
      .selectAll()
      .where(where(db, filter))
      .where(beyond({ key: 'postedAt', id: 'id' }, page))
      .orderBy('postedAt', page.order)
      .orderBy('id', page.order)
      .limit(page.limit),
  )

export async function countComments(db: Connection, filter: CommentFilter): Promise<number> {
  const rows = await dynamic(db, (b) => b.selectFrom('comment').select(countAll).where(where(db, filter)))
  return rows[0]?.count ?? 0
}

export const listReplies = (db: Connection, commentId: string, page: Page): Promise<ReplyRow[]> =>
  dynamic(db, (b) =>
    b
      .selectFrom('commentReply')
      .selectAll()
      .where('commentId', '=', commentId)
      .where(beyond({ key: 'postedAt', id: 'id' }, page))
      .orderBy('postedAt', page.order)
      .orderBy('id', page.order)
      .limit(page.limit),
  )

/** Who replied to these comments, each once for each comment. */
export const repliersOf = (
  db: Connection,
  comments: readonly string[],
): Promise<{ commentId: string; postedBy: string }[]> =>
  comments.length === 0
    ? Promise.resolve([])
    : dynamic(db, (b) =>
        b
          .selectFrom('commentReply')
          .select(['commentId', 'postedBy'])
          .distinct()
          .where(oneOf(sql.ref('commentId'), JSON.stringify(comments), db.engine))
          .orderBy('commentId')
          .orderBy('postedBy'),
      )

export const reactionsOn = (db: Connection, targets: readonly string[]): Promise<ReactionRow[]> =>
  targets.length === 0
    ? Promise.resolve([])
    : dynamic(db, (b) =>
        b
          .selectFrom('reaction')
          .selectAll()
          .where(oneOf(sql.ref('targetId'), JSON.stringify(targets), db.engine))
          .orderBy('reactedAt')
          .orderBy('userId'),
      )

/** One reaction for each user and emoji: a second is the first. */
export const addReaction = run((b, p: ReactionTable) =>
  b
    .insertInto('reaction')
    .values({ targetId: p.targetId, emoji: p.emoji, userId: p.userId, commentId: p.commentId, reactedAt: p.reactedAt })
    .onConflict((oc) => oc.doNothing()),
)
export const removeReaction = run((b, p: { targetId: string; emoji: string; userId: string }) =>
  b
    .deleteFrom('reaction')
    .where('targetId', '=', p.targetId)
    .where('emoji', '=', p.emoji)
    .where('userId', '=', p.userId),
)

const reactionCount = first((b, p: { targetId: string }) =>
  b.selectFrom('reaction').select(countAll).where('targetId', '=', p.targetId),
)
export const countReactions = async (db: Connection, targetId: string): Promise<number> =>
  (await reactionCount(db, { targetId }))?.count ?? 0

/** The people who wrote comments or replies, by id. */
export const listCommenters = (
  db: Connection,
  filter: { spaceId: string; changeRequestId: string | null },
): Promise<{ userId: string }[]> =>
  dynamic(db, (b) => {
    const mine = where(db, { ...filter, status: 'all' })
    return b
      .selectFrom('comment')
      .select('comment.postedBy as userId')
      .where(mine)
      .union(
        b
          .selectFrom('commentReply')
          .innerJoin('comment', 'comment.id', 'commentReply.commentId')
          .select('commentReply.postedBy as userId')
          .where(mine),
      )
      .orderBy('userId')
  })
