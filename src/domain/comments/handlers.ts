/** Comments on spaces and change requests, their replies and reactions. */
import { spaceComments } from '../../contract/content/comments.ts'
import { fail, invalid } from '../../core/errors.ts'
import {
  addReactions,
  type CommentFilter,
  type CommentRow,
  countComments,
  countOpen,
  countReactions,
  deleteComment,
  deleteReply,
  listCommenters,
  listComments,
  listReplies,
  postComment,
  postReply,
  removeReactions,
  updateComment,
  updateReply,
} from '../../store/content/comments.ts'
import { membersByIds } from '../../store/people/members.ts'
import { type ContentAt, type ContentCall, contentAt } from '../content/at.ts'
import { eventOf, type Noted, note } from '../events/note.ts'
import { type Base, type HandlersOf, readFirst } from '../handler.ts'
import { listOf, listOfArray } from '../lists.ts'
import { presentMember } from '../present.ts'
import { withSpaces } from '../reach.ts'
import type { Things } from '../things.ts'
import { commentBody } from './body.ts'
import { presentComments, presentReplies } from './present.ts'
import { targetOf } from './target.ts'

/** How many reactions a comment or reply may gather. */
const maxReactions = 1000

const changeRequestIn = (call: ContentCall): string | null => call.changeRequest?.id ?? null

export const commentHandlers: HandlersOf<typeof spaceComments> = {
  async listCommentsInSpace({ query, ...call }) {
    const filter: CommentFilter = {
      spaceId: call.space.id,
      changeRequestId: changeRequestIn(call),
      status: query.status,
      targetPage: query.targetPage,
      authors: query.authors,
    }
    const list = await listOf({
      base: call,
      name: `comments:${JSON.stringify(filter)}`,
      query,
      order: query.order,
      rows: (page) => listComments(call.db, filter, page),
      count: () => countComments(call.db, filter),
      keyOf: (row) => ({ key: row.postedAt, id: row.id }),
      present: (row) => row,
    })
    return { ...list, items: await presentComments(call, list.items, query.format) }
  },

  postCommentInSpace: readFirst(spaceComments.postCommentInSpace, {
    read: ({ body }, threads) => commentBody(threads, body),
    async commit(call, { markdown, document }) {
      refuseClosed(call)
      const { db, env, actor, now, space, body } = call
      const at = await contentAt(call)
      const target = await targetOf(at, body)
      const row: CommentRow = {
        id: env.newId(),
        spaceId: space.id,
        changeRequestId: changeRequestIn(call),
        ...target,
        markdown,
        document,
        postedBy: actor.user.id,
        postedAt: now,
        editedAt: null,
        status: 'open',
        resolvedAt: null,
        resolvedBy: null,
        replies: 0,
      }
      await postComment(db, row, eventOf(call, commentEvent(call, 'comment_posted', row)))
      return presentOne(call, row, 'markdown', { postedTo: at })
    },
  }),

  async getCommentInSpace({ comment, query, ...call }) {
    return presentOne(call, comment, query.format)
  },

  updateCommentInSpace: readFirst(spaceComments.updateCommentInSpace, {
    read: async ({ body }, threads) => body && commentBody(threads, body),
    async commit({ comment, body, ...call }, written) {
      const { db, now, actor } = call
      refuseOthersComment(comment, body)
      if (body.resolved !== undefined && !comment.permissions.resolve)
        throw fail('forbidden', 'Resolving takes the author, or the role `edit`.')
      const change: Partial<CommentRow> = written === undefined ? {} : { ...written, editedAt: now }
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
      await react(call, { targetId: comment.id, commentId: comment.id }, body)
      await note(call, commentEvent(call, 'comment_updated', comment))
      return presentOne(call, { ...comment, ...change })
    },
  }),

  async deleteCommentInSpace({ comment, ...call }) {
    if (comment.status === 'open') await countOpen(call.db, comment, -1)
    await deleteComment(call.db, { id: comment.id })
    await note(call, commentEvent(call, 'comment_deleted', comment))
    return undefined
  },

  async listCommentRepliesInSpace({ comment, query, ...call }) {
    const list = await listOf({
      base: call,
      name: `replies:${comment.id}`,
      query,
      // A conversation is read from its beginning.
      order: 'asc',
      rows: (page) => listReplies(call.db, comment.id, page),
      count: async () => comment.replies,
      keyOf: (row) => ({ key: row.postedAt, id: row.id }),
      present: (row) => row,
    })
    return { ...list, items: await presentReplies(call, comment, list.items, query.format) }
  },

  postCommentReplyInSpace: readFirst(spaceComments.postCommentReplyInSpace, {
    read: ({ body }, threads) => commentBody(threads, body),
    async commit({ comment, ...call }, written) {
      const { db, env, actor, now } = call
      const row = {
        id: env.newId(),
        commentId: comment.id,
        ...written,
        postedBy: actor.user.id,
        postedAt: now,
        editedAt: null,
      }
      await postReply(db, row, eventOf(call, replyEvent(call, 'comment_reply_posted', row)))
      return presentOneReply(call, comment, row, 'markdown', { isNew: true })
    },
  }),

  async getCommentReplyInSpace({ comment, commentReply, query, ...call }) {
    return presentOneReply(call, comment, commentReply, query.format)
  },

  updateCommentReplyInSpace: readFirst(spaceComments.updateCommentReplyInSpace, {
    read: async ({ body }, threads) => body && commentBody(threads, body),
    async commit({ comment, commentReply, body, ...call }, written) {
      refuseOthersReply(commentReply, body)
      const change = written === undefined ? {} : { ...written, editedAt: call.now }
      if (written !== undefined) await updateReply(call.db, commentReply.id, change)
      await react(call, { targetId: commentReply.id, commentId: comment.id }, body)
      await note(call, replyEvent(call, 'comment_reply_updated', commentReply))
      return presentOneReply(call, comment, { ...commentReply, ...change })
    },
  }),

  async deleteCommentReplyInSpace({ comment, commentReply, ...call }) {
    await deleteReply(call.db, { id: commentReply.id, commentId: comment.id })
    await note(call, replyEvent(call, 'comment_reply_deleted', commentReply))
    return undefined
  },

  async listCommentersInSpace({ query, ...call }) {
    const people = await listCommenters(call.db, { spaceId: call.space.id, changeRequestId: changeRequestIn(call) })
    const userIds = people.map((person) => person.userId)
    const members = await membersByIds(call.db, call.space.organizationId, userIds)
    return listOfArray({
      base: call,
      name: `commenters:${call.space.id}:${changeRequestIn(call) ?? ''}`,
      query,
      rows: await withSpaces(call, call.space.organizationId, members),
      keyOf: (row) => [row.userId],
      present: (row) => presentMember(row, call.env.urls),
    })
  },
}

function refuseClosed({ changeRequest }: ContentCall): void {
  if (changeRequest?.status === 'archived') throw fail('change_request_closed')
}

function refuseOthersComment({ permissions }: Things['comment'], { body }: { body?: unknown }): void {
  if (body !== undefined && !permissions.edit)
    throw fail('forbidden', 'Only its author or an admin of the space edits a comment.')
}

function refuseOthersReply({ permissions }: Things['commentReply'], { body }: { body?: unknown }): void {
  if (body !== undefined && !permissions.edit)
    throw fail('forbidden', 'Only its author or an admin of the space edits a reply.')
}

async function presentOne(
  call: ContentCall,
  row: CommentRow,
  format: 'markdown' | 'document' = 'markdown',
  options?: { postedTo: ContentAt },
) {
  const [shown] = await presentComments(call, [row], format, options)
  if (!shown) throw new Error('One comment is presented as one.')
  return shown
}

async function presentOneReply(
  call: ContentCall,
  comment: CommentRow,
  row: Parameters<typeof presentReplies>[2][number],
  format: 'markdown' | 'document' = 'markdown',
  options?: { isNew: boolean },
) {
  const [shown] = await presentReplies(call, comment, [row], format, options)
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
  await addReactions(db, { ...target, emojis: added, userId: actor.user.id, reactedAt: now })
  await removeReactions(db, { targetId: target.targetId, emojis: removedReactions, userId: actor.user.id })
}

const commentEvent = (
  { space }: ContentCall,
  action: 'comment_posted' | 'comment_updated' | 'comment_deleted',
  row: CommentRow,
): Noted => ({
  organizationId: space.organizationId,
  action,
  target: { type: 'comment', id: row.id },
  data: { space: row.spaceId, changeRequest: row.changeRequestId, page: row.pageId },
})

const replyEvent = (
  call: ContentCall,
  action: 'comment_reply_posted' | 'comment_reply_updated' | 'comment_reply_deleted',
  row: { id: string; commentId: string },
): Noted => ({
  organizationId: call.space.organizationId,
  action,
  target: { type: 'comment-reply', id: row.id },
  data: { space: call.space.id, changeRequest: changeRequestIn(call), comment: row.commentId },
})
