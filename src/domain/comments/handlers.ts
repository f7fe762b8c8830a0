/** Comments on spaces and change requests, their replies and reactions. */
import type { spaceComments } from '../../contract/comments.ts'
import { fail, invalid } from '../../core/errors.ts'
import {
  addReaction,
  type CommentFilter,
  type CommentRow,
  countComments,
  countOpen,
  countReactions,
  countReplies,
  deleteComment,
  deleteReply,
  insertComment,
  insertReply,
  listCommenters,
  listComments,
  listReplies,
  removeReaction,
  updateComment,
  updateReply,
} from '../../store/comments.ts'
import { membersByIds } from '../../store/members.ts'
import { note } from '../events/note.ts'
import { listOf, listOfArray } from '../lists.ts'
import { presentMember } from '../present.ts'
import type { Base, HandlersOf } from '../scope.ts'
import type { Things } from '../things.ts'
import { commentBody } from './body.ts'
import { presentComments, presentReplies } from './present.ts'
import { targetOf } from './target.ts'

/** How many reactions a comment or reply may gather. */
const maxReactions = 1000

type Place = Base & { space: Things['space'] } & Partial<Pick<Things, 'changeRequest'>>

const changeRequestIn = (place: Place): string | null => place.changeRequest?.id ?? null

export const commentHandlers: HandlersOf<typeof spaceComments> = {
  async listCommentsInSpace({ query, ...place }) {
    const filter: CommentFilter = {
      spaceId: place.space.id,
      changeRequestId: changeRequestIn(place),
      status: query.status,
      targetPage: query.targetPage,
      authors: query.authors,
    }
    const list = await listOf({
      base: place,
      name: `comments:${JSON.stringify(filter)}`,
      query,
      order: query.order,
      rows: (page) => listComments(place.db, filter, page),
      count: () => countComments(place.db, filter),
      keyOf: (row) => ({ key: row.postedAt, id: row.id }),
      present: (row) => row,
    })
    return { ...list, items: await presentComments(place, list.items, query.format) }
  },

  async postCommentInSpace({ body, ...place }) {
    refuseClosed(place)
    const { db, env, actor, now, space } = place
    const row: CommentRow = {
      id: env.newId(),
      spaceId: space.id,
      changeRequestId: changeRequestIn(place),
      ...(await targetOf(place, body)),
      ...commentBody(body.body),
      postedBy: actor.user.id,
      postedAt: now,
      editedAt: null,
      status: 'open',
      resolvedAt: null,
      resolvedBy: null,
      replies: 0,
    }
    await insertComment(db, row)
    await countOpen(db, row, 1)
    await noteComment(place, 'comment_posted', row)
    return presentOne(place, row, 'markdown', { isNew: true })
  },

  async getCommentInSpace({ comment, query, ...place }) {
    return presentOne(place, comment, query.format)
  },

  async updateCommentInSpace({ comment, body, ...place }) {
    const { db, now, actor } = place
    if (body.body !== undefined && !comment.permissions.edit)
      throw fail('forbidden', 'Only its author or an admin of the space edits a comment.')
    if (body.resolved !== undefined && !comment.permissions.resolve)
      throw fail('forbidden', 'Resolving takes the author, or the role `edit`.')
    const change: Partial<CommentRow> = {}
    if (body.body !== undefined) Object.assign(change, commentBody(body.body), { editedAt: now })
    const status = body.resolved === undefined ? comment.status : body.resolved ? 'resolved' : 'open'
    if (status !== comment.status) {
      Object.assign(change, {
        status,
        resolvedAt: body.resolved ? now : null,
        resolvedBy: body.resolved ? actor.user.id : null,
      })
      await countOpen(db, comment, status === 'open' ? 1 : -1)
    }
    if (Object.keys(change).length > 0) await updateComment(db, comment.id, change)
    await react(place, { targetId: comment.id, commentId: comment.id }, body)
    await noteComment(place, 'comment_updated', comment)
    return presentOne(place, { ...comment, ...change })
  },

  async deleteCommentInSpace({ comment, ...place }) {
    if (comment.status === 'open') await countOpen(place.db, comment, -1)
    await deleteComment(place.db, { id: comment.id })
    await noteComment(place, 'comment_deleted', comment)
    return undefined
  },

  async listCommentRepliesInSpace({ comment, query, ...place }) {
    const list = await listOf({
      base: place,
      name: `replies:${comment.id}`,
      query,
      // A conversation is read from its beginning.
      order: 'asc',
      rows: (page) => listReplies(place.db, comment.id, page),
      count: async () => comment.replies,
      keyOf: (row) => ({ key: row.postedAt, id: row.id }),
      present: (row) => row,
    })
    return { ...list, items: await presentReplies(place, comment, list.items, query.format) }
  },

  async postCommentReplyInSpace({ comment, body, ...place }) {
    const { db, env, actor, now } = place
    const row = {
      id: env.newId(),
      commentId: comment.id,
      ...commentBody(body.body),
      postedBy: actor.user.id,
      postedAt: now,
      editedAt: null,
    }
    await insertReply(db, row)
    await countReplies(db, { id: comment.id, by: 1 })
    await noteReply(place, 'comment_reply_posted', row)
    return presentOneReply(place, comment, row)
  },

  async getCommentReplyInSpace({ comment, commentReply, query, ...place }) {
    return presentOneReply(place, comment, commentReply, query.format)
  },

  async updateCommentReplyInSpace({ comment, commentReply, body, ...place }) {
    if (body.body !== undefined && !commentReply.permissions.edit)
      throw fail('forbidden', 'Only its author or an admin of the space edits a reply.')
    const change = body.body === undefined ? {} : { ...commentBody(body.body), editedAt: place.now }
    if (body.body !== undefined) await updateReply(place.db, commentReply.id, change)
    await react(place, { targetId: commentReply.id, commentId: comment.id }, body)
    await noteReply(place, 'comment_reply_updated', commentReply)
    return presentOneReply(place, comment, { ...commentReply, ...change })
  },

  async deleteCommentReplyInSpace({ comment, commentReply, ...place }) {
    await deleteReply(place.db, { id: commentReply.id, commentId: comment.id })
    await noteReply(place, 'comment_reply_deleted', commentReply)
    return undefined
  },

  async listCommentersInSpace({ query, ...place }) {
    const people = await listCommenters(place.db, { spaceId: place.space.id, changeRequestId: changeRequestIn(place) })
    const list = listOfArray({
      base: place,
      name: `commenters:${place.space.id}:${changeRequestIn(place) ?? ''}`,
      query,
      rows: await membersByIds(
        place.db,
        place.space.organizationId,
        people.map((person) => person.userId),
      ).then((rows) => rows.sort((a, b) => (a.userId < b.userId ? -1 : 1))),
      idOf: (row) => row.userId,
      present: (row) => presentMember(row, place.env.urls),
    })
    return list
  },
}

function refuseClosed({ changeRequest }: Place): void {
  if (changeRequest?.status === 'archived') throw fail('change_request_closed')
}

async function presentOne(
  place: Place,
  row: CommentRow,
  format: 'markdown' | 'document' = 'markdown',
  options?: { isNew: boolean },
) {
  const [shown] = await presentComments(place, [row], format, options)
  if (!shown) throw new Error('One comment is presented as one.')
  return shown
}

async function presentOneReply(
  place: Place,
  comment: CommentRow,
  row: Parameters<typeof presentReplies>[2][number],
  format: 'markdown' | 'document' = 'markdown',
) {
  const [shown] = await presentReplies(place, comment, [row], format)
  if (!shown) throw new Error('One reply is presented as one.')
  return shown
}

/** An emoji in both lists is taken away: removing is the later wish. */
async function react(
  { db, actor, now }: Base,
  target: { targetId: string; commentId: string },
  {
    addedReactions = [],
    removedReactions = [],
  }: { addedReactions?: string[] | undefined; removedReactions?: string[] | undefined },
): Promise<void> {
  const added = addedReactions.filter((emoji) => !removedReactions.includes(emoji))
  if (added.length > 0 && (await countReactions(db, target.targetId)) + added.length > maxReactions) {
    throw invalid('addedReactions', `would make more than ${maxReactions} reactions`)
  }
  for (const emoji of added) await addReaction(db, { ...target, emoji, userId: actor.user.id, reactedAt: now })
  for (const emoji of removedReactions)
    await removeReaction(db, { targetId: target.targetId, emoji, userId: actor.user.id })
}

const noteComment = (place: Place, action: 'comment_posted' | 'comment_updated' | 'comment_deleted', row: CommentRow) =>
  note(place, {
    organizationId: place.space.organizationId,
    action,
    target: { type: 'comment', id: row.id },
    data: { space: row.spaceId, changeRequest: row.changeRequestId, page: row.pageId },
  })

const noteReply = (
  place: Place,
  action: 'comment_reply_posted' | 'comment_reply_updated' | 'comment_reply_deleted',
  row: { id: string; commentId: string },
) =>
  note(place, {
    organizationId: place.space.organizationId,
    action,
    target: { type: 'comment-reply', id: row.id },
    data: { space: place.space.id, changeRequest: changeRequestIn(place), comment: row.commentId },
  })
