import { z } from 'zod'
import { CustomizationShape as Customization } from '../../core/customization/shape.ts'
import { SearchPage } from '../content/search.ts'
import { NewRole, PermissionGrant, TeamPermission, UserPermission } from '../content/spaces.ts'
import { DELETE, GET, PATCH, POST, PUT } from '../operation.ts'
import { Flag, Id, List, O, optionalBody, P, Role, SITE, Timestamp, Url, WebUrl } from '../shapes.ts'
import {
  Hostname,
  ShareKey,
  Site,
  SiteSection,
  SiteSectionGroup,
  SiteSpace,
  SiteStructure,
  SiteType,
  SiteVisibility,
  Visitor,
} from './site.ts'
import { TokenCheck, VisitorTokenCheck } from './visitor-token.ts'

const SiteTitle = z.string().min(2).max(128)
const Basename = z
  .string()
  .min(1)
  .max(100)
  .regex(/^[a-z0-9]+(?:-[a-z0-9]+)*$/, 'must be lower-case letters, digits and single hyphens')
const ProxyTarget = z
  .string()
  .max(512)
  .regex(/^([\w-]+\.)*[\w-]+\.[a-zA-Z]{2,}(\/[\w-]+)+$/, 'must be a host and a path such as example.org/docs')

const SitesQuery = {
  ...P,
  space: Id.optional().describe('Only sites that show this space.'),
  title: z.string().max(256).optional(),
  published: z.boolean().optional(),
  type: z.array(SiteType).max(10).optional(),
}

const NewSite = optionalBody({
  type: SiteType.optional(),
  title: SiteTitle.optional(),
  visibility: SiteVisibility.optional(),
  spaces: z.union([z.array(Id).max(100), z.enum(['sample', 'empty'])]).optional(),
})

const SitePatch = optionalBody({
  title: SiteTitle.optional(),
  visibility: SiteVisibility.optional(),
  basename: Basename.optional(),
  hostname: Hostname.nullable().optional(),
  adaptiveContent: z.object({ enabled: Flag }).optional(),
  agentsContext: z.enum(['excluded', 'included']).optional(),
  defaultSiteSpace: Id.optional(),
  defaultSiteSection: Id.optional(),
  proxy: ProxyTarget.nullable().optional(),
})

const AdaptiveSchema = z
  .object({
    object: z.literal('site-adaptive-schema'),
    jsonSchema: z.record(z.string(), z.unknown()),
    updatedAt: Timestamp,
  })
  .meta({ id: 'SiteAdaptiveSchema' })

/** Scripts that integrations add to a site; there are no integrations, so there are none. */
const Script = z.object({ script: Url, contentSecurityPolicy: z.string().optional(), cookies: Flag })

export const PublishedSite = z
  .object({
    object: z.literal('published-content-site'),
    site: Site,
    structure: SiteStructure,
    customizations: z.object({ site: Customization, siteSpaces: z.record(z.string(), Customization) }),
    scripts: z.array(Script),
  })
  .meta({ id: 'PublishedContentSite' })

const SearchBody = z.object({
  query: z.string().min(1).max(512),
  limit: z.number().int().min(1).max(100).default(20),
  counted: Flag.default(true).describe('false stops at `limit`, for who searches as they type.'),
  visitor: Visitor.optional(),
})

const SiteSearch = z.object({
  count: z.number().int().describe('How many pages were found. Counting stops at 200.'),
  items: z.array(SearchPage),
})

const PreviewQuery = {
  space: Id.optional().describe('The space of `changeRequest`.'),
  changeRequest: Id.optional().describe('Shows this change request in the place of what its space holds.'),
}

const Pointer = z.object({ type: z.enum(['site-space', 'site-section', 'site-section-group']), id: Id })
const Sort = z.object({ item: Pointer, position: z.object({ before: Pointer.optional(), after: Pointer.optional() }) })
const Sorted = z.union([SiteSpace, SiteSection, SiteSectionGroup])

const PublishingAuth = z
  .object({
    object: z.literal('publishing-auth'),
    backend: z.literal('custom'),
    privateKey: z.string(),
    fallbackURL: z.string().optional(),
    logoutURL: z.string().optional(),
  })
  .meta({ id: 'PublishingAuth' })

const AuthPatch = optionalBody({
  backend: z.literal('custom').optional(),
  fallbackURL: WebUrl.nullable().optional(),
  logoutURL: WebUrl.nullable().optional(),
})

// biome-ignore format: held side by side with the specification, it matches line for line.
export const sites = {
  listSites:                          GET   (`${O}/sites`,                                  'organization.view',          { query: SitesQuery, ok: List(Site) }),
  createSite:                         POST  (`${O}/sites`,                                  'organization.createContent', { body: NewSite, created: Site, fails: ['already_exists'], lock: 'tree' }),
  getSiteById:                        GET   (SITE,                                          'site.view',                  { ok: Site }),
  deleteSiteById:                     DELETE(SITE,                                          'site.admin'),
  updateSiteById:                     PATCH (SITE,                                          'site.edit',                  { body: SitePatch, ok: Site, fails: ['already_exists'] }),
  getSiteAdaptiveSchema:              GET   (`${SITE}/adaptive-schema`,                     'site.view',                  { ok: AdaptiveSchema }),
  updateSiteAdaptiveSchema:           PUT   (`${SITE}/adaptive-schema`,                     'site.edit',                  { body: z.object({ jsonSchema: z.unknown() }), ok: AdaptiveSchema }),
  listSiteAdaptiveTemplateConditions: GET   (`${SITE}/adaptive-schema/template-conditions`, 'site.view',                  { ok: z.object({ items: z.array(z.object({ description: z.string(), condition: z.string() })) }) }),
  getPublishedContentSite:            GET   (`${SITE}/published`,                           'site.view',                  { query: ShareKey, ok: PublishedSite, visitors: true }),
  publishSite:                        POST  (`${SITE}/publish`,                             'site.edit',                  { ok: Site }),
  unpublishSite:                      POST  (`${SITE}/unpublish`,                           'site.edit',                  { ok: Site }),

  // Beyond the specification: navigation, visitors, sharing, search.
  getSiteStructure:                   GET   (`${SITE}/structure`,                           'site.view',                  { query: ShareKey, ok: SiteStructure, visitors: true }),
  sortSiteStructure:                  PATCH (`${SITE}/structure/sort`,                      'site.edit',                  { body: Sort, ok: Sorted }),
  getSitePublishingAuthById:          GET   (`${SITE}/publishing/auth`,                     'site.admin',                 { ok: PublishingAuth }),
  updateSitePublishingAuthById:       PATCH (`${SITE}/publishing/auth`,                     'site.admin',                 { body: AuthPatch, ok: PublishingAuth }),
  regenerateSitePublishingAuthById:   POST  (`${SITE}/publishing/auth/regenerate`,          'site.admin',                 { ok: PublishingAuth }),
  checkSiteVisitorToken:              POST  (`${SITE}/publishing/auth/check`,               'site.admin',                 { body: TokenCheck, ok: VisitorTokenCheck, reads: true, summary: 'Tell what a visitor’s token admits to, or why it does not.' }),
  getSitePublishingPreviewById:       GET   (`${SITE}/publishing/preview`,                  'site.edit',                  { query: PreviewQuery, ok: z.object({ previewURL: Url, expiresAt: Timestamp }) }),
  inviteToSite:                       POST  (`${SITE}/permissions`,                         'site.admin',                 { body: PermissionGrant }),
  listUserPermissionsInSite:          GET   (`${SITE}/permissions/users`,                   'site.view',                  { query: { ...P, role: Role.optional() }, ok: List(UserPermission) }),
  updateUserPermissionInSite:         PATCH (`${SITE}/permissions/users/{user}`,            'site.admin',                 { body: NewRole }),
  removeUserFromSite:                 DELETE(`${SITE}/permissions/users/{user}`,            'site.admin'),
  listTeamPermissionsInSite:          GET   (`${SITE}/permissions/teams`,                   'site.view',                  { query: P, ok: List(TeamPermission) }),
  updateTeamPermissionInSite:         PATCH (`${SITE}/permissions/teams/{team}`,            'site.admin',                 { body: NewRole }),
  removeTeamFromSite:                 DELETE(`${SITE}/permissions/teams/{team}`,            'site.admin'),
  listSiteIntegrationScripts:         GET   (`${SITE}/integration-scripts`,                 'site.view',                  { ok: z.array(Script), visitors: true }),
  searchSiteContent:                  POST  (`${SITE}/search`,                              'site.view',                  { body: SearchBody, ok: SiteSearch, reads: true, visitors: true }),
}
