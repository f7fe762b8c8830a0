/** OpenAPI specs: what is asked of them at once; `jobs/openapi` fetches and reads them. */

import { openapi } from '../../contract/content/openapi.ts'
import { fail, invalid } from '../../core/errors.ts'
import { isSlug } from '../../core/ids.ts'
import {
  countSpecs,
  countVersions,
  deleteSpec,
  findSpec,
  findSpecById,
  findVersion,
  insertSpec,
  listSpecs,
  listVersions,
  type SpecRow,
  type SpecVersionRow,
  updateSpec,
} from '../../store/content/openapi.ts'
import { linksAreBroken, linksAreRight } from '../../store/content/outside-links.ts'
import type { Environment } from '../environment.ts'
import { note } from '../events/note.ts'
import { Answer, type Base, type HandlersOf, phased, type StoredJson } from '../handler.ts'
import { listOf } from '../lists.ts'
import { specPermissions, type Things } from '../things.ts'
import { enqueueProcessing, newSpec } from './new-spec.ts'
import { presentSpec, presentVersion } from './present.ts'
import { searchSpecsOfOrganization } from './search.ts'
import { storedBlob } from './stored.ts'

const mostSpecs = 1000
const largestText = 10 * 1024 * 1024

/** A source that is ready to be noted: the text of one is stored already. */
type Source = Pick<SpecRow, 'sourceURL' | 'sourceBlob'>

export const openapiHandlers: HandlersOf<typeof openapi> = {
  async listOpenAPISpecs({ organization, query, ...base }) {
    const context = { urls: base.env.urls, permissions: specPermissions(organization) }
    return listOf({
      base,
      name: `specs:${organization.id}`,
      query,
      rows: (page) => listSpecs(base.db, organization.id, page),
      count: () => countSpecs(base.db, organization.id),
      keyOf: (row) => ({ key: row.createdAt, id: row.id }),
      present: (row) => presentSpec(row, context),
    })
  },

  createOpenAPISpec: phased(openapi.createOpenAPISpec, {
    prepare: ({ body, env }) => storeSource(env, body.source),
    commit: async ({ organization, body, ...base }, source) => {
      if (await findSpec(base.db, { organizationId: organization.id, slug: body.slug })) throw fail('already_exists')
      return shown(base, organization, await create(base, organization, body.slug, source))
    },
  }),

  async getOpenAPISpecBySlug({ organization, spec, ...base }) {
    return shown(base, organization, spec)
  },

  createOrUpdateOpenAPISpecBySlug: phased(openapi.createOrUpdateOpenAPISpecBySlug, {
    prepare: ({ body, env, params }) => {
      if (!isSlug(params.specSlug)) throw invalid('specSlug', 'must be lower-case letters, digits and single hyphens')
      return storeSource(env, body.source)
    },
    commit: async ({ organization, params, ...base }, source) => {
      const known = await findSpec(base.db, { organizationId: organization.id, slug: params.specSlug })
      if (!known) {
        const made = await create(base, organization, params.specSlug, source)
        return new Answer(shown(base, organization, made), { status: 201 })
      }
      const change = { ...source, processingState: 'pending' as const, updatedAt: base.now }
      await updateSpec(base.db, known.id, change)
      await enqueueProcessing(base.db, known.id)
      await noteSpec(base, known, 'openapi_spec_updated', { changed: ['source'] })
      return shown(base, organization, { ...known, ...change })
    },
  }),

  async deleteOpenAPISpecBySlug({ spec, ...base }) {
    await deleteSpec(base.db, { id: spec.id })
    await linksAreBroken(base.db, linked(spec))
    await searchSpecsOfOrganization(base.db, spec.organizationId)
    await noteSpec(base, spec, 'openapi_spec_deleted')
    return undefined
  },

  async updateOpenAPISpecBySlug({ organization, spec, body, ...base }) {
    const { visibility } = body
    if (visibility === spec.visibility) return shown(base, organization, spec)
    await updateSpec(base.db, spec.id, { visibility, updatedAt: base.now })
    await noteSpec(base, spec, 'openapi_spec_updated', { changed: ['visibility'] })
    return shown(base, organization, { ...spec, visibility, updatedAt: base.now })
  },

  async listOpenAPISpecVersions({ spec, query, ...base }) {
    return listOf({
      base,
      name: `specVersions:${spec.id}`,
      query,
      rows: (page) => listVersions(base.db, spec.id, page),
      count: () => countVersions(base.db, spec.id),
      keyOf: (row) => ({ key: row.createdAt, id: row.id }),
      present: (row) => presentVersion(row, { urls: base.env.urls, spec }),
    })
  },

  async getLatestOpenAPISpecVersion({ spec, ...base }) {
    return presentVersion(await versionOf(base, spec), { urls: base.env.urls, spec })
  },

  async getLatestOpenAPISpecVersionContent({ spec, ...base }) {
    return contentOf(base, await versionOf(base, spec))
  },

  async getLatestOpenAPISpecVersionContentRaw({ spec, ...base }) {
    return storedBlob(base.env, (await versionOf(base, spec)).rootBlob)
  },

  async getOpenAPISpecVersionById({ spec, params, ...base }) {
    return presentVersion(await versionOf(base, spec, params.versionId), { urls: base.env.urls, spec })
  },

  async getOpenAPISpecVersionContentById({ spec, params, ...base }) {
    return contentOf(base, await versionOf(base, spec, params.versionId))
  },

  async getPublishedOpenAPISpec({ params, ...base }) {
    const spec = await findSpecById(base.db, { id: params.published })
    if (spec?.visibility !== 'public') throw fail('not_found')
    return storedBlob(base.env, (await versionOf(base, spec)).rootBlob)
  },
}

/** How links find a spec. */
const linked = ({ slug, organizationId }: SpecRow) => ({ kind: 'openapi' as const, thing: slug, organizationId })

const shown = ({ env }: Base, organization: Things['organization'], spec: SpecRow) =>
  presentSpec(spec, { urls: env.urls, permissions: specPermissions(organization) })

async function storeSource(env: Environment, { url, text = '' }: { url?: string; text?: string }): Promise<Source> {
  if (url !== undefined) return { sourceURL: url, sourceBlob: null }
  const { hash } = await env.blobs.put(bytesOf(text), { limit: largestText })
  return { sourceURL: null, sourceBlob: hash }
}

/**
 * The bytes of a text, some at a time: encoding and hashing five megabytes at a stretch would hold up others. All in the same
 * memory: new memory for each would have the garbage collector come, and that holds up others too.
 */
async function* bytesOf(text: string): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder()
  const bytes = new Uint8Array(4 * partLength)
  for (let start = 0; start < text.length; ) {
    let end = Math.min(text.length, start + partLength)
    // Not between the halves of a character.
    if (end < text.length && isHighSurrogate(text.charCodeAt(end - 1))) end += 1
    const { written } = encoder.encodeInto(text.slice(start, end), bytes)
    yield bytes.subarray(0, written)
    start = end
  }
}

const partLength = 64 * 1024
const isHighSurrogate = (unit: number): boolean => unit >= 0xd800 && unit < 0xdc00

async function create(
  base: Base,
  organization: Things['organization'],
  slug: string,
  source: Source,
): Promise<SpecRow> {
  if ((await countSpecs(base.db, organization.id)) >= mostSpecs)
    throw fail('conflict', `An organization has at most ${mostSpecs} specs.`)
  const spec = newSpec({
    id: base.env.newId(),
    organizationId: organization.id,
    slug,
    ...source,
    createdBy: base.actor.user.id,
    createdAt: base.now,
  })
  await insertSpec(base.db, spec)
  await linksAreRight(base.db, linked(spec))
  await enqueueProcessing(base.db, spec.id)
  await noteSpec(base, spec, 'openapi_spec_created')
  return spec
}

async function versionOf({ db }: Base, spec: SpecRow, id = spec.lastVersionId ?? ''): Promise<SpecVersionRow> {
  const version = await findVersion(db, { id, specId: spec.id })
  if (!version) throw fail('not_found', id === '' ? 'The spec has no version yet.' : 'The spec has no such version.')
  return version
}

const contentOf = ({ env }: Base, { contentBlob, url }: SpecVersionRow): Promise<StoredJson> =>
  storedBlob(env, contentBlob, { before: '{"filesystem":', after: `,"url":${JSON.stringify(url)}}` })

const noteSpec = (
  base: Base,
  spec: SpecRow,
  action: 'openapi_spec_created' | 'openapi_spec_updated' | 'openapi_spec_deleted',
  data: Record<string, unknown> = {},
): Promise<number> =>
  note(base, {
    organizationId: spec.organizationId,
    action,
    target: { type: 'openapi-spec', id: spec.id },
    data: { slug: spec.slug, ...data },
  })
