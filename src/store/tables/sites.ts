/** Row types: sites and what they are made of. */
import type { OneOf, ratings, siteVisibilities } from '../../core/enumerations.ts'
export interface SiteTable {
  id: string
  organizationId: string
  type: string
  title: string
  folded: string
  basename: string
  /** Proved to be its owner's; at this name it is served. */
  hostname: string | null
  /** Asked for at `claimedAt`, and not proved yet: it serves nothing and keeps nobody else from it. */
  claimedHostname: string | null
  claimedAt: string | null
  proxy: string | null
  visibility: OneOf<typeof siteVisibilities>
  published: number
  agentsContext: 'excluded' | 'included'
  adaptiveContent: number
  /** JSON Schema of the claims of its visitors. */
  adaptiveSchema: string | null
  adaptiveUpdatedAt: string | null
  /** JSON, as it was put; gaps are filled with defaults when it is read. */
  customization: string | null
  /** The visitors' key is derived from it: a new number is a new key. */
  visitorKeyVersion: number
  fallbackURL: string | null
  logoutURL: string | null
  createdBy: string
  createdAt: string
  updatedAt: string
}

export interface SiteSectionGroupTable {
  id: string
  siteId: string
  rank: string
  title: string
  icon: string | null
}

export interface SiteSectionTable {
  id: string
  siteId: string
  groupId: string | null
  rank: string
  title: string
  description: string | null
  icon: string | null
  path: string
  condition: string | null
  isDefault: number
  createdAt: string
}

/** A space's place on a site: in a section, or at the root of a site without sections. */
export interface SiteSpaceTable {
  id: string
  siteId: string
  sectionId: string | null
  spaceId: string
  rank: string
  path: string
  condition: string | null
  isDefault: number
  /** JSON of the parts of the customization that differ from the site's. */
  customization: string | null
  createdAt: string
}

/** The key of a link is derived from its id and nowhere stored. */
export interface ShareLinkTable {
  id: string
  siteId: string
  name: string
  active: number
  createdAt: string
}

export interface RedirectTable {
  id: string
  siteId: string
  source: string
  /** JSON. */
  destination: string
  draft: number
  captureWildcard: number
  permanent: number
  createdAt: string
  updatedAt: string
}

/** A visitor's token that no cookie can hold: the cookie names it. */
export interface VisitorTokenTable {
  /** Hash of what the cookie says. */
  id: string
  siteId: string
  token: string
  expiresAt: string
}

/** How often something happened on a site, by day; ids are empty where there is none. */
export interface SiteInsightTable {
  siteId: string
  day: string
  type: string
  siteSpaceId: string
  pageId: string
  count: number
}

export interface PageFeedbackTable {
  id: string
  siteId: string
  siteSpaceId: string
  pageId: string
  rating: OneOf<typeof ratings> | null
  comment: string | null
  createdAt: string
}
