import { z } from 'zod'
import { emojiCode } from '../../core/document/syntax/emoji.ts'
import { JSONDocument } from '../../core/shapes.ts'
import { DELETE, GET, POST, PUT, twin } from '../operation.ts'
import { Member } from '../people/people.ts'
import { CR, Emoji, Flag, Id, List, Location, Order, optionalBody, P, S, Timestamp, User } from '../shapes.ts'

const Reaction = z.object({
  emoji: z.string(),
  count: z.number().int(),
  users: z.array(z.object({ user: User, reactedAt: Timestamp })),
})

const Permissions = z.object({ view: Flag, edit: Flag, reply: Flag, delete: Flag })

/** A body as it is read: the one of the two forms that was asked for. */
const BodyRead = z.object({ markdown: z.string().optional(), document: JSONDocument.optional() })

const TableCell = z.object({ record: z.string().min(1).max(200), definition: z.string().min(1).max(200) })

export const Comment = z
  .object({
    object: z.literal('comment'),
    id: Id,
    postedBy: User,
    postedAt: Timestamp,
    editedAt: Timestamp.optional(),
    reactions: z.array(Reaction),
    replies: z.number().int(),
    repliers: z.array(User),
    body: BodyRead,
    target: z.object({
      node: z
        .object({
          id: z.string(),
          preview: z.string().optional(),
          deleted: Flag.optional().describe('The block is gone since.'),
        })
        .optional(),
      tableCell: TableCell.optional(),
      changeRequest: Id.optional(),
      review: Id.optional(),
      page: z
        .object({
          id: Id,
          title: z.string(),
          emoji: z.string().optional(),
          icon: z.string().optional(),
          createdAt: Timestamp.optional(),
          updatedAt: Timestamp.optional(),
          path: z.string(),
          outdated: Flag.describe('The page or the block has changed since.'),
        })
        .optional(),
      space: Id,
      revision: Id,
    }),
    urls: Location,
    permissions: Permissions,
    status: z.enum(['open', 'resolved']),
    resolvedAt: Timestamp.optional(),
    resolvedBy: User.optional(),
  })
  .meta({ id: 'Comment' })

export const CommentReply = z
  .object({
    object: z.literal('comment-reply'),
    id: Id,
    postedBy: User,
    postedAt: Timestamp,
    editedAt: Timestamp.optional(),
    reactions: z.array(Reaction),
    body: BodyRead,
    urls: Location,
    permissions: Permissions,
  })
  .meta({ id: 'CommentReply' })

/** Exactly one of the two. */
const Body = z.xor([
  z.object({ markdown: z.string().min(1).max(65_536, 'may hold at most 64 KiB of Markdown') }),
  z.object({ document: JSONDocument }),
])
/** Kept by their code, so that one emoji is one reaction however it was sent. */
const Emojis = z
  .array(Emoji.overwrite((text) => emojiCode(text) ?? text))
  .max(50)
  .optional()

const Format = { format: z.enum(['markdown', 'document']).default('markdown') }
const CommentsQuery = {
  ...P,
  ...Format,
  order: Order,
  status: z.enum(['all', 'open', 'resolved']).default('all'),
  targetPage: Id.optional(),
  authors: z.array(Id).max(100).optional(),
}
const NewComment = z.object({
  node: z.string().min(1).max(200).optional(),
  tableCell: TableCell.optional().describe('Where `node` is a table: the cell of it.'),
  page: Id.optional(),
  body: Body,
})
const CommentUpdate = optionalBody({
  resolved: Flag.optional(),
  body: Body.optional(),
  addedReactions: Emojis,
  removedReactions: Emojis,
})
const NewReply = z.object({ body: Body })
const ReplyUpdate = optionalBody({ body: Body.optional(), addedReactions: Emojis, removedReactions: Emojis })

const SC = `${S}/comments/{commentId}` as const
const SR = `${SC}/replies/{commentReplyId}` as const
const CC = `${CR}/comments/{commentId}` as const
const CRR = `${CC}/replies/{commentReplyId}` as const

// biome-ignore format: held side by side with the specification, it matches line for line.
export const spaceComments = {
  listCommentsInSpace:       GET   (`${S}/comments`,   'space.comment',       { query: CommentsQuery, ok: List(Comment) }),
  postCommentInSpace:        POST  (`${S}/comments`,   'space.comment',       { body: NewComment, ok: Comment, lock: false, fails: ['change_request_closed', 'invalid_document'] }),
  getCommentInSpace:         GET   (SC,                'comment.view',        { query: Format, ok: Comment }),
  updateCommentInSpace:      PUT   (SC,                'comment.react',       { body: CommentUpdate, ok: Comment, fails: ['invalid_document'] }),
  deleteCommentInSpace:      DELETE(SC,                'comment.delete'),
  listCommentRepliesInSpace: GET   (`${SC}/replies`,   'comment.view',        { query: { ...P, ...Format }, ok: List(CommentReply) }),
  postCommentReplyInSpace:   POST  (`${SC}/replies`,   'comment.reply',       { body: NewReply, ok: CommentReply, lock: false, fails: ['invalid_document'] }),
  getCommentReplyInSpace:    GET   (SR,                'commentReply.view',   { query: Format, ok: CommentReply }),
  updateCommentReplyInSpace: PUT   (SR,                'commentReply.react',  { body: ReplyUpdate, ok: CommentReply, fails: ['invalid_document'] }),
  deleteCommentReplyInSpace: DELETE(SR,                'commentReply.delete'),
  listCommentersInSpace:     GET   (`${S}/commenters`, 'space.comment',       { query: P, ok: List(Member) }),
}

// biome-ignore format: held side by side with the specification, it matches line for line.
export const changeRequestComments = {
  listCommentsInChangeRequest:       twin(`${CR}/comments`,   spaceComments.listCommentsInSpace),
  postCommentInChangeRequest:        twin(`${CR}/comments`,   spaceComments.postCommentInSpace),
  getCommentInChangeRequest:         twin(CC,                 spaceComments.getCommentInSpace),
  updateCommentInChangeRequest:      twin(CC,                 spaceComments.updateCommentInSpace),
  deleteCommentInChangeRequest:      twin(CC,                 spaceComments.deleteCommentInSpace),
  listCommentRepliesInChangeRequest: twin(`${CC}/replies`,    spaceComments.listCommentRepliesInSpace),
  postCommentReplyInChangeRequest:   twin(`${CC}/replies`,    spaceComments.postCommentReplyInSpace),
  getCommentReplyInChangeRequest:    twin(CRR,                spaceComments.getCommentReplyInSpace),
  updateCommentReplyInChangeRequest: twin(CRR,                spaceComments.updateCommentReplyInSpace),
  deleteCommentReplyInChangeRequest: twin(CRR,                spaceComments.deleteCommentReplyInSpace),
  listCommentersInChangeRequest:     twin(`${CR}/commenters`, spaceComments.listCommentersInSpace),
}
