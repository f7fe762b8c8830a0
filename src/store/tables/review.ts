/** Row types: change requests, reviews, comments and events. */
import type { changeRequestStatuses, OneOf } from '../../core/enumerations.ts'
export interface ChangeRequestTable {
  id: string
  spaceId: string
  number: number
  status: OneOf<typeof changeRequestStatuses>
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
  /** JSON: what the last merge could not decide and no document can show. */
  conflicts: string | null
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
  /** The cell of a table, as JSON: `{record, definition}`. */
  tableCell: string | null
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
  /** The order in which events are told: by transaction (0 on SQLite, and for what was restored), then by number. */
  seq: number
  xact: number
  spaceId: string | null
  changeRequestId: string | null
  /** By what the actor was known, and from where they called. */
  credentialKind: string | null
  credentialId: string | null
  address: string | null
}

/** Who is looking at a page of a space (`changeRequestId` is empty) or of a change request. */
export interface PresenceTable {
  spaceId: string
  changeRequestId: string
  userId: string
  pageId: string
  block: string | null
  /** Where in the block. */
  position: number | null
  seenAt: string
}
