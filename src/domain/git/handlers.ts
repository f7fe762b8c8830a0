/** Imports from and exports to repositories, which a job carries out; a request waits for its own. */

import { setTimeout as sleep } from 'node:timers/promises'
import type { z } from 'zod'
import { type GitImport, git } from '../../contract/content/git.ts'
import { type ApiError, fail, isErrorCode } from '../../core/errors.ts'
import { hostOfRepository } from '../../core/repository/hosts.ts'
import { beginGitSync, findGitSync } from '../../store/git/sync.ts'
import { enqueue } from '../../store/jobs.ts'
import { note } from '../events/note.ts'
import { awaited, type Base, type HandlersOf } from '../handler.ts'
import type { Things } from '../things.ts'
import { gitOfRevision, type Operation, operationOf, readOperation, readSynced } from './operation.ts'

export const gitHandlers: HandlersOf<typeof git> = {
  async getSpaceGitInfo({ space, db }) {
    const row = await findGitSync(db, { spaceId: space.id })
    if (!row) throw fail('not_found', 'The space has not been synchronized with a repository.')
    const operation = readOperation(row.operation)
    const synced = readSynced(row.synced)
    const repository = synced?.repository ?? operation.repository
    const host = hostOfRepository(repository)
    return {
      object: 'git-sync',
      repoName: host.name,
      ...(host.provider === undefined ? {} : { installationProvider: host.provider }),
      // Where a folder of the server lies is no concern of readers.
      ...(/^https?:/i.test(repository.url) ? { url: repository.url } : {}),
      ref: repository.ref,
      ...(repository.directory === '' ? {} : { repoProjectDirectory: repository.directory }),
      ...(synced ? { commit: gitOfRevision(synced), revision: synced.revision } : {}),
      operation: {
        direction: operation.direction,
        state: row.state,
        ...(row.error === null ? {} : { error: { message: row.error } }),
        failures: operation.failures,
        ...(row.revisionId === null ? {} : { revision: row.revisionId }),
        startedAt: row.createdAt,
        updatedAt: row.updatedAt,
      },
    }
  },

  importGitRepository: awaited(git.importGitRepository, {
    begin: async (call) => {
      if (call.space.editMode === 'locked') throw fail('space_locked')
      return begin(call, 'import')
    },
    wait: waitFor,
    answer: stoppedBy,
  }),

  exportToGitRepository: awaited(git.exportToGitRepository, {
    begin: (call) => begin(call, 'export'),
    wait: waitFor,
    answer: stoppedBy,
  }),
}

type Asked = Base & { space: Things['space']; body: z.output<typeof GitImport> }

/** Writes the operation and the job that carries it out; the id of none when there is nothing to do. */
async function begin(call: Asked, direction: Operation['direction']): Promise<string | undefined> {
  const { space, body, db, env } = call
  const row = await findGitSync(db, { spaceId: space.id })
  if (row?.state === 'running') throw fail('conflict', 'The space is being synchronized with a repository just now.')
  const synced = readSynced(row?.synced ?? null)
  const operation = operationOf(body, { env, spaceId: space.id, synced, direction })
  const { timestamp, force, repository } = operation
  // What a newer import has brought in already is not taken back by an older one that comes late.
  if (!force && isBefore(timestamp, synced?.timestamp)) return undefined
  const id = env.newId()
  await beginGitSync(db, {
    spaceId: space.id,
    operationId: id,
    operation: JSON.stringify(operation),
    createdBy: call.actor.user.id,
    createdAt: call.now,
  })
  await enqueue(db, { kind: 'git', payload: { space: space.id, operation: id } })
  await note(call, {
    organizationId: space.organizationId,
    action: 'space_gitsync_started',
    target: { type: 'space', id: space.id },
    data: { direction, url: repository.url, ref: repository.ref, revision: space.revisionId },
  })
  return id
}

/** As moments, whatever their zones; what an earlier version stored may be none, and then says nothing. */
const isBefore = (time: string | undefined, other: string | undefined): boolean =>
  Date.parse(time ?? '') < Date.parse(other ?? '')

/** Waits for the end of an operation, or for as long as a request may take. */
async function waitFor({ space, db, env }: Asked, id: string): Promise<void> {
  const until = performance.now() + env.imports.waitMilliseconds
  for (let pause = 20; performance.now() < until && !env.stopping?.aborted; pause = Math.min(pause * 1.5, 500)) {
    const row = await findGitSync(db, { spaceId: space.id })
    if (row?.operationId !== id || row.state !== 'running') break
    await sleep(pause)
  }
}

/** What stopped the operation stops the request that waited for it, in the same words. */
async function stoppedBy({ space, db }: Asked, id: string): Promise<ApiError | undefined> {
  const row = await findGitSync(db, { spaceId: space.id })
  if (row?.operationId !== id || row.state !== 'failure') return undefined
  const { errorCode, error } = row
  return fail(errorCode !== null && isErrorCode(errorCode) ? errorCode : 'invalid_input', error ?? undefined)
}
