/** Row types: people, organizations, rights, and the work that waits. */
import type { Role } from '../../core/permissions.ts'

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
  /** While search and links of a copy are being made: the id of the last page they have, at first empty. Else null. */
  indexedUpTo: string | null
  /** JSON: what is shown of the repository it was synchronized with last. */
  gitSync: string | null
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

/** The version that the rows of a topic are at (store/row-versions.ts). Triggers write it. */
export interface RowVersionTable {
  topic: string
  version: number
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
