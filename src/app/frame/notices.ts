/**
 * What concerns me, from what happens: a review I am asked for, a word about my change request, an answer to my comment, my
 * name in a comment, my change request merged, reviewed, or in conflict. Notices are kept on this device; what happened while
 * it was away is told by the stream when it comes back.
 */
import { call, type Output } from '../session/client.ts'
import { ownKey } from '../session/person.ts'
import { stored } from '../session/stored.ts'
import { isRecord } from '../session/stream.ts'
import { t } from '../texts/index.ts'
import type { Happening } from './live.tsx'
import { paths } from './paths.ts'

export interface Notice {
  id: string
  who: { displayName: string; photoURL?: string | undefined }
  text: string
  href: string
  at: string
}

const most = 50

export const noticesKey = (organizationId: string): string => ownKey(`notices-${organizationId}`)

export function readNotices(text: string): Notice[] {
  try {
    const value: unknown = JSON.parse(text)
    return Array.isArray(value) ? value : []
  } catch {
    return []
  }
}

/** Keeps a notice; one of the same id takes the place of the older. */
export function keepNotice(organizationId: string, notice: Notice): void {
  const key = noticesKey(organizationId)
  const others = readNotices(stored.get(key) ?? '[]').filter(({ id }) => id !== notice.id)
  stored.set(key, JSON.stringify([notice, ...others].slice(0, most)))
}

type Request = Output<'getChangeRequestById'>

/** The notice of something that happened, if it concerns this person. */
export async function noticeOf(happening: Happening, me: string): Promise<Notice | undefined> {
  const { action, by, space, changeRequest, data } = happening
  if (by === me || space === undefined) return undefined
  if (action === 'comment_posted' || action === 'comment_reply_posted') return commentNotice(happening, me)
  if (changeRequest === undefined) return undefined
  const isAsked = action === 'change_request_review_requested' && Array.isArray(data.users) && data.users.includes(me)
  const isMine = ['change_request_merged', 'change_request_reviewed', 'change_request_content_updated']
  if (!isAsked && !isMine.includes(action)) return undefined
  const request = await call('getChangeRequestById', { spaceId: space, changeRequestId: changeRequest })
  if (isAsked) return about(happening, request, 'review', t.notifications.reviewAsked)
  if (request.createdBy.id !== me) return undefined
  if (action === 'change_request_merged') return about(happening, request, 'merged', t.notifications.merged)
  if (action === 'change_request_reviewed')
    return about(happening, request, `reviewed-${happening.id}`, t.notifications.reviewed)
  const changes = await call('getChangeRequestChanges', {
    spaceId: space,
    changeRequestId: changeRequest,
    query: { limit: 1 },
  })
  if ((changes.conflicts ?? []).length === 0) return undefined
  return about(happening, request, 'conflict', (_, subject) => t.notifications.conflict(subject), 'conflicts')
}

async function about(
  { by, at }: Happening,
  request: Request,
  kind: string,
  words: (name: string, subject: string) => string,
  tab?: 'conflicts',
): Promise<Notice> {
  const who = await call('getUserById', { userId: by })
  return {
    id: `${kind}-${request.id}`,
    who: { displayName: who.displayName, photoURL: who.photoURL },
    text: words(who.displayName, request.subject || t.common.untitled),
    href: paths.changeRequest(request.space, request.number, tab),
    at,
  }
}

async function commentNotice(happening: Happening, me: string): Promise<Notice | undefined> {
  const { space = '', changeRequest, data, action, at } = happening
  const target = isRecord(data.target) ? String(data.target.id) : ''
  const commentId = action === 'comment_posted' ? target : String(data.comment)
  const query = { format: 'document' } as const
  const input = { spaceId: space, commentId, query }
  const comment =
    changeRequest === undefined
      ? await call('getCommentInSpace', input)
      : await call('getCommentInChangeRequest', { ...input, changeRequestId: changeRequest })
  const entry = action === 'comment_posted' ? comment : await replyOf(happening, commentId, target)
  const request =
    changeRequest === undefined
      ? undefined
      : await call('getChangeRequestById', { spaceId: space, changeRequestId: changeRequest })
  const isMentioned = mentions(entry.body, me)
  const isMine = request?.createdBy.id === me || (action === 'comment_reply_posted' && comment.postedBy.id === me)
  if (!isMentioned && !isMine) return undefined
  const name = entry.postedBy.displayName
  const subject = request?.subject ?? comment.target.page?.title ?? t.common.untitled
  const { page } = comment.target
  return {
    id: `comment-${entry.id}`,
    who: { displayName: name, photoURL: entry.postedBy.photoURL },
    text: isMentioned ? t.notifications.mentioned(name, subject) : t.notifications.commented(name, subject),
    href: request ? paths.changeRequest(space, request.number) : page ? paths.page(space, page.id) : paths.space(space),
    at,
  }
}

const replyOf = ({ space = '', changeRequest }: Happening, commentId: string, commentReplyId: string) => {
  const input = { spaceId: space, commentId, commentReplyId, query: { format: 'document' } as const }
  return changeRequest === undefined
    ? call('getCommentReplyInSpace', input)
    : call('getCommentReplyInChangeRequest', { ...input, changeRequestId: changeRequest })
}

/** Whether a person is named in what was written. */
function mentions(body: unknown, person: string): boolean {
  const findIn = (value: unknown): boolean => {
    if (Array.isArray(value)) return value.some(findIn)
    if (!isRecord(value)) return false
    if (value.kind === 'user' && value.user === person) return true
    return Object.values(value).some(findIn)
  }
  return findIn(body)
}
