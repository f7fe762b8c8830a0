/** Spaces as the API shows them. */
import type { z } from 'zod'
import type { Space } from '../../contract/content/space.ts'
import type { Permissions } from '../../core/permissions.ts'
import type { Urls } from '../../core/urls.ts'
import type { SpaceTable } from '../../store/tables.ts'
import type { SpacePlace } from '../sites/places.ts'

export const presentSpace = (
  row: SpaceTable,
  permissions: Permissions<'space'>,
  urls: Urls,
  /** How it is published, if it is. */
  place?: SpacePlace,
): z.output<typeof Space> => ({
  object: 'space',
  id: row.id,
  title: row.title,
  emoji: row.emoji,
  visibility: place?.visibility ?? (row.parentId === null ? 'private' : 'in-collection'),
  createdAt: row.createdAt,
  updatedAt: row.updatedAt,
  ...(row.deletedAt === null ? {} : { deletedAt: row.deletedAt }),
  editMode: row.editMode,
  urls: {
    ...urls.space(row.id),
    ...(place?.published === undefined ? {} : { published: place.published }),
    ...(place?.public === undefined ? {} : { public: place.public }),
  },
  organization: row.organizationId,
  ...(row.parentId === null ? {} : { parent: row.parentId }),
  ...(row.language === null ? {} : { language: row.language }),
  ...(row.gitSync === null ? {} : { gitSync: JSON.parse(row.gitSync) }),
  ...(place?.visibility === 'visitor-auth' ? { visitorAuth: { backend: 'custom' } } : {}),
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
