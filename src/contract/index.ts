/** All sections, in the specification's order: the only list of them. */
import { auditEvents } from './audit-events.ts'
import { collections } from './collections.ts'
import { changeRequestContent, changeRequests } from './content/change-requests.ts'
import { changeRequestComments, spaceComments } from './content/comments.ts'
import { git } from './content/git.ts'
import { imports } from './content/imports.ts'
import { openapi } from './content/openapi.ts'
import { changeRequestPdf, spacePdf } from './content/pdf.ts'
import { revisions, spaceContent } from './content/space-content.ts'
import { spaces } from './content/spaces.ts'
import { translations } from './content/translations.ts'
import { changeRequestEvents, events } from './events.ts'
import type { Operation } from './operation.ts'
import { members } from './people/members.ts'
import { oidc } from './people/oidc.ts'
import { organizations } from './people/organizations.ts'
import { saml } from './people/saml.ts'
import { sessions } from './people/sessions.ts'
import { teams } from './people/teams.ts'
import { users } from './people/users.ts'
import { customizations } from './sites/customization.ts'
import { redirects } from './sites/redirects.ts'
import { siteInsights } from './sites/site-insights.ts'
import { siteSectionGroups } from './sites/site-section-groups.ts'
import { siteSections } from './sites/site-sections.ts'
import { siteShareLinks } from './sites/site-share-links.ts'
import { siteSpaces } from './sites/site-spaces.ts'
import { sites } from './sites/sites.ts'
import { urls } from './urls.ts'

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
