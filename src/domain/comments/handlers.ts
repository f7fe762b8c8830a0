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
  countReplies,
  deleteComment,
  deleteReply,
  insertComment,
  insertReply,
  listCommenters,
  listComments,
  listReplies,
  removeReactions,
  updateComment,
  updateReply,
} from '../../store/content/comments.ts'
import { membersByIds } from '../../store/people/members.ts'
import { type ContentAt, type ContentScope, contentAt } from '../content/at.ts'
import { note } from '../events/note.ts'
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

const changeRequestIn = (scope: ContentScope): string | null => scope.changeRequest?.id ?? null

export const commentHandlers: HandlersOf<typeof spaceComments> = {
  async listCommentsInSpace({ query, ...scope }) {
    const filter: CommentFilter = {
      spaceId: scope.space.id,
      changeRequestId: changeRequestIn(scope),
      status: query.status,
      targetPage: query.targetPage,
      authors: query.authors,
    }
    const list = await listOf({
      base: scope,
      name: `comments:${JSON.stringify(filter)}`,
      query,
      order: query.order,
      rows: (page) => listComments(scope.db, filter, page),
      count: () => countComments(scope.db, filter),
      keyOf: (row) => ({ key: row.postedAt, id: row.id }),
      present: (row) => row,
    })
    return { ...list, items: await presentComments(scope, list.items, query.format) }
  },

  postCommentInSpace: readFirst(spaceComments.postCommentInSpace, {
    read: async ({ body }) => commentBody(body),
    async commit(scope, { markdown, document }) {
      refuseClosed(scope)
      const { db, env, actor, now, space, body } = scope
      const at = await contentAt(scope)
      const target = await targetOf(at, body)
      const row: CommentRow = {
        id: env.newId(),
        spaceId: space.id,
        changeRequestId: changeRequestIn(scope),
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
      await insertComment(db, row)
      await countOpen(db, row, 1)
      await noteComment(scope, 'comment_posted', row)
      return presentOne(scope, row, 'markdown', { postedTo: at })
    },
  }),

  async getCommentInSpace({ comment, query, ...scope }) {
    return presentOne(scope, comment, query.format)
  },

  updateCommentInSpace: readFirst(spaceComments.updateCommentInSpace, {
    read: async ({ body }) => body && commentBody(body),
    async commit({ comment, body, ...scope }, written) {
      const { db, now, actor } = scope
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
      await react(scope, { targetId: comment.id, commentId: comment.id }, body)
      await noteComment(scope, 'comment_updated', comment)
      return presentOne(scope, { ...comment, ...change })
    },
  }),

  async deleteCommentInSpace({ comment, ...scope }) {
    if (comment.status === 'open') await countOpen(scope.db, comment, -1)
    await deleteComment(scope.db, { id: comment.id })
    await noteComment(scope, 'comment_deleted', comment)
    return undefined
  },

  async listCommentRepliesInSpace({ comment, query, ...scope }) {
    const list = await listOf({
      base: scope,
      name: `replies:${comment.id}`,
      query,
      // A conversation is read from its beginning.
      order: 'asc',
      rows: (page) => listReplies(scope.db, comment.id, page),
      count: async () => comment.replies,
      keyOf: (row) => ({ key: row.postedAt, id: row.id }),
      present: (row) => row,
    })
    return { ...list, items: await presentReplies(scope, comment, list.items, query.format) }
  },

  postCommentReplyInSpace: readFirst(spaceComments.postCommentReplyInSpace, {
    read: async ({ body }) => commentBody(body),
    async commit({ comment, ...scope }, written) {
      const { db, env, actor, now } = scope
      const row = {
        id: env.newId(),
        commentId: comment.id,
        ...written,
        postedBy: actor.user.id,
        postedAt: now,
        editedAt: null,
      }
      await insertReply(db, row)
      await countReplies(db, { id: comment.id, by: 1 })
      await noteReply(scope, 'comment_reply_posted', row)
      return presentOneReply(scope, comment, row, 'markdown', { isNew: true })
    },
  }),

  async getCommentReplyInSpace({ comment, commentReply, query, ...scope }) {
    return presentOneReply(scope, comment, commentReply, query.format)
  },

  updateCommentReplyInSpace: readFirst(spaceComments.updateCommentReplyInSpace, {
    read: async ({ body }) => body && commentBody(body),
    async commit({ comment, commentReply, body, ...scope }, written) {
      refuseOthersReply(commentReply, body)
      const change = written === undefined ? {} : { ...written, editedAt: scope.now }
      if (written !== undefined) await updateReply(scope.db, commentReply.id, change)
      await react(scope, { targetId: commentReply.id, commentId: comment.id }, body)
      await noteReply(scope, 'comment_reply_updated', commentReply)
      return presentOneReply(scope, comment, { ...commentReply, ...change })
    },
  }),

  async deleteCommentReplyInSpace({ comment, commentReply, ...scope }) {
    await deleteReply(scope.db, { id: commentReply.id, commentId: comment.id })
    await noteReply(scope, 'comment_reply_deleted', commentReply)
    return undefined
  },

  async listCommentersInSpace({ query, ...scope }) {
    const people = await listCommenters(scope.db, { spaceId: scope.space.id, changeRequestId: changeRequestIn(scope) })
    const userIds = people.map((person) => person.userId)
    const members = await membersByIds(scope.db, scope.space.organizationId, userIds)
    members.sort((a, b) => (a.userId < b.userId ? -1 : 1))
    return listOfArray({
      base: scope,
      name: `commenters:${scope.space.id}:${changeRequestIn(scope) ?? ''}`,
      query,
      rows: await withSpaces(scope, scope.space.organizationId, members),
      idOf: (row) => row.userId,
      present: (row) => presentMember(row, scope.env.urls),
    })
  },
}

function refuseClosed({ changeRequest }: ContentScope): void {
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
  scope: ContentScope,
  row: CommentRow,
  format: 'markdown' | 'document' = 'markdown',
  options?: { postedTo: ContentAt },
) {
  const [shown] = await presentComments(scope, [row], format, options)
  if (!shown) throw new Error('One comment is presented as one.')
  return shown
}

async function presentOneReply(
  scope: ContentScope,
  comment: CommentRow,
  row: Parameters<typeof presentReplies>[2][number],
  format: 'markdown' | 'document' = 'markdown',
  options?: { isNew: boolean },
) {
  const [shown] = await presentReplies(scope, comment, [row], format, options)
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

const noteComment = (
  scope: ContentScope,
  action: 'comment_posted' | 'comment_updated' | 'comment_deleted',
  row: CommentRow,
) =>
  note(scope, {
    organizationId: scope.space.organizationId,
    action,
    target: { type: 'comment', id: row.id },
    data: { space: row.spaceId, changeRequest: row.changeRequestId, page: row.pageId },
  })

const noteReply = (
  scope: ContentScope,
  action: 'comment_reply_posted' | 'comment_reply_updated' | 'comment_reply_deleted',
  row: { id: string; commentId: string },
) =>
  note(scope, {
    organizationId: scope.space.organizationId,
    action,
    target: { type: 'comment-reply', id: row.id },
    data: { space: scope.space.id, changeRequest: changeRequestIn(scope), comment: row.commentId },
  })
