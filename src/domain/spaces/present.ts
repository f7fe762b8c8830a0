/** Spaces as the API shows them. */
import type { z } from 'zod'
import type { Space } from '../../contract/content/space.ts'
import type { Permissions } from '../../core/permissions.ts'
import type { Urls } from '../../core/urls.ts'
import type { SpaceTable } from '../../store/tables.ts'
import type { PublishedAddress } from '../sites/published-address.ts'

export const presentSpace = (
  row: SpaceTable,
  permissions: Permissions<'space'>,
  urls: Urls,
  /** How it is published, if it is. */
  address?: PublishedAddress,
): z.output<typeof Space> => ({
  // What a space has not is undefined, which JSON leaves out: parts that are spread in when there are any take longer.
  object: 'space',
  id: row.id,
  title: row.title,
  emoji: row.emoji,
  visibility: address?.visibility ?? (row.parentId === null ? 'private' : 'in-collection'),
  createdAt: row.createdAt,
  updatedAt: row.updatedAt,
  deletedAt: row.deletedAt ?? undefined,
  editMode: row.editMode,
  urls: urls.space(row.id, address),
  organization: row.organizationId,
  parent: row.parentId ?? undefined,
  language: row.language ?? undefined,
  gitSync: row.gitSync === null ? undefined : JSON.parse(row.gitSync),
  visitorAuth: address?.visibility === 'visitor-auth' ? { backend: 'custom' } : undefined,
  revision: row.revisionId,
  indexing: row.indexedUpTo === null ? undefined : true,
  defaultLevel: row.defaultLevel,
  mergeRules: { type: 'inherit' },
  comments: row.comments,
  changeRequests: row.changeRequests,
  changeRequestsOpen: row.changeRequestsOpen,
  changeRequestsDraft: row.changeRequestsDraft,
  permissions: {
    view: permissions.view,
    access: permissions.access,
    admin: permissions.admin,
    viewInviteLinks: permissions.viewInviteLinks,
    edit: permissions.edit,
    triggerGitSync: permissions.triggerGitSync,
    comment: permissions.comment,
    merge: permissions.merge,
    review: permissions.review,
    installIntegration: permissions.installIntegration,
  },
})
