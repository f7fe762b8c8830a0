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
