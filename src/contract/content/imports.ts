/** Content brought in from elsewhere: at once by `content/import`, or by runs that are watched and called off. */
import { z } from 'zod'
import { importRemovals, importSources, importStatuses } from '../../core/enumerations.ts'
import { GET, POST } from '../operation.ts'
import { Id, List, Location, O, P, Timestamp, Url, WebUrl } from '../shapes.ts'

export const ImportSource = z.enum(importSources).meta({ id: 'ImportSource' })

export const NewImport = z.object({
  url: WebUrl.describe('Where the website, file or archive is fetched from.'),
  source: ImportSource,
})

const Counts = {
  importedResources: z.number().int().describe('Pages and files that came in.'),
  totalResources: z.number().int().describe('Pages and files that were found.'),
}

export const ImportResult = z
  .object({ revision: Id.describe('The revision of the content, with what has come in so far.'), ...Counts })
  .meta({ id: 'ImportResult' })

export const ImportFailure = z.object({
  resource: z.string().describe('The address or path of a page or file.'),
  message: z.string(),
})

const Failures = z.array(ImportFailure).describe('What was left out, each with the reason; at most a thousand.')

export const UploadResult = ImportResult.extend({ failures: Failures }).meta({ id: 'UploadResult' })

/** How an archive that is sent along comes in; `lectern import` has the same as options. */
export const UploadQuery = {
  source: ImportSource.exclude(['website']).default('zip'),
  remove: z
    .enum(importRemovals)
    .default('own')
    .describe(
      'What of the space goes that the archive does not hold: what came from the same origin before, everything, nothing.',
    ),
  strict: z.boolean().default(false).describe('Whether anything that is wrong with the archive refuses all of it.'),
  origin: z
    .string()
    .min(1)
    .max(200)
    .optional()
    .describe('A name for where it comes from: what came under this name before is updated (the name of the archive).'),
}

export const ExportLink = z
  .object({
    revision: Id.describe('The revision that is exported.'),
    url: Url.describe('Where the archive is fetched, without a token, for an hour.'),
  })
  .meta({ id: 'ExportLink' })

const Target = z.object({ space: Id, changeRequest: Id.optional() })

export const ImportRun = z
  .object({
    object: z.literal('import-run'),
    id: Id,
    status: z.enum(importStatuses),
    error: z.object({ message: z.string() }).optional().describe('Why nothing came in.'),
    source: z.object({ type: ImportSource, url: z.string() }),
    target: Target,
    ...Counts,
    failures: Failures,
    revision: Id.optional().describe('The revision that holds what came in.'),
    createdBy: Id,
    createdAt: Timestamp,
    updatedAt: Timestamp,
    urls: Location,
  })
  .meta({ id: 'ImportRun' })

const NewRun = z.object({ source: z.object({ type: ImportSource, url: NewImport.shape.url }), target: Target })

const ALL = `${O}/imports` as const
const ONE = `${O}/imports/{importRunId}` as const

// Beyond the specification: runs that nobody waits for.
// biome-ignore format: a table reads best as one.
export const imports = {
  listImportRuns:  GET (ALL, 'organization.view', { query: P, ok: List(ImportRun), summary: 'Your runs; those of everyone for admins' }),
  startImportRun:  POST(ALL, 'organization.view', { body: NewRun, created: ImportRun, fails: ['space_locked', 'change_request_closed', 'conflict'] }),
  getImportRun:    GET (ONE, 'importRun.view',    { ok: ImportRun }),
  cancelImportRun: POST(`${ONE}/cancel`, 'importRun.edit', { ok: ImportRun, summary: 'Call a run off; what it has not written yet is never written' }),
}
