/** How visitors come to a site: the key that signs their tokens, previews, and what claims they may have. */
import type { sites } from '../../../contract/sites/sites.ts'
import { invalid } from '../../../core/errors.ts'
import { templateConditions } from '../../../core/expressions/declared-claims.ts'
import { type AdaptiveSchema, checkAdaptiveSchema } from '../../../core/expressions/schema.ts'
import { findParts, type SiteRow, updateSite } from '../../../store/sites/sites.ts'
import { noteSite } from '../../events/note.ts'
import type { Base, HandlersOf } from '../../handler.ts'
import { named } from '../../named.ts'
import type { Things } from '../../things.ts'
import { previewSegment, rootOf } from '../published-address.ts'
import { checkVisitorToken } from './check-token.ts'
import { requireSpacesSeen } from './spaces-seen.ts'
import { type Draft, previewToken, visitorKeyOf } from './visitors.ts'

const previewSeconds = 3600

type Row =
  | 'getSiteAdaptiveSchema'
  | 'updateSiteAdaptiveSchema'
  | 'listSiteAdaptiveTemplateConditions'
  | 'getSitePublishingAuthById'
  | 'updateSitePublishingAuthById'
  | 'regenerateSitePublishingAuthById'
  | 'checkSiteVisitorToken'
  | 'getSitePublishingPreviewById'

export const siteAccessHandlers: Pick<HandlersOf<typeof sites>, Row> = {
  async getSiteAdaptiveSchema({ site }) {
    return presentSchema(site)
  },

  async updateSiteAdaptiveSchema({ site, body, ...base }) {
    const { db, now } = base
    const checked = checkAdaptiveSchema(body.jsonSchema)
    if (!checked.ok) throw invalid(`jsonSchema${checked.problem.path.replaceAll('/', '.')}`, checked.problem.message)
    const change = { adaptiveSchema: JSON.stringify(checked.schema), adaptiveUpdatedAt: now, updatedAt: now }
    await updateSite(db, site.id, change)
    await noteSite(base, site, 'site_adaptive_schema_updated')
    return presentSchema({ ...site, ...change })
  },

  async listSiteAdaptiveTemplateConditions({ site }) {
    const items = templateConditions(schemaOf(site))
    return { items: items.map(({ description, condition }) => ({ description, condition })) }
  },

  async getSitePublishingAuthById({ site, env }) {
    return presentAuth(site, visitorKeyOf(env, site))
  },

  async updateSitePublishingAuthById({ site, body, ...base }) {
    const { db, env, now } = base
    const change: Partial<SiteRow> = {
      ...(body.fallbackURL === undefined ? {} : { fallbackURL: body.fallbackURL }),
      ...(body.logoutURL === undefined ? {} : { logoutURL: body.logoutURL }),
    }
    if (Object.keys(change).length > 0) {
      await updateSite(db, site.id, { ...change, updatedAt: now })
      await noteSite(base, site, 'site_publishing_auth_updated')
    }
    return presentAuth({ ...site, ...change }, visitorKeyOf(env, site))
  },

  async regenerateSitePublishingAuthById({ site, ...base }) {
    const { db, env, now } = base
    const change = { visitorKeyVersion: site.visitorKeyVersion + 1, updatedAt: now }
    await updateSite(db, site.id, change)
    await noteSite(base, site, 'site_publishing_auth_regenerated')
    return presentAuth(site, visitorKeyOf(env, { ...site, ...change }))
  },

  async checkSiteVisitorToken({ site, body, ...base }) {
    return checkVisitorToken(base, site, body)
  },

  async getSitePublishingPreviewById({ site, query, ...base }) {
    const { env, now } = base
    // What is published is read by whoever sees the site; before that, each space by who may read the space.
    if (site.published === 0) await requireSpacesSeen(base, site)
    const draft = await draftNamed(base, site, query)
    const expiresAt = new Date(Date.parse(now) + previewSeconds * 1000).toISOString()
    const token = previewToken(env, { siteId: site.id, until: expiresAt, draft })
    return { previewURL: `${rootOf(env.urls, site)}/${previewSegment}/${token}`, expiresAt }
  },
}

/** The change request that a preview is to show, in the place of the space's own content. */
async function draftNamed(
  base: Base,
  site: Things['site'],
  query: { space?: string | undefined; changeRequest?: string | undefined },
): Promise<Draft | undefined> {
  if (query.changeRequest === undefined) return undefined
  if (query.space === undefined) throw invalid('space', 'is required beside `changeRequest`')
  const space = await named(base, 'space', query.space)
  const parts = await findParts(base.db, site.id)
  if (!parts.spaces.some((siteSpace) => siteSpace.spaceId === space.id))
    throw invalid('space', 'is no space of this site')
  const changeRequest = await named(base, 'changeRequest', query.changeRequest, { within: { space } })
  return { spaceId: space.id, changeRequestId: changeRequest.id }
}

const emptySchema: AdaptiveSchema = { type: 'object', properties: {}, additionalProperties: false }

function schemaOf(site: SiteRow): AdaptiveSchema {
  const checked = site.adaptiveSchema === null ? undefined : checkAdaptiveSchema(JSON.parse(site.adaptiveSchema))
  return checked?.ok ? checked.schema : emptySchema
}

const presentSchema = (site: SiteRow) => ({
  object: 'site-adaptive-schema' as const,
  jsonSchema: { ...schemaOf(site) },
  updatedAt: site.adaptiveUpdatedAt ?? site.createdAt,
})

const presentAuth = (site: SiteRow, privateKey: string) => ({
  object: 'publishing-auth' as const,
  backend: 'custom' as const,
  privateKey,
  ...(site.fallbackURL === null ? {} : { fallbackURL: site.fallbackURL }),
  ...(site.logoutURL === null ? {} : { logoutURL: site.logoutURL }),
})
