/** A space that leaves its organization leaves the credentials of its repository behind: they are that organization's. */
import { fail } from '../../core/errors.ts'
import type { Connection } from '../../store/database.ts'
import { findGitSync, rewriteGitSync } from '../../store/git/sync.ts'
import { type Repository, readOperation, readSynced } from './operation.ts'

/** Forgets them; refused while an operation is under way, which would bring them back when it ends. */
export async function forgetCredentials(tx: Connection, spaceId: string): Promise<void> {
  const row = await findGitSync(tx, { spaceId })
  if (!row) return
  if (row.state === 'running')
    throw fail('conflict', 'The space is being synchronised with its repository. Transfer it when that has ended.')
  const operation = readOperation(row.operation)
  const synced = readSynced(row.synced)
  await rewriteGitSync(tx, {
    spaceId,
    operation: JSON.stringify({ ...operation, repository: without(operation.repository) }),
    synced: synced ? JSON.stringify({ ...synced, repository: without(synced.repository) }) : null,
  })
}

const without = ({ credentials: _, ...repository }: Repository): Repository => repository
