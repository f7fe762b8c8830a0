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
import { type ContentAt, type ContentScope, contentAt, revisionOf } from '../content/at.ts'
import { presentUser } from '../present.ts'
import { changeSince } from './target.ts'

type Format = 'markdown' | 'document'
type People = ReadonlyMap<string, UserRow>

/** What was just posted to content (`postedTo`) is up to date and has no reactions yet: neither is looked for. */
export async function presentComments(
  scope: ContentScope,
  rows: readonly CommentRow[],
  format: Format,
  { postedTo }: { postedTo?: ContentAt } = {},
): Promise<z.output<typeof Comment>[]> {
  const reactions = await reactionsOn(scope.db, postedTo === undefined ? rows.map((row) => row.id) : [])
  const repliers = await repliersOf(
    scope.db,
    rows.filter((row) => row.replies > 0).map((row) => row.id),
  )
  const people = await peopleIn(scope, [
    ...rows.flatMap((row) => [row.postedBy, row.resolvedBy]),
    ...reactions.map((reaction) => reaction.userId),
    ...repliers.map((replier) => replier.postedBy),
  ])
  const at = postedTo ?? (await contentAt(scope))
  const shown: z.output<typeof Comment>[] = []
  for (const row of rows) {
    const relation = { level: scope.space.level, isAuthor: row.postedBy === scope.actor.user.id }
    const { view, edit, reply, delete: remove } = permissionsOf('comment', relation)
    const { page, isDeleted } = await presentTargetPage(scope, at, row, postedTo !== undefined)
    shown.push({
      object: 'comment',
      id: row.id,
      ...common(scope, row, reactions, people, format),
      replies: row.replies,
      repliers: repliers.filter((one) => one.commentId === row.id).map((one) => person(scope, people, one.postedBy)),
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
      urls: { location: scope.env.urls.comment(row.spaceId, row.id, row.changeRequestId) },
      permissions: { view, edit, reply, delete: remove },
      status: row.status,
      ...(row.resolvedAt === null || row.resolvedBy === null
        ? {}
        : { resolvedAt: row.resolvedAt, resolvedBy: person(scope, people, row.resolvedBy) }),
    })
  }
  return shown
}

export async function presentReplies(
  scope: ContentScope,
  comment: CommentRow,
  rows: readonly ReplyRow[],
  format: Format,
  { isNew = false } = {},
): Promise<z.output<typeof CommentReply>[]> {
  const reactions = await reactionsOn(scope.db, isNew ? [] : rows.map((row) => row.id))
  const people = await peopleIn(scope, [
    ...rows.map((row) => row.postedBy),
    ...reactions.map((reaction) => reaction.userId),
  ])
  const base = scope.env.urls.comment(comment.spaceId, comment.id, comment.changeRequestId)
  return rows.map((row) => {
    const relation = { level: scope.space.level, isAuthor: row.postedBy === scope.actor.user.id }
    const { view, edit, delete: remove } = permissionsOf('commentReply', relation)
    const { reply } = permissionsOf('comment', relation)
    return {
      object: 'comment-reply',
      id: row.id,
      ...common(scope, row, reactions, people, format),
      urls: { location: `${base}/replies/${row.id}` },
      permissions: { view, edit, reply, delete: remove },
    }
  })
}

function common(
  scope: ContentScope,
  row: Pick<CommentRow, 'id' | 'postedBy' | 'postedAt' | 'editedAt' | 'markdown' | 'document'>,
  reactions: readonly ReactionRow[],
  people: People,
  format: Format,
) {
  return {
    postedBy: person(scope, people, row.postedBy),
    postedAt: row.postedAt,
    ...(row.editedAt === null ? {} : { editedAt: row.editedAt }),
    reactions: groupReactions(
      scope,
      reactions.filter((reaction) => reaction.targetId === row.id),
      people,
    ),
    body: format === 'markdown' ? { markdown: row.markdown } : { document: JSON.parse(row.document) },
  }
}

function groupReactions(scope: ContentScope, reactions: readonly ReactionRow[], people: People) {
  const groups = new Map<string, ReactionRow[]>()
  for (const reaction of reactions) groups.set(reaction.emoji, [...(groups.get(reaction.emoji) ?? []), reaction])
  return [...groups].map(([emoji, rows]) => ({
    emoji,
    count: rows.length,
    users: rows.map((row) => ({ user: person(scope, people, row.userId), reactedAt: row.reactedAt })),
  }))
}

/** The page as it is now, or as it was when it was written about if it is gone since; and whether what was meant is gone. */
async function presentTargetPage(scope: ContentScope, at: ContentAt, row: CommentRow, isNew: boolean) {
  if (row.pageId === null) return {}
  const present = await pageById(at.reader, at.content, row.pageId)
  const then = present ? at : { ...at, content: (await revisionOf(scope.db, row.spaceId, row.revisionId)).content }
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

async function peopleIn(scope: ContentScope, ids: readonly (string | null)[]): Promise<People> {
  const { user: self } = scope.actor
  const others = ids.filter((id): id is string => id !== null && id !== self.id)
  return new Map([self, ...(await findUsers(scope.db, others))].map((user) => [user.id, user]))
}

/** Somebody whose account is gone is still named. */
const person = (scope: ContentScope, people: People, id: string) =>
  presentUser(people.get(id) ?? { id, displayName: 'Deleted user', email: '', photoURL: null }, scope.env.urls)
