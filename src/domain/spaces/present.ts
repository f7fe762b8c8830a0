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
  object: 'space',
  id: row.id,
  title: row.title,
  emoji: row.emoji,
  visibility: address?.visibility ?? (row.parentId === null ? 'private' : 'in-collection'),
  createdAt: row.createdAt,
  updatedAt: row.updatedAt,
  ...(row.deletedAt === null ? {} : { deletedAt: row.deletedAt }),
  editMode: row.editMode,
  urls: {
    ...urls.space(row.id),
    ...(address?.published === undefined ? {} : { published: address.published }),
    ...(address?.public === undefined ? {} : { public: address.public }),
  },
  organization: row.organizationId,
  ...(row.parentId === null ? {} : { parent: row.parentId }),
  ...(row.language === null ? {} : { language: row.language }),
  ...(row.gitSync === null ? {} : { gitSync: JSON.parse(row.gitSync) }),
  ...(address?.visibility === 'visitor-auth' ? { visitorAuth: { backend: 'custom' } } : {}),
  revision: row.revisionId,
  ...(row.indexedUpTo === null ? {} : { indexing: true as const }),
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
