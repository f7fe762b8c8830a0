/** The things a path can name, and how each is loaded. */
import { isSlug } from '../core/ids.ts'
import type { Level, Permissions } from '../core/permissions.ts'
import { organizationLevel, permissionsOf, strongest } from '../core/permissions.ts'
import {
  type ChangeRequestRow,
  findChangeRequest,
  findChangeRequestByNumber,
} from '../store/content/change-requests.ts'
import { type CommentRow, findComment, findReply, type ReplyRow } from '../store/content/comments.ts'
import { findSpec, type SpecRow } from '../store/content/openapi.ts'
import { findRevision, type RevisionRow } from '../store/content/revisions.ts'
import type { CollectionRow } from '../store/content/spaces.ts'
import { findTranslation, type TranslationRow } from '../store/content/translations.ts'
import { findImportRun, type ImportRunRow } from '../store/imports/runs.ts'
import { directGrants, findCollectionFor, levelOn, type Membership } from '../store/people/access.ts'
import { findMember, type MemberRow } from '../store/people/members.ts'
import { findInvite, type InviteRow, type OrganizationForUser } from '../store/people/organizations.ts'
import { findProvider, type SsoProviderRow } from '../store/people/sso.ts'
import { findTeam, type TeamRow } from '../store/people/teams.ts'
import { findUser, shareOrganization, type UserRow } from '../store/people/users.ts'
import { cachedSite } from '../store/sites/cached-sites.ts'
import { findRedirect, findShareLink, type RedirectRow, type ShareLinkRow } from '../store/sites/site-links.ts'
import {
  findGroup,
  findSection,
  findSite,
  findSiteSpace,
  type GroupRow,
  type SectionRow,
  type SiteRow,
  type SiteSpaceRow,
} from '../store/sites/sites.ts'
import { cachedOrganization, cachedSpace, type OrganizationThing, type SpaceForUser } from './cached-things.ts'
import type { Base } from './handler.ts'

export interface Things {
  organization: OrganizationThing
  member: MemberRow & { permissions: Permissions<'member'> }
  team: TeamRow & { permissions: Permissions<'team'> }
  invite: InviteRow & { permissions: Permissions<'invite'> }
  samlProvider: SsoProviderRow & { permissions: Permissions<'invite'> }
  oidcProvider: SsoProviderRow & { permissions: Permissions<'invite'> }
  user: UserRow & { permissions: Permissions<'user'> }
  collection: CollectionRow & Membership & { level: Level; permissions: Permissions<'collection'> }
  space: SpaceForUser
  revision: RevisionRow & { permissions: Permissions<'space'> }
  changeRequest: ChangeRequestRow & { permissions: Permissions<'space'> }
  comment: CommentRow & { permissions: Permissions<'comment'> }
  commentReply: ReplyRow & { permissions: Permissions<'commentReply'> }
  site: SiteRow & { organization: OrganizationForUser; level: Level; permissions: Permissions<'site'> }
  siteSection: SectionRow & { permissions: Permissions<'site'> }
  siteSectionGroup: GroupRow & { permissions: Permissions<'site'> }
  siteSpace: SiteSpaceRow & { permissions: Permissions<'site'> }
  shareLink: ShareLinkRow & { permissions: Permissions<'site'> }
  redirect: RedirectRow & { permissions: Permissions<'site'> }
  spec: SpecRow & { permissions: Permissions<'spec'> }
  translation: TranslationRow & { permissions: Permissions<'translation'> }
  importRun: ImportRunRow & { permissions: Permissions<'importRun'> }
}

export type ThingKind = keyof Things

/** Loads a thing by the id in the path; what stands left of it in the path is loaded already. */
type Loader<K extends ThingKind> = (base: Base, id: string, loaded: Things) => Promise<Things[K] | undefined>

export const loaders: { [K in ThingKind]: Loader<K> } = {
  organization: async ({ db, actor, commitVersion }, id) => {
    const known = actor.visitor?.commitVersion ?? commitVersion
    const loading = cachedOrganization(db, { id, userId: actor.user.id }, known)
    const row = loading instanceof Promise ? await loading : loading
    if (!row || !actor.visitor) return row
    return { ...row, permissions: visitorPermissions('organization', id === actor.visitor.organizationId) }
  },

  member: async ({ db, actor }, userId, { organization, team }: Things & { team?: Things['team'] }) => {
    const row = await findMember(db, { organizationId: organization.id, userId })
    const relation = {
      level: organizationLevel(organization.role),
      isSelf: userId === actor.user.id,
      // Below a team: whoever owns it may add people, and is told who there is to add.
      ownsTeam: team?.callerRole === 'owner',
    }
    return row && { ...row, permissions: permissionsOf('member', relation) }
  },

  team: async ({ db, actor }, id, { organization }) => {
    const row = await findTeam(db, { id, organizationId: organization.id, userId: actor.user.id })
    return row && { ...row, permissions: teamPermissions(row, organization) }
  },

  samlProvider: (base, id, { organization }) => loadProvider(base, { id, kind: 'saml' }, organization),
  oidcProvider: (base, id, { organization }) => loadProvider(base, { id, kind: 'oidc' }, organization),

  invite: async ({ db }, id, { organization }) => {
    const row = await findInvite(db, { id })
    if (row?.organizationId !== organization.id) return undefined
    return { ...row, permissions: permissionsOf('invite', { level: organizationLevel(organization.role) }) }
  },

  user: async ({ db, actor }, id) => {
    const row = await findUser(db, { id })
    if (!row) return undefined
    const known = id === actor.user.id || (await shareOrganization(db, { one: actor.user.id, other: id })) !== undefined
    return { ...row, permissions: permissionsOf('user', { level: known ? 'read' : 'none' }) }
  },

  collection: async ({ db, actor }, id) => {
    const row = await findCollectionFor(db, { id, userId: actor.user.id })
    if (!row) return undefined
    const level = await levelOn(db, row, actor.user.id)
    return { ...row, level, permissions: permissionsOf('collection', { level }) }
  },

  space: async ({ db, actor, commitVersion }, id) => {
    const loading = cachedSpace(db, { id, userId: actor.user.id }, actor.visitor?.commitVersion ?? commitVersion)
    const row = loading instanceof Promise ? await loading : loading
    if (!row || !actor.visitor) return row
    const permissions = visitorPermissions('space', actor.visitor.spaces.has(id))
    // Who previews a change request reads what it proposes.
    return { ...row, revisionId: actor.visitor.drafts?.get(id) ?? row.revisionId, level: 'read', permissions }
  },

  revision: async ({ db, actor }, id, { space }) => {
    // Visitors meet what is published, and no other state of the space.
    if (actor.visitor && id !== space.revisionId) return undefined
    const row = await findRevision(db, { id, spaceId: space.id })
    return row && { ...row, permissions: space.permissions }
  },

  changeRequest: async ({ db }, id, { space }) => {
    // Ids are never all digits, so digits are a number.
    const row = /^[1-9]\d{0,8}$/.test(id)
      ? await findChangeRequestByNumber(db, { spaceId: space.id, number: Number(id) })
      : await findChangeRequest(db, { spaceId: space.id, id })
    return row && { ...row, permissions: space.permissions }
  },

  comment: async (
    { db, actor },
    id,
    { space, changeRequest }: Things & { changeRequest?: Things['changeRequest'] },
  ) => {
    const row = await findComment(db, { id, spaceId: space.id })
    // A comment is reached where it stands: on main content, or in its own change request.
    if (!row || row.changeRequestId !== (changeRequest?.id ?? null)) return undefined
    const relation = { level: space.level, isAuthor: row.postedBy === actor.user.id }
    return { ...row, permissions: permissionsOf('comment', relation) }
  },

  commentReply: async ({ db, actor }, id, { space, comment }) => {
    const row = await findReply(db, { id, commentId: comment.id })
    const relation = { level: space.level, isAuthor: row?.postedBy === actor.user.id }
    return row && { ...row, permissions: permissionsOf('commentReply', relation) }
  },

  site: async (base, id, { organization }: Things & { organization?: Things['organization'] }) => {
    const { db, actor } = base
    const row = actor.visitor
      ? (await cachedSite(db, id, actor.visitor.commitVersion))?.site
      : await findSite(db, { id })
    // A body may name a site without its organization; whoever does not see the one does not see the other.
    const owner = organization ?? (row && (await loaders.organization(base, row.organizationId, {} as Things)))
    if (!row || !owner?.permissions.view || row.organizationId !== owner.id) return undefined
    const level = actor.visitor ? 'read' : await siteLevel(base, row.id, owner)
    const permissions = actor.visitor
      ? visitorPermissions('site', actor.visitor.siteId === id)
      : permissionsOf('site', { level })
    return { ...row, organization: owner, level, permissions }
  },

  siteSection: async ({ db }, id, { site }) => {
    const row = await findSection(db, { id })
    return row?.siteId === site.id ? { ...row, permissions: site.permissions } : undefined
  },

  siteSectionGroup: async ({ db }, id, { site }) => {
    const row = await findGroup(db, { id })
    return row?.siteId === site.id ? { ...row, permissions: site.permissions } : undefined
  },

  siteSpace: async ({ db }, id, { site }) => {
    const row = await findSiteSpace(db, { id })
    return row?.siteId === site.id ? { ...row, permissions: site.permissions } : undefined
  },

  shareLink: async ({ db }, id, { site }) => {
    const row = await findShareLink(db, { id })
    return row?.siteId === site.id ? { ...row, permissions: site.permissions } : undefined
  },

  redirect: async ({ db }, id, { site }) => {
    const row = await findRedirect(db, { id })
    return row?.siteId === site.id ? { ...row, permissions: site.permissions } : undefined
  },

  spec: async ({ db }, slug, { organization }) => {
    const row = isSlug(slug) ? await findSpec(db, { organizationId: organization.id, slug }) : undefined
    return row && { ...row, permissions: specPermissions(organization) }
  },

  translation: async ({ db }, id, { organization }) => {
    const row = await findTranslation(db, { id })
    if (row?.organizationId !== organization.id) return undefined
    return { ...row, permissions: translationPermissions(organization) }
  },

  importRun: async ({ db, actor }, id, { organization }) => {
    const row = await findImportRun(db, { id })
    if (row?.organizationId !== organization.id) return undefined
    const isMember = organization.memberId !== null && organization.disabled !== 1
    const level = isMember ? organizationLevel(organization.role) : 'none'
    return { ...row, permissions: permissionsOf('importRun', { level, isAuthor: row.createdBy === actor.user.id }) }
  },
}

/** What the role in an organization allows with each of its specs. */
export const specPermissions = (organization: OrganizationForUser): Permissions<'spec'> =>
  permissionsOf('spec', {
    level:
      organization.memberId === null || organization.disabled === 1 ? 'none' : organizationLevel(organization.role),
  })

/** What the role in an organization allows with each of its translations. */
export const translationPermissions = (organization: OrganizationForUser): Permissions<'translation'> =>
  permissionsOf('translation', {
    level:
      organization.memberId === null || organization.disabled === 1 ? 'none' : organizationLevel(organization.role),
  })

/** On a site: the role in the organization, or a stronger one given on the site itself. */
async function siteLevel({ db, actor }: Base, id: string, organization: OrganizationForUser): Promise<Level> {
  if (organization.memberId === null || organization.disabled === 1) return 'none'
  if (organization.role === 'admin') return 'admin'
  const grants = await directGrants(db, { id, userId: actor.user.id })
  return strongest([organization.role ?? 'none', ...grants.map((grant) => grant.role)])
}

/** A visitor reads what they were let into. */
const visitorPermissions = <K extends 'organization' | 'space' | 'site'>(kind: K, isTheirs: boolean): Permissions<K> =>
  permissionsOf(kind, { level: !isTheirs ? 'none' : kind === 'organization' ? 'guest' : 'read' })

const keepDays = 7

/** Until when a space that was deleted at this time can come back. */
export const restorableUntil = (deletedAt: string): string =>
  new Date(Date.parse(deletedAt) + keepDays * 24 * 60 * 60 * 1000).toISOString()

export const teamPermissions = (
  team: { callerRole: 'owner' | 'member' | null },
  organization: { role: OrganizationForUser['role'] },
): Permissions<'team'> =>
  permissionsOf('team', {
    level: organizationLevel(organization.role),
    inTeam: team.callerRole !== null,
    ownsTeam: team.callerRole === 'owner',
  })

async function loadProvider(
  { db }: Base,
  { id, kind }: { id: string; kind: SsoProviderRow['kind'] },
  organization: Things['organization'],
): Promise<Things['samlProvider'] | undefined> {
  const row = await findProvider(db, { id })
  if (row?.organizationId !== organization.id || row.kind !== kind) return undefined
  return { ...row, permissions: permissionsOf('invite', { level: organizationLevel(organization.role) }) }
}
