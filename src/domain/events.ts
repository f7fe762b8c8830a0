/** Notes what happened, in the transaction of the deed. */
import { insertEvent } from '../store/events.ts'
import type { Base } from './scope.ts'

export type EventAction =
  | 'space_content_updated'
  | 'change_request_created'
  | 'change_request_updated'
  | 'change_request_content_updated'
  | 'change_request_merged'
  | 'change_request_reviewed'
  | 'change_request_review_requested'
  | 'comment_posted'
  | 'comment_updated'
  | 'comment_deleted'
  | 'comment_reply_posted'
  | 'comment_reply_updated'
  | 'comment_reply_deleted'

export const eventActions: readonly EventAction[] = [
  'space_content_updated',
  'change_request_created',
  'change_request_updated',
  'change_request_content_updated',
  'change_request_merged',
  'change_request_reviewed',
  'change_request_review_requested',
  'comment_posted',
  'comment_updated',
  'comment_deleted',
  'comment_reply_posted',
  'comment_reply_updated',
  'comment_reply_deleted',
]

/** `data` holds the ids that whoever is told needs to find the rest. */
export const note = (
  { db, env, actor, now }: Base,
  event: {
    organizationId: string
    action: EventAction
    target: { type: string; id: string }
    data?: Record<string, unknown>
  },
): Promise<number> =>
  insertEvent(db, {
    id: env.newId(),
    organizationId: event.organizationId,
    action: event.action,
    actorId: actor.user.id,
    targetType: event.target.type,
    targetId: event.target.id,
    data: JSON.stringify(event.data ?? {}),
    occurredAt: now,
  })
