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
  | 'sso_sign_in_refused'
  | SiteAction

/** What is done to a site; `site_structure_updated` is about its sections, groups and spaces. */
export type SiteAction = (typeof siteActions)[number]

const siteActions = [
  'site_created',
  'site_updated',
  'site_published',
  'site_unpublished',
  'site_deleted',
  'site_structure_updated',
  'site_adaptive_schema_updated',
  'site_customization_updated',
  'site_redirects_updated',
  'site_share_link_created',
  'site_share_link_updated',
  'site_share_link_deleted',
  'site_publishing_auth_updated',
  'site_publishing_auth_regenerated',
  'site_permissions_updated',
] as const

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
  'sso_sign_in_refused',
  ...siteActions,
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

/** Something done to a site. */
export const noteSite = (
  base: Base,
  site: { id: string; organizationId: string },
  action: SiteAction,
  data: Record<string, unknown> = {},
): Promise<number> =>
  note(base, { organizationId: site.organizationId, action, target: { type: 'site', id: site.id }, data })
