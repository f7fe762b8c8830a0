/** Comments, replies and reactions. Counters beside them are changed in the same transaction and stay equal to the rows. */
import { type RawBuilder, sql } from 'kysely'
import type { Connection, EngineName } from '../database.ts'
import { eventColumns, insertEvent, type NewEvent, newEventsIn } from '../events/events.ts'
import { gathered } from '../gathered.ts'
import { beyond, countAll, type Order, type Page, type PageValues, pageIn, pageValues } from '../paging.ts'
import { all, dynamic, first, formed, oneOf, pick, rowsIn, run, selectFrom, updater } from '../query.ts'
import type { CommentReplyTable, CommentTable, ReactionTable } from '../tables.ts'

export type CommentRow = CommentTable
export type ReplyRow = CommentReplyTable
export type ReactionRow = ReactionTable

export const findComment = first((b, p: { id: string; spaceId: string }) =>
  b.selectFrom('comment').selectAll().where('id', '=', p.id).where('spaceId', '=', p.spaceId),
)
export const findReply = first((b, p: { id: string; commentId: string }) =>
  b.selectFrom('commentReply').selectAll().where('id', '=', p.id).where('commentId', '=', p.commentId),
)

const commentColumns = [
  'id',
  'spaceId',
  'changeRequestId',
  'pageId',
  'nodeId',
  'nodePreview',
  'tableCell',
  'nodeMark',
  'revisionId',
  'markdown',
  'document',
  'postedBy',
  'postedAt',
  'editedAt',
  'status',
  'resolvedAt',
  'resolvedBy',
  'replies',
] as const satisfies readonly (keyof CommentTable)[]

const insertComment = run((b, p: CommentTable) => b.insertInto('comment').values(pick(p, commentColumns)))
export const updateComment = updater('comment')
export const deleteComment = run((b, p: { id: string }) => b.deleteFrom('comment').where('id', '=', p.id))

const replyColumns = [
  'id',
  'commentId',
  'markdown',
  'document',
  'postedBy',
  'postedAt',
  'editedAt',
] as const satisfies readonly (keyof CommentReplyTable)[]

const insertReply = run((b, p: CommentReplyTable) => b.insertInto('commentReply').values(pick(p, replyColumns)))
export const updateReply = updater('commentReply')
const removeReply = run((b, p: { id: string }) => b.deleteFrom('commentReply').where('id', '=', p.id))
const removeReactionsOn = run((b, p: { id: string }) => b.deleteFrom('reaction').where('targetId', '=', p.id))

export async function deleteReply(tx: Connection, reply: { id: string; commentId: string }): Promise<void> {
  await removeReactionsOn(tx, reply)
  if ((await removeReply(tx, reply)) > 0) await countReplies(tx, { id: reply.commentId, by: -1 })
}

const countReplies = run((b, p: { id: string; by: number }) =>
  b
    .updateTable('comment')
    .set((eb) => ({ replies: eb('replies', '+', p.by) }))
    .where('id', '=', p.id),
)

interface Reply {
  reply: ReplyRow
  event: NewEvent
}

/** On PostgreSQL. */
const postRepliesAtOnce = run((b, p: { replies: string; events: string }) =>
  b
    .with('posted', (q) =>
      q
        .insertInto('commentReply')
        .columns(replyColumns)
        .expression(selectFrom(replyColumns, rowsIn('commentReply', p.replies))),
    )
    .with('counted', (q) =>
      q
        .updateTable('comment')
        .from(countsOf('commentId', rowsIn('commentReply', p.replies)))
        .set({ replies: sql`"comment"."replies" + "new"."count"` })
        .whereRef('comment.id', '=', 'new.id'),
    )
    .insertInto('event')
    .columns(eventColumns)
    .expression(newEventsIn(p.events)),
)

async function postRepliesOneByOne(tx: Connection, posted: readonly Reply[]): Promise<void> {
  for (const { reply, event } of posted) {
    await insertReply(tx, reply)
    await insertEvent(tx, event)
  }
  for (const [id, by] of tally(posted.map(({ reply }) => reply.commentId))) await countReplies(tx, { id, by })
}

const postReplies = gathered<Reply>((tx, posted) =>
  tx.engine === 'sqlite'
    ? postRepliesOneByOne(tx, posted)
    : postRepliesAtOnce(tx, {
        replies: JSON.stringify(posted.map(({ reply }) => reply)),
        events: JSON.stringify(posted.map(({ event }) => event)),
      }),
)

/** A reply, counted, with the event that tells of it. */
export const postReply = (tx: Connection, reply: ReplyRow, event: NewEvent): Promise<void> =>
  postReplies(tx, { reply, event })

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

interface Posting {
  comment: CommentRow
  event: NewEvent
}

/** On PostgreSQL. */
const postCommentsAtOnce = run((b, p: { comments: string; events: string }) =>
  b
    .with('posted', (q) =>
      q
        .insertInto('comment')
        .columns(commentColumns)
        .expression(selectFrom(commentColumns, rowsIn('comment', p.comments))),
    )
    .with('inSpaces', (q) =>
      q
        .updateTable('space')
        .from(countsOf('spaceId', sql`${rowsIn('comment', p.comments)} where "changeRequestId" is null`))
        .set({ comments: sql`"space"."comments" + "new"."count"` })
        .whereRef('space.id', '=', 'new.id'),
    )
    .with('inChangeRequests', (q) =>
      q
        .updateTable('changeRequest')
        .from(countsOf('changeRequestId', sql`${rowsIn('comment', p.comments)} where "changeRequestId" is not null`))
        .set({ comments: sql`"changeRequest"."comments" + "new"."count"` })
        .whereRef('changeRequest.id', '=', 'new.id'),
    )
    .insertInto('event')
    .columns(eventColumns)
    .expression(newEventsIn(p.events)),
)

async function postCommentsOneByOne(tx: Connection, posted: readonly Posting[]): Promise<void> {
  for (const { comment, event } of posted) {
    await insertComment(tx, comment)
    await insertEvent(tx, event)
  }
  const onMain = posted.flatMap(({ comment }) => (comment.changeRequestId === null ? comment.spaceId : []))
  const proposed = posted.flatMap(({ comment }) => comment.changeRequestId ?? [])
  for (const [id, by] of tally(onMain)) await countInSpace(tx, { id, by })
  for (const [id, by] of tally(proposed)) await countInChangeRequest(tx, { id, by })
}

const postComments = gathered<Posting>((tx, posted) =>
  tx.engine === 'sqlite'
    ? postCommentsOneByOne(tx, posted)
    : postCommentsAtOnce(tx, {
        comments: JSON.stringify(posted.map(({ comment }) => comment)),
        events: JSON.stringify(posted.map(({ event }) => event)),
      }),
)

/** A comment that is open, counted, with the event that tells of it. */
export const postComment = (tx: Connection, comment: CommentRow, event: NewEvent): Promise<void> =>
  postComments(tx, { comment, event })

/** How many of the rows name each thing. */
const countsOf = (column: string, rows: RawBuilder<unknown>) =>
  sql<{
    id: string
    count: number
  }>`(select ${sql.ref(column)} as "id", count(*) as "count" from ${rows} group by 1)`.as<'new'>('new')

/** How often each is named. */
function tally(names: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1)
  return counts
}

export interface CommentFilter {
  spaceId: string
  /** null: on main content. */
  changeRequestId: string | null
  status: 'all' | 'open' | 'resolved'
  targetPage?: string | undefined
  authors?: readonly string[] | undefined
}

/** Which of the filters are given. */
interface Form {
  inChangeRequest: boolean
  status: boolean
  targetPage: boolean
  authors: boolean
}

interface Values {
  spaceId: string
  changeRequestId: string | null
  status: string
  targetPage: string | undefined
  authors: string
}

const formOf = (filter: CommentFilter): Form => ({
  inChangeRequest: filter.changeRequestId !== null,
  status: filter.status !== 'all',
  targetPage: filter.targetPage !== undefined,
  authors: filter.authors !== undefined,
})

const valuesOf = (filter: CommentFilter): Values => ({
  spaceId: filter.spaceId,
  changeRequestId: filter.changeRequestId,
  status: filter.status,
  targetPage: filter.targetPage,
  authors: JSON.stringify(filter.authors ?? []),
})

const where = (p: Values, engine: EngineName, form: Form) => {
  const parts = [
    sql<boolean>`"comment"."spaceId" = ${p.spaceId}`,
    form.inChangeRequest
      ? sql<boolean>`"comment"."changeRequestId" = ${p.changeRequestId}`
      : sql<boolean>`"comment"."changeRequestId" is null`,
  ]
  if (form.status) parts.push(sql<boolean>`"comment"."status" = ${p.status}`)
  if (form.targetPage) parts.push(sql<boolean>`"comment"."pageId" = ${p.targetPage}`)
  if (form.authors) parts.push(oneOf(sql.ref('comment.postedBy'), p.authors, engine))
  return sql<boolean>`${sql.join(parts, sql` and `)}`
}

const commentsOn = formed((b, p: Values & PageValues, engine, form: Form & { order: Order }) =>
  b
    .selectFrom('comment')
    .selectAll()
    .where(where(p, engine, form))
    .where(beyond({ key: 'postedAt', id: 'id' }, pageIn(p, form.order)))
    .orderBy('postedAt', form.order)
    .orderBy('id', form.order)
    .limit(sql<number>`${p.limit}`),
)

export const listComments = (db: Connection, filter: CommentFilter, page: Page): Promise<CommentRow[]> =>
  commentsOn(db, { ...formOf(filter), order: page.order }, { ...valuesOf(filter), ...pageValues(page) })

const commentCount = formed((b, p: Values, engine, form: Form) =>
  b
    .selectFrom('comment')
    .select(countAll)
    .where(where(p, engine, form)),
)

export const countComments = async (db: Connection, filter: CommentFilter): Promise<number> =>
  (await commentCount(db, formOf(filter), valuesOf(filter)))[0]?.count ?? 0

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

const repliersIn = all((b, p: { comments: string }, engine) =>
  b
    .selectFrom('commentReply')
    .select(['commentId', 'postedBy'])
    .distinct()
    .where(oneOf(sql.ref('commentId'), p.comments, engine))
    .orderBy('commentId')
    .orderBy('postedBy'),
)

/** Who replied to these comments, each once for each comment. */
export const repliersOf = (
  db: Connection,
  comments: readonly string[],
): Promise<{ commentId: string; postedBy: string }[]> =>
  comments.length === 0 ? Promise.resolve([]) : repliersIn(db, { comments: JSON.stringify(comments) })

const reactionsIn = all((b, p: { targets: string }, engine) =>
  b
    .selectFrom('reaction')
    .selectAll()
    .where(oneOf(sql.ref('targetId'), p.targets, engine))
    .orderBy('reactedAt')
    .orderBy('userId'),
)

export const reactionsOn = (db: Connection, targets: readonly string[]): Promise<ReactionRow[]> =>
  targets.length === 0 ? Promise.resolve([]) : reactionsIn(db, { targets: JSON.stringify(targets) })

type Reacting = Pick<ReactionTable, 'targetId' | 'userId'> & { emojis: readonly string[] }

/** One reaction for each user and emoji: a second is the first. */
export async function addReactions(
  tx: Connection,
  { emojis, ...reaction }: Reacting & Pick<ReactionTable, 'commentId' | 'reactedAt'>,
): Promise<void> {
  if (emojis.length === 0) return
  const rows = emojis.map((emoji) => ({ ...reaction, emoji }))
  await dynamic(tx, (b) =>
    b
      .insertInto('reaction')
      .values(rows)
      .onConflict((oc) => oc.doNothing()),
  )
}

const reactionsRemoved = run((b, p: { targetId: string; userId: string; emojis: string }, engine) =>
  b
    .deleteFrom('reaction')
    .where('targetId', '=', p.targetId)
    .where('userId', '=', p.userId)
    .where(oneOf(sql.ref('emoji'), p.emojis, engine)),
)
export async function removeReactions(tx: Connection, { emojis, ...reaction }: Reacting): Promise<void> {
  if (emojis.length > 0) await reactionsRemoved(tx, { ...reaction, emojis: JSON.stringify(emojis) })
}

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
    const mine = where(valuesOf({ ...filter, status: 'all' }), db.engine, formOf({ ...filter, status: 'all' }))
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
