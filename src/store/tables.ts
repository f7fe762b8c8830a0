/**
 * Row types: what the tables hold. Ids, times and JSON are text, booleans 0 or 1, on both engines.
 * The tables themselves are made in `migrations/`.
 */
import type { Generated } from 'kysely'
import type { Role } from '../core/permissions.ts'

export interface SettingTable {
  name: string
  value: string
}

export interface UserTable {
  id: string
  displayName: string
  email: string
  /** Name and e-mail in the form in which they are searched. */
  folded: string
  photoURL: string | null
  createdAt: string
}

export interface ApiTokenTable {
  id: string
  userId: string
  label: string
  hash: string
  createdAt: string
  lastUsedAt: string | null
}

export interface OrganizationTable {
  id: string
  title: string
  emailDomains: string
  hostname: string | null
  type: string
  useCase: string | null
  communityType: string | null
  defaultRole: Role | null
  defaultContent: string | null
  logo: string | null
  sso: number
  ai: number
  inviteLinks: number
  createdAt: string
}

export interface EmailDomainTable {
  domain: string
  organizationId: string
}

export interface MemberTable {
  organizationId: string
  userId: string
  role: Role | null
  disabled: number
  sso: number
  joinedAt: string
  lastSeenAt: string | null
}

export interface TeamTable {
  id: string
  organizationId: string
  title: string
  folded: string
  createdAt: string
}

export interface TeamMemberTable {
  teamId: string
  userId: string
  role: 'owner' | 'member'
  addedAt: string
}

export interface InviteTable {
  id: string
  organizationId: string
  /** The role given in the organization; null is guest. */
  role: Role | null
  /** With `thingId`: the level given on that space or collection. */
  level: Role | null
  thingKind: 'space' | 'collection' | null
  thingId: string | null
  createdAt: string
}

export interface CollectionTable {
  id: string
  organizationId: string
  parentId: string | null
  rank: string
  title: string
  description: string | null
  defaultLevel: Role | 'inherit' | null
  createdAt: string
}

export interface SpaceTable {
  id: string
  organizationId: string
  parentId: string | null
  rank: string
  title: string
  emoji: string
  editMode: 'live' | 'locked'
  defaultLevel: Role | 'inherit' | null
  language: string | null
  revisionId: string
  createdBy: string
  createdAt: string
  updatedAt: string
  deletedAt: string | null
  comments: number
  changeRequests: number
  changeRequestsOpen: number
  changeRequestsDraft: number
}

/** A role given directly to a user or a team, on a space, a collection or a site. */
export interface AccessGrantTable {
  thingKind: 'space' | 'collection' | 'site'
  thingId: string
  subjectKind: 'user' | 'team'
  subjectId: string
  role: Role
  organizationId: string
  createdAt: string
}

export interface JobTable {
  id: string
  kind: string
  /** JSON, as the kind wants it. */
  payload: string
  /** Two jobs of one kind with the same key are one job. */
  uniqueKey: string | null
  state: 'waiting' | 'running' | 'failed'
  attempts: number
  runAt: string
  /** While running: who holds it and until when, unless renewed. */
  leaseOwner: string | null
  leaseUntil: string | null
  lastError: string | null
  createdAt: string
}

/** The answer to a write that carried an Idempotency-Key, kept for a day. */
export interface IdempotencyTable {
  key: string
  requestHash: string
  status: number
  location: string | null
  body: string | null
  createdAt: string
}

/** Files and documents of PostgreSQL mode, cut into chunks; beside SQLite they lie in a folder. */
export interface BlobTable {
  hash: string
  size: number
  createdAt: string
}

export interface BlobChunkTable {
  hash: string
  position: number
  bytes: Uint8Array
}

export interface RevisionTable {
  id: string
  spaceId: string
  /** JSON array of revision ids. */
  parents: string
  type: 'edits' | 'merge' | 'rollback' | 'update' | 'computed'
  /** JSON of the roots of its maps (core/revision/content.ts). */
  content: string
  createdBy: string
  createdAt: string
  /** The change request it came from. */
  mergedFrom: string | null
  git: string | null
}

/** A node of a revision's maps, under the hash of its text. */
export interface TreeNodeTable {
  hash: string
  value: string
}

/** A document, under the hash of its text. */
export interface DocumentTable {
  hash: string
  value: string
}

/** Which documents a space has ever held: who sees the space may read them by hash. */
export interface SpaceDocumentTable {
  spaceId: string
  hash: string
}

/** A segment under which a page was once found; the parent is empty at the root. */
export interface SlugAliasTable {
  spaceId: string
  parentId: string
  slug: string
  pageId: string
  createdAt: string
}

/** A reference in a page of a space's main content. */
export interface LinkTable {
  spaceId: string
  pageId: string
  position: number
  nodeKey: string
  kind: string
  /** What is referred to: an id, or a URL. */
  target: string
  /** The reference itself, as JSON. */
  ref: string
  status: 'ok' | 'broken' | 'in-app'
}

/** The search index beside the engine's own table: store/search-index/. */
export interface SearchSpaceTable {
  number: Generated<number>
  spaceId: string
}

export interface SearchPageTable {
  number: number
  spaceId: string
  pageId: string
  title: string
  hidden: number
  entries: number
}

export interface SearchTextTable {
  number: number
  anchor: string
  title: string
  body: string
}

/** Words of a space, in which parts of words are looked up. */
export interface SearchWordTable {
  space: number
  word: string
}

export interface ChangeRequestTable {
  id: string
  spaceId: string
  number: number
  status: 'draft' | 'open' | 'archived' | 'merged'
  subject: string
  createdBy: string
  createdAt: string
  updatedAt: string
  /** What it proposes. */
  revisionId: string
  /** What it started from. */
  revisionInitial: string
  /** The main revision it was last brought up to date with. */
  revisionMergedAncestor: string | null
  /** What its merge made of main. */
  revisionMerged: string | null
  mergedBy: string | null
  mergedAt: string | null
  /** Open comments. */
  comments: number
}

export interface ContributorTable {
  changeRequestId: string
  userId: string
  firstAt: string
}

export interface ReviewTable {
  id: string
  changeRequestId: string
  reviewerId: string
  status: 'approved' | 'changes-requested'
  comment: string | null
  revisionId: string
  createdAt: string
}

export interface RequestedReviewerTable {
  changeRequestId: string
  userId: string
  requestedBy: string
  requestedAt: string
}

export interface CommentTable {
  id: string
  spaceId: string
  changeRequestId: string | null
  pageId: string | null
  /** The key of the block it is about. */
  nodeId: string | null
  nodePreview: string | null
  /** What the page or block was like: when it differs now, the comment is outdated. */
  nodeMark: string | null
  /** The revision it was written on. */
  revisionId: string
  markdown: string
  document: string
  postedBy: string
  postedAt: string
  editedAt: string | null
  status: 'open' | 'resolved'
  resolvedAt: string | null
  resolvedBy: string | null
  replies: number
}

export interface CommentReplyTable {
  id: string
  commentId: string
  markdown: string
  document: string
  postedBy: string
  postedAt: string
  editedAt: string | null
}

/** One for each user and emoji on a comment or a reply. */
export interface ReactionTable {
  targetId: string
  emoji: string
  userId: string
  commentId: string
  reactedAt: string
}

/** Who did what, when: written in the transaction of the deed. */
export interface EventTable {
  id: string
  organizationId: string
  action: string
  actorId: string
  targetType: string
  targetId: string
  data: string
  occurredAt: string
}

export interface SiteTable {
  id: string
  organizationId: string
  type: string
  title: string
  folded: string
  basename: string
  hostname: string | null
  proxy: string | null
  visibility: 'public' | 'unlisted' | 'share-link' | 'visitor-auth'
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
  rating: 'bad' | 'ok' | 'good' | null
  comment: string | null
  createdAt: string
}

export interface Tables {
  setting: SettingTable
  user: UserTable
  apiToken: ApiTokenTable
  organization: OrganizationTable
  emailDomain: EmailDomainTable
  member: MemberTable
  team: TeamTable
  teamMember: TeamMemberTable
  invite: InviteTable
  collection: CollectionTable
  space: SpaceTable
  accessGrant: AccessGrantTable
  job: JobTable
  idempotency: IdempotencyTable
  blob: BlobTable
  blobChunk: BlobChunkTable
  revision: RevisionTable
  treeNode: TreeNodeTable
  document: DocumentTable
  spaceDocument: SpaceDocumentTable
  slugAlias: SlugAliasTable
  link: LinkTable
  changeRequest: ChangeRequestTable
  contributor: ContributorTable
  review: ReviewTable
  requestedReviewer: RequestedReviewerTable
  comment: CommentTable
  commentReply: CommentReplyTable
  reaction: ReactionTable
  event: EventTable
  site: SiteTable
  siteSectionGroup: SiteSectionGroupTable
  siteSection: SiteSectionTable
  siteSpace: SiteSpaceTable
  shareLink: ShareLinkTable
  redirect: RedirectTable
  siteInsight: SiteInsightTable
  pageFeedback: PageFeedbackTable
  searchSpace: SearchSpaceTable
  searchPage: SearchPageTable
  searchText: SearchTextTable
  searchWord: SearchWordTable
}
