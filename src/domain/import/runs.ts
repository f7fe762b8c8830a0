/** Runs of imports, as they are asked for and shown; `jobs/import` carries them out. */
import type { z } from 'zod'
import type { ImportRun, ImportSource } from '../../contract/content/imports.ts'
import type { Urls } from '../../core/urls.ts'
import { type ImportRunRow, insertImportRun } from '../../store/imports/runs.ts'
import { enqueue } from '../../store/jobs.ts'
import { note } from '../events/note.ts'
import type { Base } from '../handler.ts'
import type { Things } from '../things.ts'
import type { Removing } from './apply.ts'

export interface NewRun {
  space: Things['space']
  changeRequest?: Things['changeRequest'] | undefined
  source: z.output<typeof ImportSource>
  url: string
  options?: RunOptions | undefined
}

/** What is said of a run beside its source; the job carries it. */
export interface RunOptions {
  remove?: Removing | undefined
  strict?: boolean | undefined
  origin?: string | undefined
}

/** What was sent along is found by the hash of its bytes; its name says what comes again. */
export const uploadUrl = ({ hash, name }: { hash: string; name: string }): string =>
  `upload:${hash}/${encodeURIComponent(name)}`

export function readUploadUrl(url: string): { hash: string; name: string } | undefined {
  const [, hash, name] = /^upload:([0-9a-f]{64})\/(.*)$/.exec(url) ?? []
  return hash === undefined || name === undefined ? undefined : { hash, name: decodeURIComponent(name) }
}

const withoutHash = (url: string): string => url.replace(/^upload:[0-9a-f]{64}\//, 'upload:')

/** Writes the run and the job that carries it out, in the open transaction. */
export async function startRun(
  base: Base,
  { space, changeRequest, source, url, options = {} }: NewRun,
): Promise<ImportRunRow> {
  const row: ImportRunRow = {
    id: base.env.newId(),
    organizationId: space.organizationId,
    spaceId: space.id,
    changeRequestId: changeRequest?.id ?? null,
    source,
    url,
    status: 'pending',
    importedResources: 0,
    totalResources: 0,
    failures: '[]',
    errorCode: null,
    error: null,
    revisionId: null,
    createdBy: base.actor.user.id,
    createdAt: base.now,
    updatedAt: base.now,
  }
  await insertImportRun(base.db, row)
  await enqueue(base.db, { kind: 'import', payload: { run: row.id, ...options } })
  await noteRun(base, row, 'import_started')
  return row
}

export const noteRun = (base: Base, row: ImportRunRow, action: 'import_started' | 'import_cancelled') =>
  note(base, {
    organizationId: row.organizationId,
    action,
    target: { type: 'import-run', id: row.id },
    data: {
      space: row.spaceId,
      ...(row.changeRequestId === null ? {} : { changeRequest: row.changeRequestId }),
      source: row.source,
      // Without what may be a secret: archives are often shared by addresses that are their own key.
      url: withoutHash(row.url).replace(/[?#].*$/s, ''),
    },
  })

export function presentRun(row: ImportRunRow, urls: Urls): z.output<typeof ImportRun> {
  return {
    object: 'import-run',
    id: row.id,
    status: row.status,
    ...(row.error === null ? {} : { error: { message: row.error } }),
    source: { type: row.source, url: withoutHash(row.url) },
    target: { space: row.spaceId, ...(row.changeRequestId === null ? {} : { changeRequest: row.changeRequestId }) },
    importedResources: row.importedResources,
    totalResources: row.totalResources,
    failures: failuresOf(row),
    ...(row.revisionId === null ? {} : { revision: row.revisionId }),
    createdBy: row.createdBy,
    createdAt: row.createdAt,
    updatedAt: row.updatedAt,
    urls: { location: urls.importRun(row.organizationId, row.id) },
  }
}

/** What was left out; written by the job, which gave it this shape. */
export const failuresOf = (row: ImportRunRow): z.output<typeof ImportRun>['failures'] => JSON.parse(row.failures)
