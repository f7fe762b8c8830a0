/** How a space and its repository stand. */
import type { gitStates, OneOf } from '../../core/enumerations.ts'
export interface GitSyncTable {
  spaceId: string
  /** Of the last operation, which may be under way. */
  operationId: string
  state: OneOf<typeof gitStates>
  /** JSON: what was asked for. */
  operation: string
  /** JSON: the repository, its commit and the revision that says the same. */
  synced: string | null
  errorCode: string | null
  error: string | null
  /** The revision that the last operation made. */
  revisionId: string | null
  createdBy: string
  createdAt: string
  updatedAt: string
}
