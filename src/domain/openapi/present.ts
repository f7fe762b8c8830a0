/** Specs and versions as the API shows them. */
import type { z } from 'zod'
import type { OpenAPISpec, OpenAPISpecVersion } from '../../contract/content/openapi.ts'
import type { Permissions } from '../../core/permissions.ts'
import type { Urls } from '../../core/urls.ts'
import type { SpecRow, SpecVersionRow } from '../../store/content/openapi.ts'

export function presentSpec(
  spec: SpecRow,
  { urls, permissions }: { urls: Urls; permissions: Permissions<'spec'> },
): z.output<typeof OpenAPISpec> {
  const errors: string[] = spec.errors === null ? [] : JSON.parse(spec.errors)
  const code = spec.errorCode ?? undefined
  return {
    object: 'openapi-spec',
    id: spec.id,
    slug: spec.slug,
    createdAt: spec.createdAt,
    updatedAt: spec.updatedAt,
    ...(spec.sourceURL === null ? {} : { sourceURL: spec.sourceURL }),
    visibility: spec.visibility,
    processingState: spec.processingState,
    ...(spec.lastVersionId === null ? {} : { lastVersion: spec.lastVersionId }),
    ...(spec.lastProcessedAt === null ? {} : { lastProcessedAt: spec.lastProcessedAt }),
    ...(code === undefined
      ? {}
      : { lastProcessErrorCode: code, lastProcessedErrors: errors.map((message) => ({ message, code })) }),
    lastProcessedErrorCount: errors.length,
    permissions: { view: permissions.view, edit: permissions.edit },
    urls: {
      ...urls.spec(spec.organizationId, spec.slug),
      ...(spec.visibility === 'public' ? { published: urls.publishedSpec(spec.id) } : {}),
    },
  }
}

export const presentVersion = (
  version: SpecVersionRow,
  { urls, spec }: { urls: Urls; spec: SpecRow },
): z.output<typeof OpenAPISpecVersion> => ({
  object: 'openapi-spec-version',
  id: version.id,
  createdAt: version.createdAt,
  url: version.url,
  urls: { location: `${urls.spec(spec.organizationId, spec.slug).location}/versions/${version.id}` },
})
