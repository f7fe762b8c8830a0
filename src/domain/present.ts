/** Rows as the API shows them. Presenters are synchronous: whatever they need has been loaded before. */
import type { z } from 'zod'
import type { Collection } from '../contract/collections.ts'
import type { LinkInvite, Organization } from '../contract/people/organizations.ts'
import type { Member, Team } from '../contract/people/people.ts'
import type { User } from '../contract/shapes.ts'
import type { Permissions, Role } from '../core/permissions.ts'
import { atLeast, organizationLevel } from '../core/permissions.ts'
import type { Urls } from '../core/urls.ts'
import type { CollectionRow } from '../store/content/spaces.ts'
import type { InviteRow, OrganizationRow } from '../store/people/organizations.ts'
import type { TeamRow } from '../store/people/teams.ts'
import type { CountedMember } from './reach.ts'

export const presentUser = (
  row: { id: string; displayName: string; email: string; photoURL: string | null },
  urls: Urls,
): z.output<typeof User> => ({
  object: 'user',
  id: row.id,
  displayName: row.displayName,
  email: row.email,
  photoURL: row.photoURL ?? undefined,
  urls: { location: urls.user(row.id) },
})

export const presentOrganization = (
  row: OrganizationRow,
  permissions: Permissions<'organization'>,
  urls: Urls,
): z.output<typeof Organization> => ({
  object: 'organization',
  id: row.id,
  title: row.title,
  createdAt: row.createdAt,
  emailDomains: JSON.parse(row.emailDomains),
  ...(row.hostname === null ? {} : { hostname: row.hostname }),
  type: row.type as 'business',
  ...(row.useCase === null ? {} : { useCase: row.useCase as 'other' }),
  ...(row.communityType === null ? {} : { communityType: row.communityType as 'openSource' }),
  defaultRole: row.defaultRole,
  ...(row.defaultContent === null ? {} : { defaultContent: JSON.parse(row.defaultContent) }),
  sso: row.sso === 1,
  ai: row.ai === 1,
  inviteLinks: row.inviteLinks === 1,
  plan: 'pro',
  urls: { ...urls.organization(row.id), ...(row.logo === null ? {} : { logo: row.logo }) },
  trial: { status: 'notapplicable' },
  mergeRules: { type: 'none' },
  permissions: {
    view: permissions.view,
    admin: permissions.admin,
    ownTeam: permissions.ownTeam,
    createContent: permissions.createContent,
    createOpenAPISpec: permissions.createOpenAPISpec,
    ingestConversations: permissions.ingestConversations,
    viewBilling: permissions.viewBilling,
    listMembers: permissions.listMembers,
    listTeams: permissions.listTeams,
    listIntegrations: permissions.listIntegrations,
    listInstallations: permissions.listInstallations,
    installIntegration: permissions.installIntegration,
  },
})

export const presentMember = (row: CountedMember, urls: Urls): z.output<typeof Member> => ({
  object: 'member',
  id: row.userId,
  role: row.role,
  user: presentUser({ id: row.userId, displayName: row.displayName, email: row.email, photoURL: row.photoURL }, urls),
  disabled: row.disabled === 1,
  joinedAt: row.joinedAt,
  lastSeenAt: row.lastSeenAt ?? undefined,
  sso: row.sso === 1,
  spaces: row.spaces,
  teams: row.teams ?? 0,
})

export const presentTeam = (row: TeamRow, permissions: Permissions<'team'>): z.output<typeof Team> => ({
  object: 'team',
  id: row.id,
  title: row.title,
  members: row.members ?? 0,
  spaces: row.spaces ?? 0,
  createdAt: row.createdAt,
  permissions: { admin: permissions.admin, view: permissions.view },
})

export const presentInvite = (row: InviteRow, defaultRole: Role | null, urls: Urls): z.output<typeof LinkInvite> => ({
  object: 'invite',
  id: row.id,
  ...(row.level === null ? { role: row.role } : { level: row.level }),
  redundant: atLeast(organizationLevel(defaultRole), row.level ?? organizationLevel(row.role)),
  ...(row.thingId === null || row.thingKind === null ? {} : { [row.thingKind]: row.thingId }),
  urls: { location: urls.invite(row.organizationId, row.id), join: urls.join(row.id) },
})

export const presentCollection = (
  row: CollectionRow,
  permissions: Permissions<'collection'>,
  urls: Urls,
): z.output<typeof Collection> => ({
  object: 'collection',
  id: row.id,
  title: row.title,
  ...(row.description === null ? {} : { description: row.description }),
  organization: row.organizationId,
  ...(row.parentId === null ? {} : { parent: row.parentId }),
  defaultLevel: row.defaultLevel,
  urls: urls.collection(row.id),
  permissions: {
    view: permissions.view,
    admin: permissions.admin,
    viewInviteLinks: permissions.viewInviteLinks,
    create: permissions.create,
  },
})
