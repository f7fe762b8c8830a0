/** The status of a change request: what a closed one refuses, and the counts of its space that follow it. */
import { fail } from '../../core/errors.ts'
import type { ChangeRequestRow } from '../../store/content/change-requests.ts'
import { countStatus } from '../../store/content/change-requests.ts'
import type { Base } from '../handler.ts'
import type { Things } from '../things.ts'

export function refuseClosed(changeRequest: ChangeRequestRow): void {
  if (changeRequest.status === 'merged' || changeRequest.status === 'archived') throw fail('change_request_closed')
}

/** The space's counters follow a change request from one status to another. */
export async function followStatus(
  base: Base,
  space: Things['space'],
  from: ChangeRequestRow,
  to: ChangeRequestRow['status'],
): Promise<void> {
  const by = (status: ChangeRequestRow['status']) => Number(to === status) - Number(from.status === status)
  if (to !== from.status) await countStatus(base.db, { spaceId: space.id, open: by('open'), draft: by('draft') })
}
