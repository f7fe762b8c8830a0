/**
 * Row types: what the tables hold. Ids, times and JSON are text, booleans 0 or 1, on both engines.
 * The tables themselves are made in `migrations/`.
 */

import type {
  DocumentTable,
  LinkPageTable,
  LinkRowTable,
  LinkSpaceTable,
  LinkTable,
  LinkTargetTable,
  PrintedTable,
  ReadTextTable,
  RenderedPartTable,
  RenderedSpaceTable,
  RevisionTable,
  SearchPageTable,
  SearchSpaceTable,
  SearchTextTable,
  SearchWordTable,
  SlugAliasTable,
  SpaceDocumentTable,
  SweepMarkTable,
  TreeNodeTable,
} from './tables/content.ts'
import type { GitSyncTable } from './tables/git.ts'
import type { ImportRunTable, PathRedirectTable } from './tables/imports.ts'
import type { OpenapiSpecTable, OpenapiVersionTable } from './tables/openapi.ts'
import type {
  AccessGrantTable,
  ApiTokenTable,
  BlobChunkTable,
  BlobTable,
  CollectionTable,
  EmailDomainTable,
  IdempotencyTable,
  InviteTable,
  JobTable,
  MemberTable,
  OrganizationTable,
  RowVersionTable,
  SettingTable,
  SpaceTable,
  TeamMemberTable,
  TeamTable,
  UserTable,
} from './tables/people.ts'
import type {
  ChangeRequestTable,
  CommentReplyTable,
  CommentTable,
  ContributorTable,
  EventTable,
  PresenceTable,
  ReactionTable,
  RequestedReviewerTable,
  ReviewTable,
} from './tables/review.ts'
import type {
  PasswordTable,
  SessionTable,
  SigninGuessTable,
  SigninLinkTable,
  SsoAssertionTable,
  SsoIdentityTable,
  SsoProviderTable,
  SsoRequestTable,
  VerifiedDomainTable,
} from './tables/sign-in.ts'
import type {
  PageFeedbackTable,
  RedirectTable,
  ShareLinkTable,
  SiteInsightTable,
  SiteSectionGroupTable,
  SiteSectionTable,
  SiteSpaceTable,
  SiteTable,
  VisitorTokenTable,
} from './tables/sites.ts'
import type { GlossaryEntryTable, TranslatedTextTable, TranslationTable } from './tables/translations.ts'

export type * from './tables/content.ts'
export type * from './tables/imports.ts'
export type * from './tables/openapi.ts'
export type * from './tables/people.ts'
export type * from './tables/review.ts'
export type * from './tables/sign-in.ts'
export type * from './tables/sites.ts'
export type * from './tables/translations.ts'

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
  printed: PrintedTable
  renderedPart: RenderedPartTable
  renderedSpace: RenderedSpaceTable
  rowVersion: RowVersionTable
  readText: ReadTextTable
  spaceDocument: SpaceDocumentTable
  slugAlias: SlugAliasTable
  link: LinkTable
  linkSpace: LinkSpaceTable
  linkPage: LinkPageTable
  linkTarget: LinkTargetTable
  linkRow: LinkRowTable
  changeRequest: ChangeRequestTable
  contributor: ContributorTable
  review: ReviewTable
  requestedReviewer: RequestedReviewerTable
  comment: CommentTable
  commentReply: CommentReplyTable
  reaction: ReactionTable
  event: EventTable
  presence: PresenceTable
  site: SiteTable
  siteSectionGroup: SiteSectionGroupTable
  siteSection: SiteSectionTable
  siteSpace: SiteSpaceTable
  shareLink: ShareLinkTable
  redirect: RedirectTable
  visitorToken: VisitorTokenTable
  siteInsight: SiteInsightTable
  pageFeedback: PageFeedbackTable
  openapiSpec: OpenapiSpecTable
  openapiVersion: OpenapiVersionTable
  translation: TranslationTable
  importRun: ImportRunTable
  gitSync: GitSyncTable
  pathRedirect: PathRedirectTable
  translatedText: TranslatedTextTable
  glossaryEntry: GlossaryEntryTable
  searchSpace: SearchSpaceTable
  searchPage: SearchPageTable
  searchText: SearchTextTable
  searchWord: SearchWordTable
  sweepMark: SweepMarkTable
  password: PasswordTable
  ssoProvider: SsoProviderTable
  ssoIdentity: SsoIdentityTable
  verifiedDomain: VerifiedDomainTable
  session: SessionTable
  signinLink: SigninLinkTable
  signinGuess: SigninGuessTable
  ssoRequest: SsoRequestTable
  ssoAssertion: SsoAssertionTable
}

/** What is read like a table and written through others. */
export interface Views {
  /** store/content/link-rows.ts */
  everyLink: LinkTable
  linkNotOk: LinkTable
}
