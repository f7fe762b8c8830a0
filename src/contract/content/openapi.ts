/** OpenAPI specs of an organization and their versions. */
import { z } from 'zod'
import { specErrorCodes, specStates } from '../../core/enumerations.ts'
import { DELETE, GET, PATCH, POST, PUT } from '../operation.ts'
import { Flag, Id, List, O, P, Timestamp, Url, WebUrl } from '../shapes.ts'

const Slug = z
  .string()
  .min(1)
  .max(100)
  .regex(/^[a-z0-9]+(?:-[a-z0-9]+)*$/, 'must be lower-case letters, digits and single hyphens')

const Visibility = z.enum(['private', 'public']).describe('Whether anyone with the link may fetch the spec.')

/** Where a spec comes from: an address that is fetched again and again, or the text itself. */
const Source = z
  .object({ url: WebUrl.optional(), text: z.string().min(1).optional() })
  .refine(({ url, text }) => (url === undefined) !== (text === undefined), 'must hold either `url` or `text`')
  .describe('The address of the document, or its text as JSON or YAML.')

export const OpenAPISpec = z
  .object({
    object: z.literal('openapi-spec'),
    id: Id,
    slug: z.string(),
    createdAt: Timestamp,
    updatedAt: Timestamp,
    sourceURL: Url.optional(),
    visibility: Visibility,
    processingState: z.enum(specStates),
    lastVersion: Id.optional().describe('Id of the latest version.'),
    lastProcessedAt: Timestamp.optional(),
    lastProcessErrorCode: z.enum(specErrorCodes).optional(),
    lastProcessedErrors: z.array(z.object({ message: z.string(), code: z.string().optional() })).optional(),
    lastProcessedErrorCount: z.number().int(),
    permissions: z.object({ view: Flag, edit: Flag }),
    urls: z.object({ location: Url, app: Url, published: Url.optional() }),
  })
  .meta({ id: 'OpenAPISpec' })

export const OpenAPISpecVersion = z
  .object({
    object: z.literal('openapi-spec-version'),
    id: Id,
    createdAt: Timestamp.optional(),
    url: Url.describe('Where this version came from.'),
    urls: z.object({ location: Url }),
  })
  .meta({ id: 'OpenAPISpecVersion' })

const OpenAPISpecContent = z
  .object({
    filesystem: z
      .record(z.string(), z.unknown())
      .describe('Every document of the spec by its address; the first is the one the others are referred to from.'),
    url: Url,
  })
  .meta({ id: 'OpenAPISpecContent' })

const RawSpec = z.record(z.string(), z.unknown()).describe('The spec itself: an OpenAPI or Swagger document.')

const ALL = `${O}/openapi` as const
const ONE = `${O}/openapi/{specSlug}` as const
const VERSIONS = `${O}/openapi/{specSlug}/versions` as const

// biome-ignore format: held side by side with the specification, it matches line for line.
export const openapi = {
  listOpenAPISpecs:                      GET   (ALL,                               'organization.listOpenAPISpecs',  { query: P, ok: List(OpenAPISpec) }),
  createOpenAPISpec:                     POST  (ALL,                               'organization.createOpenAPISpec', { body: z.object({ slug: Slug, source: Source }), created: OpenAPISpec, fails: ['already_exists', 'conflict'] }),
  getOpenAPISpecBySlug:                  GET   (ONE,                               'spec.view',                      { ok: OpenAPISpec }),
  createOrUpdateOpenAPISpecBySlug:       PUT   (ONE,                               'organization.createOpenAPISpec', { unloaded: 'spec', body: z.object({ source: Source }), ok: OpenAPISpec, orCreated: true, fails: ['conflict'] }),
  deleteOpenAPISpecBySlug:               DELETE(ONE,                               'spec.edit'),
  updateOpenAPISpecBySlug:               PATCH (ONE,                               'spec.edit',                      { body: z.object({ visibility: Visibility }), ok: OpenAPISpec }),
  listOpenAPISpecVersions:               GET   (VERSIONS,                          'spec.view',                      { query: P, ok: List(OpenAPISpecVersion) }),
  getLatestOpenAPISpecVersion:           GET   (`${VERSIONS}/latest`,              'spec.view',                      { ok: OpenAPISpecVersion }),
  getLatestOpenAPISpecVersionContent:    GET   (`${VERSIONS}/latest/content`,      'spec.view',                      { ok: OpenAPISpecContent, stored: true }),
  getLatestOpenAPISpecVersionContentRaw: GET   (`${VERSIONS}/latest/content/raw`,  'spec.view',                      { ok: RawSpec, stored: true }),
  getOpenAPISpecVersionById:             GET   (`${VERSIONS}/{versionId}`,         'spec.view',                      { ok: OpenAPISpecVersion }),
  getOpenAPISpecVersionContentById:      GET   (`${VERSIONS}/{versionId}/content`, 'spec.view',                      { ok: OpenAPISpecContent, stored: true }),
  getPublishedOpenAPISpec:               GET   ('/v1/published/openapi/{published}', 'anyone',                       { ok: RawSpec, stored: true, summary: 'The latest version of a public spec, for anyone.' }),
}
