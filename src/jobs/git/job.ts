/**
 * An import from a repository or an export to one, for the person who asked for it.
 *
 * What is fetched lies in a folder that goes with the job. The content moves on in the transaction that ends the job; a
 * job that begins again after a push finds its own commit, and has nothing to push.
 */

import { rm } from 'node:fs/promises'
import { z } from 'zod'
import { type ApiError, fail } from '../../core/errors.ts'
import { cutTo } from '../../core/text.ts'
import { actAsUserId, jobActor } from '../../domain/act-as.ts'
import { note } from '../../domain/events/note.ts'
import { readOperation, readSynced, revealCredentials } from '../../domain/git/operation.ts'
import { findLocal } from '../../platform/git/local.ts'
import type { GitRemote } from '../../platform/git/tasks.ts'
import { makeTemporaryFolder } from '../../platform/imports/temporary.ts'
import { findSpace } from '../../store/content/spaces.ts'
import type { Connection } from '../../store/database.ts'
import { endGitSync, findGitSync, type GitSyncRow } from '../../store/git/sync.ts'
import { findUser } from '../../store/people/users.ts'
import { failureOf, isFinal } from '../failure.ts'
import { defineJob, type JobRun } from '../kinds.ts'
import { exportToRepository } from './export.ts'
import { importFromRepository } from './import.ts'
import type { GitRun } from './run.ts'

const Payload = z.object({ space: z.string(), operation: z.string() })
type Run = JobRun<z.output<typeof Payload>>

export const git = defineJob({
  payload: Payload,
  milliseconds: 60 * 60 * 1000,
  attempts: 3,
  async run(job) {
    const row = await findGitSync(job.db, { spaceId: job.payload.space })
    if (!row || row.operationId !== job.payload.operation || row.state !== 'running') return
    const folder = await makeTemporaryFolder()
    try {
      const run = await prepare(job, row, folder)
      await (run.operation.direction === 'import' ? importFromRepository(run) : exportToRepository(run))
    } catch (error) {
      if (!isFinal(error)) throw error
      await job.finish((tx) => tellFailure(tx, job, error))
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  },
  async failed(tx, job, error) {
    await tellFailure(tx, job, failureOf('synchronisation', error, job.id))
  },
})

async function prepare(job: Run, row: GitSyncRow, folder: string): Promise<GitRun> {
  const { db, env } = job
  const base = await actAsUserId({ db, env }, row.createdBy, job.id)
  if (!base) throw fail('forbidden', 'Who asked for it has no account any more.')
  const asked = readOperation(row.operation)
  const { authorization, repository } = revealCredentials(env, row.spaceId, asked.repository)
  const operation = { ...asked, repository }
  const { bytes, milliseconds } = env.imports.limits
  const limits = { bytes, milliseconds, files: 50_000 }
  const remote: GitRemote | undefined = /^https?:/i.test(repository.url)
    ? { kind: 'web', url: repository.url, authorization, allowPrivate: env.git.allowPrivate }
    : await findLocal(repository.url, env.git.roots)
  if (!remote) throw fail('invalid_input', 'There is no repository at that path, or not one that this server may use.')
  return { job, base, row, operation, synced: readSynced(row.synced), remote, limits, folder }
}

async function tellFailure(tx: Connection, { payload, id, env }: Pick<Run, 'payload' | 'id' | 'env'>, error: ApiError) {
  const row = await findGitSync(tx, { spaceId: payload.space })
  const space = await findSpace(tx, { id: payload.space })
  if (!row || !space || row.operationId !== payload.operation || row.state !== 'running') return
  const now = new Date().toISOString()
  await endGitSync(tx, {
    spaceId: row.spaceId,
    operationId: row.operationId,
    operation: row.operation,
    state: 'failure',
    synced: row.synced,
    errorCode: error.code,
    error: cutTo(error.message, 1000),
    revisionId: null,
    updatedAt: now,
  })
  await noteFailure(tx, { env, id, now, userId: row.createdBy, space })
}

async function noteFailure(
  tx: Connection,
  {
    env,
    id,
    now,
    userId,
    space,
  }: { env: Run['env']; id: string; now: string; userId: string; space: { id: string; organizationId: string } },
): Promise<void> {
  const user = await findUser(tx, { id: userId })
  if (!user) return
  await note(
    { db: tx, env, actor: jobActor(user, id), now },
    {
      organizationId: space.organizationId,
      action: 'space_gitsync_completed',
      target: { type: 'space', id: space.id },
      data: { state: 'failure' },
    },
  )
}
