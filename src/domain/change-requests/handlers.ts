/** Change requests: opened, edited, reviewed, updated and merged. */
import type { z } from 'zod'
import { changeRequestContent, type changeRequests, type Review } from '../../contract/content/change-requests.ts'
import { fail } from '../../core/errors.ts'
import { isSameContent } from '../../core/revision/content.ts'
import {
  addContributor,
  type ChangeRequestFilter,
  type ChangeRequestRow,
  contributorsOf,
  countChangeRequests,
  findChangeRequest,
  insertChangeRequest,
  insertReview,
  listChangeRequests,
  type ReviewRow,
  requestedReviewersOf,
  requestReviewer,
  reviewsOf,
  takeNumber,
  updateChangeRequestRow,
  withdrawRequest,
} from '../../store/content/change-requests.ts'
import { openContent } from '../../store/content/content.ts'
import { spaceIds } from '../../store/content/spaces.ts'
import { membersByIds } from '../../store/people/members.ts'
import { findUsers } from '../../store/people/users.ts'
import { contentAccess } from '../access.ts'
import { revisionOf } from '../content/at.ts'
import { presentEdited } from '../content/handlers.ts'
import { changesOf } from '../content/merge/changes.ts'
import type { ReadyChange } from '../content/write/changes.ts'
import { commitChangeRequest, mayAmend } from '../content/write/commit.ts'
import { applyChanges } from '../content/write/edit.ts'
import { prepareChanges } from '../content/write/prepare.ts'
import { note } from '../events/note.ts'
import { type Base, type HandlersOf, phased } from '../handler.ts'
import { listOf, listOfArray } from '../lists.ts'
import { presentUser } from '../present.ts'
import { readersAmong } from '../reach.ts'
import type { Things } from '../things.ts'
import { conflictsOf, mergeHandlers } from './merge.ts'
import { presentChangeRequest, presentChangeRequests } from './present.ts'
import { followStatus, refuseClosed } from './status.ts'

export const changeRequestHandlers: HandlersOf<typeof changeRequests> = {
  async listChangeRequestsForSpace({ space, query, ...base }) {
    return listed(base, { spaces: [space.id], ...filterOf(query) }, query)
  },

  async createChangeRequest({ space, body, ...base }) {
    const { db, env, actor, now } = base
    const number = await takeNumber(db, space.id)
    const row: ChangeRequestRow = {
      id: env.newId(),
      spaceId: space.id,
      number,
      status: 'draft',
      subject: body.subject ?? '',
      createdBy: actor.user.id,
      createdAt: now,
      updatedAt: now,
      revisionId: space.revisionId,
      revisionInitial: space.revisionId,
      revisionMergedAncestor: null,
      revisionMerged: null,
      mergedBy: null,
      mergedAt: null,
      comments: 0,
      conflicts: null,
      mainRevision: space.revisionId,
    }
    const { mainRevision: _, ...stored } = row
    await insertChangeRequest(db, stored)
    await addContributor(db, { changeRequestId: row.id, userId: actor.user.id, firstAt: now })
    await noted(base, space, row, 'change_request_created')
    return presentChangeRequest(base, row)
  },

  async getChangeRequestById({ changeRequest, ...base }) {
    return presentChangeRequest(base, changeRequest)
  },

  async updateChangeRequestById({ space, changeRequest, body, ...base }) {
    if (changeRequest.status === 'merged')
      throw fail('change_request_closed', 'A merged change request stays as it is.')
    const status = body.status ?? changeRequest.status
    const change = {
      ...(body.subject === undefined ? {} : { subject: body.subject }),
      ...(status === changeRequest.status ? {} : { status }),
    }
    if (Object.keys(change).length === 0) return presentChangeRequest(base, changeRequest)
    await updateChangeRequestRow(base.db, changeRequest.id, { ...change, updatedAt: base.now })
    await followStatus(base, space, changeRequest, status)
    await noted(base, space, changeRequest, 'change_request_updated', change)
    return presentChangeRequest(base, { ...changeRequest, ...change, updatedAt: base.now })
  },

  mergeChangeRequest: mergeHandlers.mergeChangeRequest,
  updateChangeRequest: mergeHandlers.updateChangeRequest,

  async getChangeRequestChanges({ space, changeRequest, query, ...base }) {
    const ancestor = changeRequest.revisionMergedAncestor ?? changeRequest.revisionInitial
    const before = await revisionOf(base.db, space.id, ancestor)
    const after = await revisionOf(base.db, space.id, changeRequest.revisionId)
    // What is merged was decided.
    const conflicts = changeRequest.status === 'merged' ? {} : { conflicts: conflictsOf(changeRequest) }
    return changesOf(base, { before, after, ...query, ...conflicts })
  },

  async getRevisionChanges({ space, revision, query, ...base }) {
    const [parent] = revision.parents
    const before = parent === undefined ? undefined : await revisionOf(base.db, space.id, parent)
    const changes = await changesOf(base, { before, after: revision, ...query })
    const mergedFrom =
      revision.mergedFrom === null
        ? undefined
        : await findChangeRequest(base.db, { spaceId: space.id, id: revision.mergedFrom })
    return mergedFrom ? { ...changes, mergedFrom: await presentChangeRequest(base, mergedFrom) } : changes
  },

  async submitChangeRequestReview({ space, changeRequest, body, ...base }) {
    refuseClosed(changeRequest)
    const { db, env, actor, now } = base
    const row: ReviewRow = {
      id: env.newId(),
      changeRequestId: changeRequest.id,
      reviewerId: actor.user.id,
      status: body.status,
      comment: body.comment ?? null,
      revisionId: changeRequest.revisionId,
      createdAt: now,
    }
    await insertReview(db, row)
    // Whoever was asked has answered.
    await withdrawRequest(db, { changeRequestId: changeRequest.id, userId: actor.user.id })
    await noted(base, space, changeRequest, 'change_request_reviewed', { status: body.status })
    const [shown] = await presentReviews(base, changeRequest, [row])
    if (!shown) throw new Error('One review is presented as one.')
    return shown
  },

  async getReviewsByChangeRequestId({ changeRequest, query, ...base }) {
    const rows = await reviewsOf(base.db, { changeRequestId: changeRequest.id })
    const list = listOfArray({
      base,
      name: `reviews:${changeRequest.id}`,
      query,
      order: 'desc',
      rows,
      keyOf: (row) => [row.createdAt, row.id],
      present: (row) => row,
    })
    return { ...list, items: await presentReviews(base, changeRequest, list.items) }
  },

  async requestReviewersForChangeRequest({ space, changeRequest, body, ...base }) {
    refuseClosed(changeRequest)
    const userIds = [...new Set(body.users)]
    const members = await membersByIds(base.db, space.organizationId, userIds)
    const readers = await readersAmong(base, space, members)
    for (const userId of userIds) {
      if (!readers.has(userId)) throw fail('not_found', `There is no member ${userId} who can see this change request.`)
      await requestReviewer(base.db, {
        changeRequestId: changeRequest.id,
        userId,
        requestedBy: base.actor.user.id,
        requestedAt: base.now,
      })
    }
    // Asking for a review says that the draft is ready to be looked at.
    const change = {
      updatedAt: base.now,
      ...(body.subject === undefined ? {} : { subject: body.subject }),
      ...(changeRequest.status === 'draft' ? { status: 'open' as const } : {}),
    }
    await updateChangeRequestRow(base.db, changeRequest.id, change)
    await followStatus(base, space, changeRequest, change.status ?? changeRequest.status)
    await noted(base, space, changeRequest, 'change_request_review_requested', { users: body.users })
    return requested(base, changeRequest, { limit: 50 })
  },

  async getRequestedReviewersByChangeRequestId({ changeRequest, query, ...base }) {
    return requested(base, changeRequest, query)
  },

  async getContributorsByChangeRequestId({ changeRequest, query, ...base }) {
    return listOfArray({
      base,
      name: `contributors:${changeRequest.id}`,
      query,
      rows: await contributorsOf(base.db, { changeRequestId: changeRequest.id }),
      keyOf: (user) => [user.firstAt, user.id],
      present: (user) => presentUser(user, base.env.urls),
    })
  },

  async listChangeRequestsForOrganization({ organization, query, ...base }) {
    const access = await contentAccess(base, organization)
    const spaces = await spaceIds(base.db, { organizationId: organization.id, visible: access.visible })
    return listed(base, { spaces: spaces.map((space) => space.id), ...filterOf(query) }, query)
  },
}

export const changeRequestContentHandlers: HandlersOf<typeof changeRequestContent> = {
  updateChangeRequestContent: phased(changeRequestContent.updateChangeRequestContent, {
    prepare: async ({ space, changeRequest, body, ...base }, stale?: ReadyChange[]) => {
      refuseClosed(changeRequest)
      return prepareChanges(base, space, body.changes, {
        head: await revisionOf(base.db, space.id, changeRequest.revisionId),
        revertTo: changeRequest.revisionMergedAncestor ?? changeRequest.revisionInitial,
        stale,
      })
    },
    commit: async ({ space, changeRequest, query, body, ...base }, changes) => {
      refuseClosed(changeRequest)
      const before = await revisionOf(base.db, space.id, changeRequest.revisionId)
      const writer = openContent(base.db)
      const edited = await applyChanges({ db: base.db, writer, space, now: base.now }, before.content, changes)
      const { content } = edited
      let revision = before
      let moved = changeRequest
      if (!isSameContent(content, before.content)) {
        const of = { spaceId: space.id, changeRequestId: changeRequest.id }
        const amends = body.amend && (await mayAmend(base, before, of))
        revision = await commitChangeRequest(base, space, changeRequest, {
          writer,
          before,
          content,
          type: 'edits',
          amends,
        })
        moved = { ...changeRequest, revisionId: revision.id, updatedAt: base.now }
      }
      const shown = await presentChangeRequest(base, moved)
      if (query.compat) return shown
      return {
        changeRequest: shown,
        ...(await presentEdited(base, { reader: writer, content, revision, space }, edited)),
      }
    },
  }),
}

const filterOf = (query: {
  status?: ChangeRequestFilter['status']
  contributor?: string | undefined
  creator?: string | undefined
  requestedReviewer?: string | undefined
  orderBy: ChangeRequestFilter['orderBy']
}): Omit<ChangeRequestFilter, 'spaces'> => ({
  status: query.status,
  contributor: query.contributor,
  creator: query.creator,
  requestedReviewer: query.requestedReviewer,
  orderBy: query.orderBy,
})

async function listed(base: Base, filter: ChangeRequestFilter, query: { page?: string | undefined; limit: number }) {
  const list = await listOf({
    base,
    name: `change-requests:${base.env.hashSecret(JSON.stringify(filter))}`,
    query,
    rows: (page) => listChangeRequests(base.db, filter, page),
    count: () => countChangeRequests(base.db, filter),
    keyOf: (row) => ({ key: row[filter.orderBy], id: row.id }),
    present: (row) => row,
  })
  return { ...list, items: await presentChangeRequests(base, list.items) }
}

async function presentReviews(
  base: Base,
  changeRequest: ChangeRequestRow,
  rows: readonly ReviewRow[],
): Promise<z.output<typeof Review>[]> {
  const people = new Map(
    (
      await findUsers(
        base.db,
        rows.map((row) => row.reviewerId),
      )
    ).map((user) => [user.id, user]),
  )
  return rows.flatMap((row) => {
    const reviewer = people.get(row.reviewerId)
    if (!reviewer) return []
    return [
      {
        object: 'change-request-review' as const,
        id: row.id,
        status: row.status,
        reviewer: presentUser(reviewer, base.env.urls),
        ...(row.comment === null ? {} : { comment: row.comment }),
        revision: row.revisionId,
        outdated: row.revisionId !== changeRequest.revisionId,
        createdAt: row.createdAt,
      },
    ]
  })
}

async function requested(
  base: Base,
  changeRequest: ChangeRequestRow,
  query: { page?: string | undefined; limit: number },
) {
  const rows = await requestedReviewersOf(base.db, { changeRequestId: changeRequest.id })
  const users = await findUsers(
    base.db,
    rows.flatMap((row) => [row.userId, row.requestedBy]),
  )
  const people = new Map(users.map((user) => [user.id, presentUser(user, base.env.urls)]))
  return listOfArray({
    base,
    name: `requested:${changeRequest.id}`,
    query,
    rows: rows.flatMap((row) => {
      const [user, requestedBy] = [people.get(row.userId), people.get(row.requestedBy)]
      return user && requestedBy ? [{ user, requestedBy, requestedAt: row.requestedAt }] : []
    }),
    keyOf: (row) => [row.requestedAt, row.user.id],
    present: (row) => row,
  })
}

const noted = (
  base: Base,
  space: Things['space'],
  changeRequest: ChangeRequestRow,
  action: Parameters<typeof note>[1]['action'],
  data: Record<string, unknown> = {},
) =>
  note(base, {
    organizationId: space.organizationId,
    action,
    target: { type: 'change-request', id: changeRequest.id },
    data: { space: space.id, number: changeRequest.number, ...data },
  })
