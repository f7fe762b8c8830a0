import { z } from 'zod'
import { SearchPage, SearchQuery } from '../content/search.ts'
import { DELETE, GET, PATCH, POST } from '../operation.ts'
import {
  Email,
  Flag,
  Id,
  List,
  O,
  optionalBody,
  P,
  Role,
  RoleOrGuest,
  Timestamp,
  Url,
  User,
  WebUrl,
} from '../shapes.ts'

export const Organization = z
  .object({
    object: z.literal('organization'),
    id: Id,
    title: z.string(),
    createdAt: Timestamp,
    emailDomains: z.array(z.string()),
    hostname: z.string().optional(),
    type: z.enum(['business', 'community']),
    useCase: z
      .enum([
        'internalDocs',
        'docsSite',
        'audienceControlledSite',
        'productDocs',
        'teamKnowledgeBase',
        'designSystem',
        'openSourceDocs',
        'notes',
        'other',
      ])
      .optional(),
    communityType: z.enum(['nonProfit', 'openSource', 'education']).optional(),
    defaultRole: RoleOrGuest,
    defaultContent: z.object({ type: z.literal('site'), site: Id }).optional(),
    sso: Flag,
    ai: Flag,
    inviteLinks: Flag,
    plan: z.literal('pro'),
    urls: z.object({ location: Url, app: Url, logo: Url.optional() }),
    trial: z.object({ status: z.literal('notapplicable') }),
    customHostname: z.string().optional(),
    /** Whoever may merge may do so at any time. */
    mergeRules: z.object({ type: z.literal('none') }),
    permissions: z.object({
      view: Flag,
      admin: Flag,
      ownTeam: Flag,
      createContent: Flag,
      createOpenAPISpec: Flag,
      ingestConversations: Flag,
      viewBilling: Flag,
      listMembers: Flag,
      listTeams: Flag,
      listIntegrations: Flag,
      listInstallations: Flag,
      installIntegration: Flag,
    }),
  })
  .meta({ id: 'Organization' })

const Hostname = z
  .string()
  .regex(/^[a-z0-9][a-z0-9-]{1,30}[a-z0-9]$/, 'must be 3 to 32 lower-case letters, digits or hyphens')
const EmailDomain = z
  .string()
  .max(253)
  .regex(/^(?=.{1,253}$)([a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]{2,63}$/i, 'must be a domain such as example.org')
const Title = z
  .string()
  .min(2)
  .max(255)
  .regex(/\S.*\S/, 'must have at least two visible characters')

const OrganizationPatch = optionalBody({
  title: Title.optional(),
  emailDomains: z.array(EmailDomain).max(50).optional(),
  hostname: Hostname.optional(),
  defaultRole: RoleOrGuest.optional(),
  defaultContent: z
    .object({ type: z.literal('site'), site: Id })
    .nullable()
    .optional(),
  logo: WebUrl.optional(),
  sso: Flag.optional(),
  ai: Flag.optional(),
  inviteLinks: Flag.optional(),
})

export const LinkInvite = z
  .object({
    object: z.literal('invite'),
    id: Id,
    role: RoleOrGuest.optional(),
    level: Role.optional(),
    redundant: Flag.describe('The level gives nothing that the default role does not give already.'),
    space: Id.optional(),
    collection: Id.optional(),
    urls: z.object({ location: Url, join: Url }),
  })
  .meta({ id: 'Invite' })

// What belongs to another form would be dropped without a word, and an invite to one space become one to the organization.
const absent = z.never({ error: 'does not go together with the other fields' }).optional()
const LinkInviteBody = z.union([
  z.object({ level: Role, space: Id, collection: absent, role: absent }),
  z.object({ level: Role, collection: Id, space: absent, role: absent }),
  z.object({ role: RoleOrGuest, level: absent, space: absent, collection: absent }),
])

const Invited = z.object({
  users: z.array(User).describe('People who already had an account: they are members now.'),
  invited: z.number().int().describe('How many of the addresses are members now.'),
  failedSSOEmails: z.array(z.string()).optional(),
})

const Subdomain = z
  .object({
    object: z.literal('subdomain'),
    subdomain: z.string(),
    target: z.object({ type: z.literal('organization'), organization: Id }),
    isActive: Flag,
  })
  .meta({ id: 'Subdomain' })

const SearchSpace = z.object({ id: Id, title: z.string(), pages: z.array(SearchPage) }).meta({ id: 'SearchSpace' })

// biome-ignore format: held side by side with the specification, it matches line for line.
export const organizations = {
  listOrganizationsForAuthenticatedUser: GET   ('/v1/orgs',                     'account',            { query: P, ok: List(Organization) }),
  getOrganizationById:                   GET   (O,                              'organization.view',  { ok: Organization }),
  updateOrganizationById:                PATCH (O,                              'organization.admin', { body: OrganizationPatch, ok: Organization, fails: ['already_exists'] }),
  deleteOrganizationInviteById:          DELETE(`${O}/link-invites/{inviteId}`, 'organization.admin'),
  searchOrganizationContent:             GET   (`${O}/search`,                  'organization.view',  { query: SearchQuery, ok: List(SearchSpace) }),
  getOrganizationsForEmailDomain:        GET   ('/v1/email-domains/{emailDomain}/orgs', 'account',    { ok: z.object({ organizations: z.array(Organization) }) }),

  // Beyond the specification: without these a team cannot be set up.
  createOrganization:                    POST  ('/v1/orgs',                     'account',            { body: z.object({ title: Title, emailDomains: z.array(EmailDomain).max(50).optional() }), created: Organization }),
  inviteUsersToOrganization:             POST  (`${O}/invites`,                 'organization.admin', { body: z.object({ emails: z.array(Email).min(1).max(100), role: RoleOrGuest.optional(), sso: Flag.optional() }), ok: Invited }),
  createOrganizationInvite:              POST  (`${O}/link-invites`,            'organization.admin', { body: LinkInviteBody, created: LinkInvite, fails: ['conflict'], placed: true }),
  listOrganizationInviteLinks:           GET   (`${O}/link-invites`,            'organization.admin', { query: P, ok: List(LinkInvite) }),
  getOrganizationInviteById:             GET   (`${O}/link-invites/{inviteId}`, 'organization.admin', { ok: LinkInvite }),
  updateOrganizationInviteById:          PATCH (`${O}/link-invites/{inviteId}`, 'organization.admin', { body: optionalBody({ role: RoleOrGuest.optional(), level: Role.optional() }), ok: LinkInvite }),
  joinOrganizationWithInvite:            POST  ('/v1/join/{invite}',            'account',            { ok: Organization, fails: ['invite_used', 'conflict'], lock: 'tree', summary: 'Join an organization with the id of a link invite.' }),
  getSubdomain:                          GET   ('/v1/subdomains/{subdomain}',   'account',            { ok: Subdomain }),
}
