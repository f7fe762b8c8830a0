/** What imports and exports share: what they work with, and how they end. */

import { fail } from '../../core/errors.ts'
import { hostOfRepository } from '../../core/repository/hosts.ts'
import type { actAsUserId } from '../../domain/act-as.ts'
import { note } from '../../domain/events/note.ts'
import { gitOfRevision, type Operation, type Synced } from '../../domain/git/operation.ts'
import type { Base } from '../../domain/handler.ts'
import type { GitLimits, GitProblem, GitRemote } from '../../platform/git/tasks.ts'
import { endGitSync, type GitSyncRow, showGitSync } from '../../store/git/sync.ts'
import type { JobRun } from '../kinds.ts'

export type GitJob = JobRun<{ space: string; operation: string }>

/** What an operation works with. */
export interface GitRun {
  job: GitJob
  base: Awaited<ReturnType<typeof actAsUserId>> & object
  row: GitSyncRow
  operation: Operation
  synced: Synced | undefined
  remote: GitRemote
  limits: GitLimits
  /** An empty folder, which is removed in the end. */
  folder: string
}

export function unlessProblem<Of extends object>(answer: Of | GitProblem): Of {
  if (!('problem' in answer)) return answer
  throw fail(answer.problem.code, answer.problem.message)
}

/** Ends the operation in the open transaction: both sides say the same now. */
export async function tellSuccess(
  { row, operation }: GitRun,
  base: Base,
  { synced, revision, organizationId }: { synced: Synced | undefined; revision: string | null; organizationId: string },
): Promise<void> {
  const host = hostOfRepository(operation.repository)
  await endGitSync(base.db, {
    spaceId: row.spaceId,
    operationId: row.operationId,
    operation: JSON.stringify(operation),
    state: 'success',
    synced: synced ? JSON.stringify(synced) : row.synced,
    errorCode: null,
    error: null,
    revisionId: revision,
    updatedAt: base.now,
  })
  if (synced) {
    const { directory } = operation.repository
    const tree = host.treeUrl?.replace(/\/+$/, '')
    const shown = {
      repoName: host.name,
      ...(host.provider === undefined ? {} : { installationProvider: host.provider }),
      ...(tree === undefined ? {} : { url: directory === '' ? tree : `${tree}/${directory}` }),
      updatedAt: base.now,
    }
    await showGitSync(base.db, { spaceId: row.spaceId, gitSync: JSON.stringify(shown) })
  }
  await note(base, {
    organizationId,
    action: 'space_gitsync_completed',
    target: { type: 'space', id: row.spaceId },
    data: {
      state: 'success',
      ...(revision ? { revision } : {}),
      ...(synced ? { commit: gitOfRevision(synced).oid } : {}),
    },
  })
}
