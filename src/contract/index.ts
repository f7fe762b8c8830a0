/** All sections, in the specification's order: the only list of them. */
import { auditEvents } from './audit-events.ts'
import { changeRequestContent, changeRequests } from './change-requests.ts'
import { collections } from './collections.ts'
import { changeRequestComments, spaceComments } from './comments.ts'
import { customizations } from './customization.ts'
import { changeRequestEvents, events } from './events.ts'
import { git } from './git/git.ts'
import { imports } from './imports.ts'
import { members } from './members.ts'
import { oidc } from './oidc.ts'
import { openapi } from './openapi.ts'
import type { Operation } from './operation.ts'
import { organizations } from './organizations.ts'
import { changeRequestPdf, spacePdf } from './pdf.ts'
import { redirects } from './redirects.ts'
import { saml } from './saml.ts'
import { sessions } from './sessions.ts'
import { siteInsights } from './site-insights.ts'
import { siteSectionGroups } from './site-section-groups.ts'
import { siteSections } from './site-sections.ts'
import { siteShareLinks } from './site-share-links.ts'
import { siteSpaces } from './site-spaces.ts'
import { sites } from './sites.ts'
import { revisions, spaceContent } from './space-content.ts'
import { spaces } from './spaces.ts'
import { teams } from './teams.ts'
import { translations } from './translations.ts'
import { urls } from './urls.ts'
import { users } from './users.ts'

export const sections = {
  spaceComments,
  changeRequestComments,
  spaces,
  spaceContent,
  revisions,
  changeRequests,
  changeRequestContent,
  spacePdf,
  changeRequestPdf,
  collections,
  organizations,
  members,
  teams,
  saml,
  oidc,
  sites,
  siteShareLinks,
  siteSections,
  siteSpaces,
  siteSectionGroups,
  customizations,
  redirects,
  siteInsights,
  openapi,
  translations,
  imports,
  git,
  urls,
  users,
  sessions,
  auditEvents,
  events,
  changeRequestEvents,
}

/** What people call each section: the heading of its operations in the reference. */
export const sectionTitles: Record<keyof typeof sections, string> = {
  spaceComments: 'Comments on spaces',
  changeRequestComments: 'Comments on change requests',
  spaces: 'Spaces',
  spaceContent: 'Content of spaces',
  revisions: 'Revisions',
  changeRequests: 'Change requests',
  changeRequestContent: 'Content of change requests',
  spacePdf: 'PDFs of spaces',
  changeRequestPdf: 'PDFs of change requests',
  collections: 'Collections',
  organizations: 'Organizations',
  members: 'Members',
  teams: 'Teams',
  saml: 'Single sign-on with SAML',
  oidc: 'Single sign-on with OpenID Connect',
  sites: 'Sites',
  siteShareLinks: 'Share links of sites',
  siteSections: 'Sections of sites',
  siteSpaces: 'Spaces of sites',
  siteSectionGroups: 'Groups of sections',
  customizations: 'Customization of sites',
  redirects: 'Redirects of sites',
  siteInsights: 'Insights of sites',
  openapi: 'OpenAPI specs',
  translations: 'Translations',
  imports: 'Imports',
  git: 'Git Sync',
  urls: 'URLs',
  users: 'Users',
  sessions: 'Sessions',
  auditEvents: 'Audit events',
  events: 'Streams of events',
  changeRequestEvents: 'Events of change requests',
}

export const contract = {
  ...spaceComments,
  ...changeRequestComments,
  ...spaces,
  ...spaceContent,
  ...revisions,
  ...changeRequests,
  ...changeRequestContent,
  ...spacePdf,
  ...changeRequestPdf,
  ...collections,
  ...organizations,
  ...members,
  ...teams,
  ...saml,
  ...oidc,
  ...sites,
  ...siteShareLinks,
  ...siteSections,
  ...siteSpaces,
  ...siteSectionGroups,
  ...customizations,
  ...redirects,
  ...siteInsights,
  ...openapi,
  ...translations,
  ...imports,
  ...git,
  ...urls,
  ...users,
  ...sessions,
  ...auditEvents,
  ...events,
  ...changeRequestEvents,
}

export type Contract = typeof contract
export type OperationName = keyof Contract

export const operations = Object.entries(contract) as [OperationName, Operation][]
