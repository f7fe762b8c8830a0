/**
 * Notes what happened, in the transaction of the deed: one event for each write. The audit log and the event streams read
 * it, so whatever writes something people would ask about later notes it here.
 */
import { insertEvent, type NewEvent } from '../../store/events/events.ts'
import type { Credential } from '../actor.ts'
import type { Base } from '../handler.ts'

/**
 * Who may read of it beside the organization's admins: whoever sees the thing (`content`), whoever may comment there
 * (`comment`), or nobody (`access`: who may do what, and with which secret).
 */
type Audience = 'content' | 'comment' | 'access'

const audiences = {
  organization_created: 'access',
  organization_updated: 'access',
  member_added: 'access',
  member_updated: 'access',
  member_removed: 'access',
  invite_created: 'access',
  invite_updated: 'access',
  invite_deleted: 'access',
  token_created: 'access',
  token_deleted: 'access',
  team_created: 'access',
  team_updated: 'access',
  team_deleted: 'access',
  team_members_updated: 'access',
  saml_provider_created: 'access',
  saml_provider_updated: 'access',
  saml_provider_deleted: 'access',
  oidc_provider_created: 'access',
  oidc_provider_updated: 'access',
  oidc_provider_deleted: 'access',
  email_domain_verified: 'access',
  sso_sign_in_refused: 'access',
  signed_in: 'access',
  sign_in_refused: 'access',
  collection_created: 'content',
  collection_updated: 'content',
  collection_moved: 'content',
  collection_transferred: 'access',
  collection_deleted: 'content',
  collection_permissions_updated: 'access',
  space_created: 'content',
  space_updated: 'content',
  space_moved: 'content',
  space_transferred: 'access',
  space_deleted: 'content',
  space_restored: 'content',
  space_permissions_updated: 'access',
  space_content_updated: 'content',
  change_request_created: 'content',
  change_request_updated: 'content',
  change_request_content_updated: 'content',
  change_request_merged: 'content',
  change_request_reviewed: 'content',
  change_request_review_requested: 'content',
  comment_posted: 'comment',
  comment_updated: 'comment',
  comment_deleted: 'comment',
  comment_reply_posted: 'comment',
  comment_reply_updated: 'comment',
  comment_reply_deleted: 'comment',
  site_created: 'content',
  site_updated: 'content',
  site_published: 'content',
  site_unpublished: 'content',
  site_deleted: 'content',
  /** Its sections, groups and spaces. */
  site_structure_updated: 'content',
  site_adaptive_schema_updated: 'content',
  site_customization_updated: 'content',
  site_redirects_updated: 'content',
  site_share_link_created: 'access',
  site_share_link_updated: 'access',
  site_share_link_deleted: 'access',
  site_publishing_auth_updated: 'access',
  site_publishing_auth_regenerated: 'access',
  site_permissions_updated: 'access',
  openapi_spec_created: 'access',
  openapi_spec_updated: 'access',
  openapi_spec_deleted: 'access',
  import_started: 'access',
  import_cancelled: 'access',
  space_gitsync_started: 'access',
  space_gitsync_completed: 'access',
  translation_created: 'access',
  translation_updated: 'access',
  translation_deleted: 'access',
  translation_run: 'access',
  translation_glossary_updated: 'access',
} as const satisfies Record<string, Audience>

export type EventAction = keyof typeof audiences

export type SiteAction = Extract<EventAction, `site_${string}`>

export const eventActions = Object.keys(audiences) as EventAction[]

/** Also for what a newer version noted: what is not known here is for admins. */
export const audienceOf = (action: string): Audience => audiences[action as EventAction] ?? 'access'

/** What of a site only those who edit it see: the host name that it asks for and has not proved. */
const editorFields = ['claimedHostname', 'claimedAt']

/** What happened as it is told to those who see the site and may not edit it. */
export function forReaders(data: Record<string, unknown>): Record<string, unknown> {
  const without = (part: unknown) =>
    typeof part === 'object' && part !== null
      ? Object.fromEntries(Object.entries(part).filter(([name]) => !editorFields.includes(name)))
      : part
  const { before, after } = data
  if (before === undefined && after === undefined) return data
  return { ...data, before: without(before), after: without(after) }
}

export interface Noted {
  organizationId: string
  action: EventAction
  target: { type: string; id: string }
  /**
   * The ids that whoever is told needs to find the rest. `space` and `changeRequest` say where it happened, `before` and
   * `after` what has changed.
   */
  data?: Record<string, unknown>
}

/** Who did it, when and from where: what a handler has, or what is known where nobody has signed in yet. */
export type NotedBy = Pick<Base, 'db' | 'env' | 'now' | 'address'> & {
  actor: { user: { id: string }; credential: Credential }
}

export const note = (by: NotedBy, event: Noted): Promise<number> => insertEvent(by.db, eventOf(by, event))

/** What `note` writes, for whoever writes it together with something else. */
export const eventOf = ({ env, actor, address, now }: NotedBy, event: Noted): NewEvent => ({
  id: env.newId(),
  organizationId: event.organizationId,
  action: event.action,
  actorId: actor.user.id,
  targetType: event.target.type,
  targetId: event.target.id,
  data: JSON.stringify(event.data ?? {}),
  occurredAt: now,
  spaceId: idIn(event, 'space', event.data?.space),
  changeRequestId: idIn(event, 'change-request', event.data?.changeRequest),
  credentialKind: actor.credential.kind,
  credentialId: actor.credential.id,
  address: address ?? null,
})

const idIn = ({ target }: Noted, type: string, named: unknown): string | null =>
  target.type === type ? target.id : typeof named === 'string' ? named : null

/** Something done to a site. */
export const noteSite = (
  base: Base,
  site: { id: string; organizationId: string },
  action: SiteAction,
  data: Record<string, unknown> = {},
): Promise<number> =>
  note(base, { organizationId: site.organizationId, action, target: { type: 'site', id: site.id }, data })

/** Something done to a space or a collection as a whole. */
export const noteThing = <K extends 'space' | 'collection'>(
  base: Base,
  kind: K,
  thing: { id: string; organizationId: string },
  action: Extract<EventAction, `${K}_${string}`>,
  data: Record<string, unknown> = {},
): Promise<number> =>
  note(base, { organizationId: thing.organizationId, action, target: { type: kind, id: thing.id }, data })

/** Something done to an organization, or to who is in it and may do what. The action names what the id is of. */
export const noteAccess = (
  base: Base,
  organizationId: string,
  action: Extract<EventAction, `${'organization' | 'member' | 'invite' | 'token' | 'team'}_${string}`>,
  id: string,
  data: Record<string, unknown> = {},
): Promise<number> =>
  note(base, { organizationId, action, target: { type: action.slice(0, action.indexOf('_')), id }, data })

/** What of a row a change replaces: the values before and after, of the columns that differ. */
export function changesIn<Row extends object>(row: Row, change: Partial<Row>): { before: object; after: object } {
  const names = (Object.keys(change) as (keyof Row)[]).filter(
    (name) => row[name] !== change[name] && name !== 'updatedAt' && name !== 'folded',
  )
  const pick = (from: Partial<Row>) => Object.fromEntries(names.map((name) => [name, from[name] ?? null]))
  return { before: pick(row), after: pick(change) }
}
