/** Imports by request: runs that are watched, and `content/import`, which waits for its own. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { z } from 'zod'
import type { ImportResult, ImportSource, imports, UploadQuery, UploadResult } from '../../contract/content/imports.ts'
import type { Upload } from '../../contract/operation.ts'
import { ApiError, fail, invalid, isErrorCode } from '../../core/errors.ts'
import {
  countImportRuns,
  findImportRun,
  type ImportRunRow,
  listImportRuns,
  updateImportRun,
} from '../../store/imports/runs.ts'
import type { OrganizationForUser } from '../../store/people/organizations.ts'
import { refuseClosed } from '../change-requests/status.ts'
import type { ContentCall } from '../content/at.ts'
import { cleanFileName } from '../files/delivery.ts'
import { Answer, type HandlersOf } from '../handler.ts'
import { listOf } from '../lists.ts'
import { named } from '../named.ts'
import type { Things } from '../things.ts'
import { failuresOf, noteRun, presentRun, startRun, uploadUrl } from './runs.ts'

export const importHandlers: HandlersOf<typeof imports> = {
  async listImportRuns({ organization, query, ...base }) {
    const whose = { organizationId: organization.id, userId: seesAll(organization) ? '' : base.actor.user.id }
    return listOf({
      base,
      name: `imports:${organization.id}`,
      query,
      rows: (page) => listImportRuns(base.db, whose, page),
      count: () => countImportRuns(base.db, whose),
      keyOf: (row) => ({ key: row.createdAt, id: row.id }),
      present: (row) => presentRun(row, base.env.urls),
    })
  },

  async startImportRun({ organization, body, ...base }) {
    const { source, target } = body
    const space = await named(base, 'space', target.space, { ability: 'edit' })
    if (space.organizationId !== organization.id)
      throw fail('not_found', `There is no space ${target.space} in this organization.`)
    const changeRequest =
      target.changeRequest === undefined
        ? undefined
        : await named(base, 'changeRequest', target.changeRequest, { within: { space } })
    refuseImport({ space, changeRequest })
    const row = await startRun(base, { space, changeRequest, source: source.type, url: source.url })
    return presentRun(row, base.env.urls)
  },

  async getImportRun({ importRun, env }) {
    return presentRun(importRun, env.urls)
  },

  async cancelImportRun({ importRun, ...base }) {
    if (importRun.status !== 'pending' && importRun.status !== 'in-progress')
      return presentRun(importRun, base.env.urls)
    const change = { status: 'cancelled' as const, updatedAt: base.now }
    await updateImportRun(base.db, importRun.id, change)
    await noteRun(base, importRun, 'import_cancelled')
    return presentRun({ ...importRun, ...change }, base.env.urls)
  },
}

const seesAll = ({ role, disabled }: OrganizationForUser): boolean => role === 'admin' && disabled !== 1

interface ImportInto extends ContentCall {
  body: { url: string; source: z.output<typeof ImportSource> }
}

interface UploadInto extends ContentCall {
  body: Upload
  query: z.output<z.ZodObject<typeof UploadQuery>>
}

/** `content/import`: the run is waited for with no transaction open, so that others go on meanwhile. */
export const importSteps = {
  async begin({ body, ...call }: ImportInto): Promise<string> {
    const { space, changeRequest } = call
    refuseImport({ space, changeRequest })
    return (await startRun(call, { space, changeRequest, ...body })).id
  },

  wait: waitFor,

  async answer(call: ContentCall, id: string): Promise<Ended<typeof ImportResult>> {
    const row = await endedRun(call, id)
    return stoppedBy(row) ?? new Answer(resultOf(call, row), { headers: { location: locationOf(call, row) } })
  },
}

/** The same for what is sent along: it is stored before the run that reads it is written. */
export const uploadedImportSteps = {
  async prepare({ body, env, space, changeRequest }: UploadInto): Promise<string> {
    refuseImport({ space, changeRequest })
    let url: string | undefined
    for await (const { name, bytes } of body) {
      if (url !== undefined) throw invalid('files', 'must be one file: put several into an archive')
      const { hash } = await env.blobs.put(bytes, { limit: env.imports.limits.bytes })
      url = uploadUrl({ hash, name: cleanFileName(name) })
    }
    if (url === undefined) throw invalid('files', 'holds no file')
    return url
  },

  async begin({ query, ...call }: UploadInto, url: string): Promise<string> {
    const { space, changeRequest } = call
    refuseImport({ space, changeRequest })
    const { source, ...options } = query
    return (await startRun(call, { space, changeRequest, source, url, options })).id
  },

  wait: waitFor,

  async answer(call: ContentCall, id: string): Promise<Ended<typeof UploadResult>> {
    const row = await endedRun(call, id)
    const result = { ...resultOf(call, row), failures: failuresOf(row) }
    return stoppedBy(row) ?? new Answer(result, { headers: { location: locationOf(call, row) } })
  },
}

type Ended<Shape extends z.ZodType> = Answer<z.output<Shape>> | ApiError

/** Waits for the end of a run, or for as long as a request may take. */
async function waitFor({ db, env }: ContentCall, id: string): Promise<void> {
  const until = performance.now() + env.imports.waitMilliseconds
  const { stopping } = env
  for (let pause = 20; performance.now() < until && !stopping?.aborted; pause = Math.min(pause * 1.5, 500)) {
    const row = await findImportRun(db, { id })
    if (row?.status !== 'pending' && row?.status !== 'in-progress') break
    await sleep(pause)
  }
}

async function endedRun({ db }: ContentCall, id: string): Promise<ImportRunRow> {
  const row = await findImportRun(db, { id })
  if (!row) throw fail('not_found', 'The run of the import is gone.')
  return row
}

const locationOf = ({ env }: ContentCall, row: ImportRunRow): string => env.urls.importRun(row.organizationId, row.id)

const resultOf = ({ space, changeRequest }: ContentCall, row: ImportRunRow): z.output<typeof ImportResult> => ({
  revision: row.revisionId ?? changeRequest?.revisionId ?? space.revisionId,
  importedResources: row.importedResources,
  totalResources: row.totalResources,
})

/** What stopped a run stops the request that waited for it, in the same words. */
function stoppedBy(row: ImportRunRow): ApiError | undefined {
  const { status, error, errorCode } = row
  if (status === 'cancelled') return fail('conflict', 'The import was called off.')
  if (status !== 'failed') return undefined
  return new ApiError(errorCode !== null && isErrorCode(errorCode) ? errorCode : 'invalid_input', {
    ...(error === null ? {} : { message: error }),
    details: failuresOf(row).map(({ resource, message }) => ({ field: resource, message })),
  })
}

function refuseImport(target: { space: Things['space']; changeRequest?: Things['changeRequest'] | undefined }): void {
  if (target.changeRequest) refuseClosed(target.changeRequest)
  else if (target.space.editMode === 'locked') throw fail('space_locked')
}
