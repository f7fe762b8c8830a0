/** Change requests as the API shows them. */
import type { z } from 'zod'
import type { ChangeRequest } from '../../contract/content/change-requests.ts'
import type { ChangeRequestRow } from '../../store/content/change-requests.ts'
import { findUsers } from '../../store/people/users.ts'
import type { Base } from '../handler.ts'
import { presentUser } from '../present.ts'

type Shown = z.output<typeof ChangeRequest>

export async function presentChangeRequests(base: Base, rows: readonly ChangeRequestRow[]): Promise<Shown[]> {
  const ids = rows.flatMap((row) => (row.mergedBy === null ? [row.createdBy] : [row.createdBy, row.mergedBy]))
  const people = new Map((await findUsers(base.db, ids)).map((user) => [user.id, user]))
  const person = (id: string) =>
    presentUser(people.get(id) ?? { id, displayName: 'Deleted user', email: '', photoURL: null }, base.env.urls)
  return rows.map((row) => ({
    object: 'change-request',
    id: row.id,
    number: row.number,
    status: row.status,
    subject: row.subject,
    space: row.spaceId,
    createdBy: person(row.createdBy),
    createdAt: row.createdAt,
    updatedAt: row.updatedAt,
    ...(row.mergedBy === null || row.mergedAt === null
      ? {}
      : { mergedBy: person(row.mergedBy), mergedAt: row.mergedAt }),
    revision: row.revisionId,
    revisionInitial: row.revisionInitial,
    ...(row.revisionMergedAncestor === null ? {} : { revisionMergedAncestor: row.revisionMergedAncestor }),
    ...(row.revisionMerged === null ? {} : { revisionMerged: row.revisionMerged }),
    comments: row.comments,
    outdated: isOutdated(row),
    urls: base.env.urls.changeRequest(row.spaceId, row.id, row.number),
  }))
}

export async function presentChangeRequest(base: Base, row: ChangeRequestRow): Promise<Shown> {
  const [shown] = await presentChangeRequests(base, [row])
  if (!shown) throw new Error('One change request is presented as one.')
  return shown
}

/** Main has moved since the change request last met it. What is merged has nothing left to catch up with. */
const isOutdated = (row: ChangeRequestRow): boolean =>
  row.status !== 'merged' && (row.revisionMergedAncestor ?? row.revisionInitial) !== row.mainRevision
