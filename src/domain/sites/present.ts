/** Sites and their parts as the API shows them. */
import type { z } from 'zod'
import type { Space } from '../../contract/content/space.ts'
import type { Site, SiteSection, SiteSectionGroup, SiteSpace, SiteStructure } from '../../contract/sites/site.ts'
import { fail } from '../../core/errors.ts'
import { permissionsOf } from '../../core/permissions.ts'
import { addressOf, sectionsIn, spacesIn, topLevel } from '../../core/site-structure.ts'
import type { SpaceRow } from '../../store/content/spaces.ts'
import { findSite, type GroupRow, type SectionRow, type SiteRow, type SiteSpaceRow } from '../../store/sites/sites.ts'
import type { Visit } from '../actor.ts'
import type { Environment } from '../environment.ts'
import { Answer, type Base } from '../handler.ts'
import { presentSpace } from '../spaces/present.ts'
import type { Things } from '../things.ts'
import { customizationOf } from './customization/complete.ts'
import { below, originOf, type PublishedAddress, publishedRoot } from './published-address.ts'
import { hasEditLinks, seesSource } from './reading/source.ts'
import type { SiteState } from './structure/state.ts'

export interface SiteContext {
  env: Pick<Environment, 'urls'>
  permissions: Things['site']['permissions']
  /** How many spaces it shows. */
  siteSpaces: number
  /** Opens the published address of a site behind share links. */
  shareKey?: string | undefined
}

export function presentSite(row: SiteRow, context: SiteContext): z.output<typeof Site> {
  const { urls } = context.env
  const published = publishedRoot(urls, row, context.shareKey)
  const { view, access, edit, create, admin } = context.permissions
  const addresses = urls.site(row.organizationId, row.id)
  const type = row.type as z.output<typeof Site>['type']
  return {
    object: 'site',
    id: row.id,
    type,
    appliedType: type,
    title: row.title,
    icon: iconOf(row),
    ...(row.hostname === null ? {} : { hostname: row.hostname }),
    ...(row.claimedHostname === null || !edit ? {} : { pendingHostname: row.claimedHostname }),
    basename: row.basename,
    ...(row.proxy === null ? {} : { proxy: { origin: row.proxy, target: originOf(urls, row) } }),
    visibility: row.visibility,
    published: row.published === 1,
    siteSpaces: context.siteSpaces,
    createdAt: row.createdAt,
    adaptiveContent: { enabled: row.adaptiveContent === 1 },
    agentsContext: row.agentsContext,
    features: features.map((id) => ({ id: `sites-${id}`, plan: type, frozen: false })),
    defaultLevel: 'inherit',
    urls: {
      ...addresses,
      preview: `${addresses.location}/publishing/preview`,
      ...(published === undefined ? {} : { published }),
    },
    permissions: {
      view,
      access,
      edit,
      create,
      admin,
      viewAdaptiveSchema: view,
      editAdaptiveSchema: edit,
      installIntegration: false,
    },
  }
}

/** Every feature is on. */
// biome-ignore format: a list reads best as one.
const features = [
  'adaptive-content', 'advanced-customization', 'advanced-insights', 'api-playground', 'basic-customization',
  'custom-domain', 'custom-fonts', 'custom-subdirectory', 'full-text-search', 'multivariant-site', 'page-feedback',
  'page-traffic-insights', 'pdf-export', 'preview-deployments', 'public-visibility', 'redirects', 'search-insights',
  'sections', 'seo', 'share-links', 'unlisted-visibility', 'visitor-authentication', 'visitors',
]

function iconOf(row: SiteRow): z.output<typeof Site>['icon'] {
  if (row.customization === null) return null
  const { icon, emoji } = customizationOf(row).favicon
  if (icon) return { icon }
  return emoji === undefined ? null : { emoji }
}

export function presentSiteSpace(state: SiteState, row: SiteSpaceRow): z.output<typeof SiteSpace> {
  const { base, root, spaces, shown } = state
  const { visitor } = base.actor
  const published = root === undefined ? undefined : below(root, addressOf(shown, row))
  const space = spaces.get(row.spaceId)
  if (!space) throw new Error('A space that is shown was loaded with its site.')
  // Before a site is published, its spaces are known to who may read them; others see that something stands at this path.
  const title =
    visitor || state.site.published === 1 || state.access.spacePermissions(space).view ? space.title : row.path
  return {
    object: 'site-space',
    id: row.id,
    path: row.path,
    ...(row.sectionId === null ? {} : { section: row.sectionId }),
    space: presentShownSpace(state, space, { row, title, published }),
    title,
    default: row.isDefault,
    draft: false,
    ...(row.condition === null || visitor ? {} : { condition: row.condition }),
    hasAdvancedCustomizationFeature: true,
    urls: published === undefined ? {} : { published },
  }
}

/** The space behind a place: whole for who may see the space itself, else what the site tells its readers. */
function presentShownSpace(
  { base, site, access, addresses }: SiteState,
  space: SpaceRow,
  { row, title, published }: { row: SiteSpaceRow; title: string; published: string | undefined },
): z.output<typeof Space> {
  const { urls } = base.env
  const read = asRead(space, space.gitSync !== null && hasEditLinks(site, row))
  if (base.actor.visitor)
    return presentSpace(read, permissionsOf('space', { level: 'read' }), urls, addressOnSite(site, published))
  const permissions = access.spacePermissions(space)
  if (permissions.view) return presentSpace(space, permissions, urls, addresses.get(space.id))
  if (site.published === 1) return presentSpace(read, permissions, urls, addressOnSite(site, published))
  return presentSpace({ ...read, title, ...untold(site) }, permissions, urls)
}

/** A space by itself, as a visitor of a site meets it. */
export async function presentForVisitor(
  base: Pick<Base, 'db' | 'env' | 'actor'>,
  { siteId }: Visit,
  space: Things['space'],
): Promise<z.output<typeof Space>> {
  const { db, env } = base
  const site = await findSite(db, { id: siteId })
  if (!site || space.deletedAt !== null) throw fail('not_found')
  return presentSpace(
    asRead(space, await seesSource(base, space.id)),
    space.permissions,
    env.urls,
    addressOnSite(site, undefined),
  )
}

/** Of a space that the caller sees neither by itself nor on a published site: no history, no language, no mark, no source. */
const untold = ({ createdAt }: SiteRow) => ({
  revisionId: 'unknown',
  emoji: '',
  language: null,
  gitSync: null,
  createdAt,
  updatedAt: createdAt,
})

/**
 * What goes on in a space before it is published, and where it stands, is not for those who read the site; nor is where it
 * comes from, unless the site leads there.
 */
const asRead = (space: SpaceRow, isSourceShown: boolean): SpaceRow => ({
  ...space,
  parentId: null,
  gitSync: isSourceShown ? space.gitSync : null,
  comments: 0,
  changeRequests: 0,
  changeRequestsOpen: 0,
  changeRequestsDraft: 0,
})

/** A visitor knows of this site only, whatever others show the space. */
const addressOnSite = ({ visibility }: SiteRow, published: string | undefined): PublishedAddress => ({
  visibility,
  ...(published === undefined ? {} : { published }),
  ...(published === undefined || visibility !== 'public' ? {} : { public: published }),
})

export function presentSection(state: SiteState, row: SectionRow): z.output<typeof SiteSection> {
  const { root } = state
  return {
    object: 'site-section',
    id: row.id,
    title: row.title,
    ...(row.description === null ? {} : { description: row.description }),
    default: row.isDefault,
    path: row.path,
    ...(row.condition === null || state.base.actor.visitor ? {} : { condition: row.condition }),
    ...(row.groupId === null ? {} : { sectionGroup: row.groupId }),
    draft: false,
    siteSpaces: spacesIn(state.shown, row.id).map((space) => presentSiteSpace(state, space)),
    urls: root === undefined ? {} : { published: below(root, row.isDefault ? '' : row.path) },
    ...(row.icon === null ? {} : { icon: row.icon }),
  }
}

export function presentGroup(state: SiteState, row: GroupRow): z.output<typeof SiteSectionGroup> {
  const sections = sectionsIn(state.shown, row.id).map((section) => presentSection(state, section))
  return {
    object: 'site-section-group',
    id: row.id,
    title: row.title,
    ...(row.icon === null ? {} : { icon: row.icon }),
    draft: false,
    sections,
    children: sections,
  }
}

export function presentStructure(state: SiteState): z.output<typeof SiteStructure> {
  const { shown } = state
  if (shown.sections.length === 0 && (shown.groups.length === 0 || shown.spaces.length > 0)) {
    return { type: 'siteSpaces', structure: spacesIn(shown, null).map((space) => presentSiteSpace(state, space)) }
  }
  const structure = topLevel(shown).map((item) =>
    'groupId' in item ? presentSection(state, item) : presentGroup(state, item),
  )
  return { type: 'sections', structure }
}

/** The part with this id, which a change has just made or kept. */
export function partOf<T extends { id: string }>(rows: readonly T[], id: string): T {
  const row = rows.find((one) => one.id === id)
  if (!row) throw new Error(`The site lost its part ${id} in a change of another.`)
  return row
}

/** 201 with the address of what was made, for resources whose `urls` do not tell it. */
export const madeAt = <T>(body: T, location: string): Answer<T> => new Answer(body, { headers: { location } })
