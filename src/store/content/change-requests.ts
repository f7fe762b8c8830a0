/** Change requests with their contributors, reviews and requested reviewers. */
import { sql } from 'kysely'
import type { Connection } from '../database.ts'
import { beyond, countAll, type Page } from '../paging.ts'
import { all, type Builder, dynamic, dynamicRun, first, inserter, oneOf, run, updater } from '../query.ts'
import type { ChangeRequestTable, RequestedReviewerTable, ReviewTable } from '../tables.ts'

/** A change request with the main revision of its space: whether it is up to date shows in the two. */
const rows = (b: Builder) =>
  b
    .selectFrom('changeRequest')
    .innerJoin('space', 'space.id', 'changeRequest.spaceId')
    .selectAll('changeRequest')
    .select('space.revisionId as mainRevision')

export type ChangeRequestRow = ChangeRequestTable & { mainRevision: string }
export type ReviewRow = ReviewTable

export const findChangeRequest = first((b, p: { spaceId: string; id: string }) =>
  rows(b).where('changeRequest.spaceId', '=', p.spaceId).where('changeRequest.id', '=', p.id),
)
export const findChangeRequestByNumber = first((b, p: { spaceId: string; number: number }) =>
  rows(b).where('changeRequest.spaceId', '=', p.spaceId).where('changeRequest.number', '=', p.number),
)

/** What the change requests that are not closed propose. */
export const openRevisions = all((b, p: { spaceId: string }) =>
  b
    .selectFrom('changeRequest')
    .select(['number', 'revisionId'])
    .where('spaceId', '=', p.spaceId)
    .where('status', 'in', ['draft', 'open']),
)

export const insertChangeRequest = inserter('changeRequest')

export const updateChangeRequestRow = updater('changeRequest')

/** Moves a change request on to a new revision; false when someone else moved it first. */
export const moveChangeRequest = async (
  tx: Connection,
  {
    id,
    from,
    ...change
  }: {
    id: string
    from: string
    revisionId: string
    updatedAt: string
    revisionMergedAncestor?: string
    conflicts?: string | null
  },
): Promise<boolean> =>
  (await dynamicRun(tx, (b) =>
    b.updateTable('changeRequest').set(change).where('id', '=', id).where('revisionId', '=', from),
  )) === 1

const nextNumber = first((b, p: { spaceId: string }) =>
  b
    .updateTable('space')
    .set((eb) => ({
      changeRequests: eb('changeRequests', '+', 1),
      changeRequestsDraft: eb('changeRequestsDraft', '+', 1),
    }))
    .where('id', '=', p.spaceId)
    .returning('changeRequests'),
)

/** The number of a new draft: one more than there are. The space's row is locked until the draft is stored. */
export async function takeNumber(tx: Connection, spaceId: string): Promise<number> {
  const row = await nextNumber(tx, { spaceId })
  if (!row) throw new Error('A change request is made in a space that exists.')
  return row.changeRequests
}

/** Keeps the space's counters equal to its change requests. */
export const countStatus = run((b, p: { spaceId: string; open: number; draft: number }) =>
  b
    .updateTable('space')
    .set((eb) => ({
      changeRequestsOpen: eb('changeRequestsOpen', '+', p.open),
      changeRequestsDraft: eb('changeRequestsDraft', '+', p.draft),
    }))
    .where('id', '=', p.spaceId),
)

export interface ChangeRequestFilter {
  /** The spaces to look in. */
  spaces: readonly string[]
  /** Undefined: all but archived. */
  status?: ChangeRequestTable['status'] | undefined
  contributor?: string | undefined
  creator?: string | undefined
  requestedReviewer?: string | undefined
  orderBy: 'updatedAt' | 'createdAt'
}

const filtered = (db: Connection, filter: ChangeRequestFilter, query: ReturnType<typeof rows>) => {
  let q = query.where(oneOf(sql.ref('changeRequest.spaceId'), JSON.stringify(filter.spaces), db.engine))
  q = filter.status === undefined ? q.where('status', '!=', 'archived') : q.where('status', '=', filter.status)
  const { contributor, creator, requestedReviewer } = filter
  if (creator !== undefined) q = q.where('changeRequest.createdBy', '=', creator)
  if (contributor !== undefined) {
    q = q.where((eb) =>
      eb.exists(
        eb
          .selectFrom('contributor')
          .select('userId')
          .whereRef('changeRequestId', '=', 'changeRequest.id')
          .where('userId', '=', contributor),
      ),
    )
  }
  if (requestedReviewer !== undefined) {
    q = q.where((eb) =>
      eb.exists(
        eb
          .selectFrom('requestedReviewer')
          .select('userId')
          .whereRef('changeRequestId', '=', 'changeRequest.id')
          .where('userId', '=', requestedReviewer),
      ),
    )
  }
  return q
}

export const listChangeRequests = (
  db: Connection,
  filter: ChangeRequestFilter,
  page: Page,
): Promise<ChangeRequestRow[]> => {
  const key = `changeRequest.${filter.orderBy}` as const
  return dynamic(db, (b) =>
    filtered(db, filter, rows(b))
      .where(beyond({ key, id: 'changeRequest.id' }, page))
      .orderBy(key, page.order)
      .orderBy('changeRequest.id', page.order)
      .limit(page.limit),
  )
}

export async function countChangeRequests(db: Connection, filter: ChangeRequestFilter): Promise<number> {
  const found = await dynamic(db, (b) => filtered(db, filter, rows(b)).clearSelect().select(countAll))
  return found[0]?.count ?? 0
}

export const addContributor = run((b, p: { changeRequestId: string; userId: string; firstAt: string }) =>
  b
    .insertInto('contributor')
    .values({ changeRequestId: p.changeRequestId, userId: p.userId, firstAt: p.firstAt })
    .onConflict((oc) => oc.doNothing()),
)

export const contributorsOf = all((b, p: { changeRequestId: string }) =>
  b
    .selectFrom('contributor')
    .innerJoin('user', 'user.id', 'contributor.userId')
    .selectAll('user')
    .select('contributor.firstAt')
    .where('changeRequestId', '=', p.changeRequestId)
    .orderBy('firstAt')
    .orderBy('user.id'),
)

export const insertReview = inserter('review')

export const reviewsOf = all((b, p: { changeRequestId: string }) =>
  b
    .selectFrom('review')
    .selectAll()
    .where('changeRequestId', '=', p.changeRequestId)
    .orderBy('createdAt', 'desc')
    .orderBy('id', 'desc'),
)

export const requestReviewer = run((b, p: RequestedReviewerTable) =>
  b
    .insertInto('requestedReviewer')
    .values({
      changeRequestId: p.changeRequestId,
      userId: p.userId,
      requestedBy: p.requestedBy,
      requestedAt: p.requestedAt,
    })
    .onConflict((oc) => oc.doNothing()),
)

export const withdrawRequest = run((b, p: { changeRequestId: string; userId: string }) =>
  b.deleteFrom('requestedReviewer').where('changeRequestId', '=', p.changeRequestId).where('userId', '=', p.userId),
)

export const requestedReviewersOf = all((b, p: { changeRequestId: string }) =>
  b
    .selectFrom('requestedReviewer')
    .selectAll()
    .where('changeRequestId', '=', p.changeRequestId)
    .orderBy('requestedAt')
    .orderBy('userId'),
)
