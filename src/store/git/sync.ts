/** How spaces and their repositories stand. */
import { first, run } from '../query.ts'
import type { GitSyncTable } from '../tables/git.ts'

export type GitSyncRow = GitSyncTable

export const findGitSync = first((b, p: { spaceId: string }) =>
  b.selectFrom('gitSync').selectAll().where('spaceId', '=', p.spaceId),
)

type Start = Pick<GitSyncRow, 'spaceId' | 'operationId' | 'operation' | 'createdBy' | 'createdAt'>

/** An operation is under way from now on; what was in common before stays. */
export const beginGitSync = run((b, p: Start) => {
  const started = {
    operationId: p.operationId,
    operation: p.operation,
    state: 'running' as const,
    errorCode: null,
    error: null,
    revisionId: null,
    createdBy: p.createdBy,
    createdAt: p.createdAt,
    updatedAt: p.createdAt,
  }
  return b
    .insertInto('gitSync')
    .values({ spaceId: p.spaceId, synced: null, ...started })
    .onConflict((oc) => oc.column('spaceId').doUpdateSet(started))
})

type End = Pick<
  GitSyncRow,
  'spaceId' | 'operationId' | 'operation' | 'state' | 'synced' | 'errorCode' | 'error' | 'revisionId' | 'updatedAt'
>

/** Ends the operation of that id, and no other. */
export const endGitSync = run((b, p: End) =>
  b
    .updateTable('gitSync')
    .set({
      operation: p.operation,
      state: p.state,
      synced: p.synced,
      errorCode: p.errorCode,
      error: p.error,
      revisionId: p.revisionId,
      updatedAt: p.updatedAt,
    })
    .where('spaceId', '=', p.spaceId)
    .where('operationId', '=', p.operationId)
    .where('state', '=', 'running'),
)

/** What is kept of the last operation, in other words. */
export const rewriteGitSync = run((b, p: Pick<GitSyncRow, 'spaceId' | 'operation' | 'synced'>) =>
  b.updateTable('gitSync').set({ operation: p.operation, synced: p.synced }).where('spaceId', '=', p.spaceId),
)

/** What is shown of the repository with the space. */
export const showGitSync = run((b, p: { spaceId: string; gitSync: string }) =>
  b.updateTable('space').set({ gitSync: p.gitSync }).where('id', '=', p.spaceId),
)
