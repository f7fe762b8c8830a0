/** Comments and replies as the API shows them, with what a list of them needs loaded in a few statements. */
import type { z } from 'zod'
import type { Comment, CommentReply } from '../../contract/content/comments.ts'
import { permissionsOf } from '../../core/permissions.ts'
import { pageById, pathOf } from '../../core/revision/content.ts'
import {
  type CommentRow,
  type ReactionRow,
  type ReplyRow,
  reactionsOn,
  repliersOf,
} from '../../store/content/comments.ts'
import { findUsers, type UserRow } from '../../store/people/users.ts'
import { type ContentAt, type ContentCall, contentAt, revisionOf } from '../content/at.ts'
import { presentUser } from '../present.ts'
import { changeSince } from './target.ts'

type Format = 'markdown' | 'document'
type People = ReadonlyMap<string, UserRow>

/** What was just posted to content (`postedTo`) is up to date and has no reactions yet: neither is looked for. */
export async function presentComments(
  call: ContentCall,
  rows: readonly CommentRow[],
  format: Format,
  { postedTo }: { postedTo?: ContentAt } = {},
): Promise<z.output<typeof Comment>[]> {
  const reactions = await reactionsOn(call.db, postedTo === undefined ? rows.map((row) => row.id) : [])
  const repliers = await repliersOf(
    call.db,
    rows.filter((row) => row.replies > 0).map((row) => row.id),
  )
  const people = await peopleIn(call, [
    ...rows.flatMap((row) => [row.postedBy, row.resolvedBy]),
    ...reactions.map((reaction) => reaction.userId),
    ...repliers.map((replier) => replier.postedBy),
  ])
  const at = postedTo ?? (await contentAt(call))
  const shown: z.output<typeof Comment>[] = []
  for (const row of rows) {
    const relation = { level: call.space.level, isAuthor: row.postedBy === call.actor.user.id }
    const { view, edit, reply, delete: remove } = permissionsOf('comment', relation)
    const { page, isDeleted } = await presentTargetPage(call, at, row, postedTo !== undefined)
    shown.push({
      object: 'comment',
      id: row.id,
      ...common(call, row, reactions, people, format),
      replies: row.replies,
      repliers: repliers.filter((one) => one.commentId === row.id).map((one) => person(call, people, one.postedBy)),
      target: {
        ...(row.nodeId === null
          ? {}
          : {
              node: {
                id: row.nodeId,
                ...(row.nodePreview === null ? {} : { preview: row.nodePreview }),
                ...(isDeleted ? { deleted: true } : {}),
              },
            }),
        ...(row.tableCell === null ? {} : { tableCell: JSON.parse(row.tableCell) }),
        ...(row.changeRequestId === null ? {} : { changeRequest: row.changeRequestId }),
        ...(page ? { page } : {}),
        space: row.spaceId,
        revision: row.revisionId,
      },
      urls: { location: call.env.urls.comment(row.spaceId, row.id, row.changeRequestId) },
      permissions: { view, edit, reply, delete: remove },
      status: row.status,
      ...(row.resolvedAt === null || row.resolvedBy === null
        ? {}
        : { resolvedAt: row.resolvedAt, resolvedBy: person(call, people, row.resolvedBy) }),
    })
  }
  return shown
}

export async function presentReplies(
  call: ContentCall,
  comment: CommentRow,
  rows: readonly ReplyRow[],
  format: Format,
  { isNew = false } = {},
): Promise<z.output<typeof CommentReply>[]> {
  const reactions = await reactionsOn(call.db, isNew ? [] : rows.map((row) => row.id))
  const people = await peopleIn(call, [
    ...rows.map((row) => row.postedBy),
    ...reactions.map((reaction) => reaction.userId),
  ])
  const base = call.env.urls.comment(comment.spaceId, comment.id, comment.changeRequestId)
  return rows.map((row) => {
    const relation = { level: call.space.level, isAuthor: row.postedBy === call.actor.user.id }
    const { view, edit, delete: remove } = permissionsOf('commentReply', relation)
    const { reply } = permissionsOf('comment', relation)
    return {
      object: 'comment-reply',
      id: row.id,
      ...common(call, row, reactions, people, format),
      urls: { location: `${base}/replies/${row.id}` },
      permissions: { view, edit, reply, delete: remove },
    }
  })
}

function common(
  call: ContentCall,
  row: Pick<CommentRow, 'id' | 'postedBy' | 'postedAt' | 'editedAt' | 'markdown' | 'document'>,
  reactions: readonly ReactionRow[],
  people: People,
  format: Format,
) {
  return {
    postedBy: person(call, people, row.postedBy),
    postedAt: row.postedAt,
    ...(row.editedAt === null ? {} : { editedAt: row.editedAt }),
    reactions: groupReactions(
      call,
      reactions.filter((reaction) => reaction.targetId === row.id),
      people,
    ),
    body: format === 'markdown' ? { markdown: row.markdown } : { document: JSON.parse(row.document) },
  }
}

function groupReactions(call: ContentCall, reactions: readonly ReactionRow[], people: People) {
  const groups = new Map<string, ReactionRow[]>()
  for (const reaction of reactions) groups.set(reaction.emoji, [...(groups.get(reaction.emoji) ?? []), reaction])
  return [...groups].map(([emoji, rows]) => ({
    emoji,
    count: rows.length,
    users: rows.map((row) => ({ user: person(call, people, row.userId), reactedAt: row.reactedAt })),
  }))
}

/** The page as it is now, or as it was when it was written about if it is gone since; and whether what was meant is gone. */
async function presentTargetPage(call: ContentCall, at: ContentAt, row: CommentRow, isNew: boolean) {
  if (row.pageId === null) return {}
  const present = await pageById(at.reader, at.content, row.pageId)
  const then = present ? at : { ...at, content: (await revisionOf(call.db, row.spaceId, row.revisionId)).content }
  const page = present ?? (await pageById(then.reader, then.content, row.pageId))
  if (!page) return {}
  const change = isNew ? 'none' : await changeSince(at, row, present)
  const shown = {
    id: page.id,
    title: page.title,
    ...(page.emoji === undefined ? {} : { emoji: page.emoji }),
    ...(page.icon === undefined ? {} : { icon: page.icon }),
    ...(page.createdAt === undefined ? {} : { createdAt: page.createdAt }),
    ...(page.updatedAt === undefined ? {} : { updatedAt: page.updatedAt }),
    path: await pathOf(then.reader, then.content, page),
    outdated: change !== 'none',
  }
  return { page: shown, isDeleted: change === 'deleted' }
}

async function peopleIn(call: ContentCall, ids: readonly (string | null)[]): Promise<People> {
  const { user: self } = call.actor
  const others = ids.filter((id): id is string => id !== null && id !== self.id)
  return new Map([self, ...(await findUsers(call.db, others))].map((user) => [user.id, user]))
}

/** Somebody whose account is gone is still named. */
const person = (call: ContentCall, people: People, id: string) =>
  presentUser(people.get(id) ?? { id, displayName: 'Deleted user', email: '', photoURL: null }, call.env.urls)
