/** What is removed for good, a batch at a time, so that no removal keeps writers waiting for long. */
import type { Connection } from '../database.ts'
import { deleteRightsOn } from '../people/grants.ts'
import { all, run } from '../query.ts'
import { removeSpace } from '../search-index/write.ts'

/** Spaces whose time to be restored is over. */
export const listExpiredSpaces = all((b, p: { deletedBefore: string; limit: number }) =>
  b.selectFrom('space').select('id').where('deletedAt', '<', p.deletedBefore).orderBy('deletedAt').limit(p.limit),
)

const deleteSpace = run((b, p: { id: string; deletedBefore: string }) =>
  b.deleteFrom('space').where('id', '=', p.id).where('deletedAt', '<', p.deletedBefore),
)

/** Removes a space with the rights given on it and its part of the search index; false when it was restored or removed meanwhile. */
export async function purgeSpace(tx: Connection, space: { id: string; deletedBefore: string }): Promise<boolean> {
  if ((await deleteSpace(tx, space)) === 0) return false
  await deleteRightsOn(tx, [space.id])
  await removeSpace(tx, space.id)
  return true
}
