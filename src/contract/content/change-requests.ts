import { z } from 'zod'
import { changeRequestStatuses } from '../../core/enumerations.ts'
import { GET, PATCH, POST, twin } from '../operation.ts'
import { CR, Flag, Id, List, O, optionalBody, P, S, Timestamp, Url, User } from '../shapes.ts'
import { DetailedChange } from './changes.ts'
import { BatchResult, ContentChanges, spaceContent } from './space-content.ts'

const ChangeRequestStatus = z.enum(changeRequestStatuses).meta({ id: 'ChangeRequestStatus' })

export const ChangeRequest = z
  .object({
    object: z.literal('change-request'),
    id: Id,
    number: z.number().int(),
    status: ChangeRequestStatus,
    subject: z.string(),
    space: Id,
    createdBy: User,
    createdAt: Timestamp,
    updatedAt: Timestamp,
    mergedBy: User.optional(),
    mergedAt: Timestamp.optional(),
    revision: Id,
    revisionInitial: Id,
    revisionMergedAncestor: Id.optional(),
    revisionMerged: Id.optional(),
    comments: z.number().int(),
    outdated: Flag,
    urls: z.object({ app: Url, location: Url }),
  })
  .meta({ id: 'ChangeRequest' })

export const Review = z
  .object({
    object: z.literal('change-request-review'),
    id: Id,
    status: z.enum(['approved', 'changes-requested']),
    reviewer: User,
    comment: z.string().optional(),
    revision: Id,
    outdated: Flag.describe('The change request has changed since.'),
    createdAt: Timestamp,
  })
  .meta({ id: 'ChangeRequestReview' })

const RequestedReviewer = z.object({ user: User, requestedAt: Timestamp, requestedBy: User })

const MergeResult = z.object({ revision: Id, result: z.enum(['merge', 'conflicts']) })
const UpdateResult = z.object({ revision: Id, result: z.enum(['update', 'conflicts']) })

export const UnmarkedConflict = z.object({
  page: Id.optional(),
  kind: z.string(),
  message: z.string(),
  field: z.string().optional(),
  ours: z
    .unknown()
    .optional()
    .describe('What main had: a value of the field, a parent or a type. Absent where it had none.'),
  theirs: z.unknown().optional().describe('The same of the change request.'),
})

export const Changes = z.object({
  changes: z.array(DetailedChange),
  mergedFrom: ChangeRequest.optional(),
  more: z.number().int().optional().describe('How many changes there are beyond those listed.'),
  conflicts: z.array(UnmarkedConflict).optional(),
})

const Subject = z.string().max(100)
const Status = z.enum(['draft', 'open', 'archived'])

const ChangeRequestsQuery = {
  ...P,
  status: ChangeRequestStatus.optional().describe('Without it, all but archived ones.'),
  contributor: Id.optional().describe('Only those this user contributed to.'),
  creator: Id.optional(),
  requestedReviewer: Id.optional(),
  orderBy: z.enum(['updatedAt', 'createdAt']).default('updatedAt'),
}

const ChangesQuery = {
  limit: z.number().int().min(1).max(1000).default(10),
  blocks: z
    .boolean()
    .default(false)
    .describe('Tells of the first fifty edited pages and reusable contents what changed block by block, word by word.'),
}

const ContentOutcome = z.union([ChangeRequest, z.object({ changeRequest: ChangeRequest, ...BatchResult })])

const closed = ['change_request_closed'] as const
const edits = [
  'space_translated',
  'change_request_closed',
  'conflict',
  'edit_conflict',
  'base_gone',
  'cycle',
  'invalid_document',
  'invalid_condition',
] as const

// biome-ignore format: held side by side with the specification, it matches line for line.
export const changeRequests = {
  listChangeRequestsForSpace: GET  (`${S}/change-requests`,     'space.view',  { query: ChangeRequestsQuery, ok: List(ChangeRequest) }),
  createChangeRequest:        POST (`${S}/change-requests`,     'space.edit',  { body: optionalBody({ subject: Subject.optional(), agentTaskId: z.string().max(100).optional() }), created: ChangeRequest }),
  getChangeRequestById:       GET  (CR,                         'space.view',  { ok: ChangeRequest }),
  updateChangeRequestById:    PATCH(CR,                         'space.edit',  { body: optionalBody({ subject: Subject.optional(), status: Status.optional() }), ok: ChangeRequest, fails: closed }),
  mergeChangeRequest:         POST (`${CR}/merge`,              'space.merge', { ok: MergeResult, fails: ['change_request_closed', 'unresolved_conflicts', 'conflict', 'space_translated'] }),
  updateChangeRequest:        POST (`${CR}/update`,             'space.edit',  { ok: UpdateResult, fails: ['change_request_closed', 'conflict', 'space_translated'] }),

  // Beyond the specification: what changed, who works on it, who reviews it.
  getChangeRequestChanges:                GET  (`${CR}/changes`,             'space.view',        { query: ChangesQuery, ok: Changes }),
  getRevisionChanges:                     GET  (`${S}/revisions/{revisionId}/changes`, 'space.view', { query: ChangesQuery, ok: Changes }),
  submitChangeRequestReview:              POST (`${CR}/reviews`,             'space.review',      { body: z.object({ status: Review.shape.status, comment: z.string().max(10_000).optional() }), created: Review, fails: closed }),
  getReviewsByChangeRequestId:            GET  (`${CR}/reviews`,             'space.view',        { query: P, ok: List(Review) }),
  requestReviewersForChangeRequest:       POST (`${CR}/requested-reviewers`, 'space.edit',        { body: z.object({ users: z.array(Id).min(1).max(50), subject: Subject.optional() }), ok: List(RequestedReviewer), fails: closed }),
  getRequestedReviewersByChangeRequestId: GET  (`${CR}/requested-reviewers`, 'space.view',        { query: P, ok: List(RequestedReviewer) }),
  getContributorsByChangeRequestId:       GET  (`${CR}/contributors`,        'space.view',        { query: P, ok: List(User) }),
  listChangeRequestsForOrganization:      GET  (`${O}/change-requests`,      'organization.view', { query: { ...ChangeRequestsQuery, status: ChangeRequestStatus.default('open') }, ok: List(ChangeRequest) }),
}

// biome-ignore format: held side by side with the specification, it matches line for line.
export const changeRequestContent = {
  getRevisionOfChangeRequestById: twin(`${CR}/content`,                          spaceContent.getCurrentRevision),
  importContentInChangeRequest:   twin(`${CR}/content/import`,                   spaceContent.importContent),
  importUploadInChangeRequest:    twin(`${CR}/content/import/upload`,            spaceContent.importUpload),
  listPagesInChangeRequest:       twin(`${CR}/content/pages`,                    spaceContent.listPages),
  listFilesInChangeRequestById:   twin(`${CR}/content/files`,                    spaceContent.listFiles),
  getFileInChangeRequestById:     twin(`${CR}/content/files/{fileId}`,           spaceContent.getFileById),
  listChangeRequestFileBacklinks: twin(`${CR}/content/files/{fileId}/backlinks`, spaceContent.listSpaceFileBacklinks),
  getPageInChangeRequestById:     twin(`${CR}/content/page/{pageId}`,            spaceContent.getPageById),
  listPageLinksInChangeRequest:   twin(`${CR}/content/page/{pageId}/links`,      spaceContent.listPageLinksInSpace),

  // Beyond the specification.
  exportContentInChangeRequest:   twin(`${CR}/content/export`,                   spaceContent.exportContent),
  getPageInChangeRequestByPath:   twin(`${CR}/content/path/{pagePath}`,          spaceContent.getPageByPath),
  getPageDocumentInChangeRequest: twin(`${CR}/content/page/{pageId}/document`,   spaceContent.getPageDocument),
  getPageMetaLinksInChangeRequest: twin(`${CR}/content/page/{pageId}/meta-links`, spaceContent.getPageMetaLinks),
  uploadFilesInChangeRequest:     twin(`${CR}/content/files`,                    spaceContent.uploadFiles),
  updateChangeRequestContent:     POST(`${CR}/content`, 'space.edit', { query: { compat: z.boolean().default(true) }, body: ContentChanges, ok: ContentOutcome, match: 'revision', fails: edits }),
  listRevisionsOfChangeRequest:   twin(`${CR}/revisions`,                        spaceContent.listRevisions),
}
