/** Sites: made, changed, published, taken down and deleted. */
import { sites } from '../../contract/sites/sites.ts'
import { invalid } from '../../core/errors.ts'
import { permissionsOf, type Role, strongest } from '../../core/permissions.ts'
import { addSpace, setDefaultSection, setDefaultSpace } from '../../core/site-changes.ts'
import { cutTo, fold } from '../../core/text.ts'
import { grantsOf } from '../../store/people/access.ts'
import { deleteRightsOn } from '../../store/people/grants.ts'
import { updateOrganization } from '../../store/people/organizations.ts'
import {
  countSiteSpaces,
  countSites,
  deleteSite,
  insertSite,
  listSites,
  type SiteRow,
  updateSite,
} from '../../store/sites/sites.ts'
import { changesIn, noteSite, type SiteAction } from '../events/note.ts'
import { keepCharge } from '../grants.ts'
import { type Base, type HandlersOf, readFirst } from '../handler.ts'
import { listOf } from '../lists.ts'
import { named } from '../named.ts'
import { makeSpace } from '../spaces/handlers.ts'
import { templateContent } from '../spaces/templates.ts'
import type { Things } from '../things.ts'
import { siteSharingHandlers } from './access/permissions.ts'
import { siteAccessHandlers } from './access/settings.ts'
import { opensTo, requireSpacesSeen } from './access/spaces-seen.ts'
import { freeBasename, refuseBasename } from './basenames.ts'
import { hostnameChange, refuseHostname, refuseProxy, withLowerHost } from './hostnames.ts'
import { presentSite, presentStructure } from './present.ts'
import { siteReadingHandlers } from './reading/handlers.ts'
import { renderShown } from './render-ahead.ts'
import { spaceForSite } from './structure/named-spaces.ts'
import { sortStructure } from './structure/sort.ts'
import { changeSite, newSiteSpace, saveStructure, siteState } from './structure/state.ts'

const defaultTitle = 'Untitled site'
const sampleTemplate = 'product-docs'

export const siteHandlers: HandlersOf<typeof sites> = {
  ...siteAccessHandlers,
  ...siteReadingHandlers,
  ...siteSharingHandlers,

  async listSites({ organization, query, ...base }) {
    const grants = await siteGrants(base, organization)
    const { page, limit, type: types, ...filters } = query
    // Who has no role in the organization sees the sites that are shared with them.
    const ids = organization.role === null ? [...grants.keys()] : undefined
    const filter = { organizationId: organization.id, ...filters, types, ids }
    let counts: ReadonlyMap<string, number> = new Map()
    return listOf({
      base,
      name: `sites:${JSON.stringify([organization.id, filters, types])}`,
      query: { page, limit },
      rows: async (wanted) => {
        const rows = await listSites(base.db, filter, wanted)
        counts = await countSiteSpaces(
          base.db,
          rows.map((row) => row.id),
        )
        return rows
      },
      count: () => countSites(base.db, filter),
      keyOf: (row) => ({ key: row.createdAt, id: row.id }),
      present: (row) => {
        const level = strongest([organization.role ?? 'none', ...(grants.get(row.id) ?? [])])
        const permissions = permissionsOf('site', { level })
        return presentSite(row, { env: base.env, permissions, siteSpaces: counts.get(row.id) ?? 0 })
      },
    })
  },

  createSite: readFirst(sites.createSite, {
    read: async ({ spaces }) => (spaces === 'sample' ? templateContent(sampleTemplate, 'spaces') : undefined),
    commit: async ({ organization, body, ...base }, template) => {
      const title = body.title ?? defaultTitle
      const spaces: { id: string; title: string }[] = []
      if (Array.isArray(body.spaces)) {
        for (const id of new Set(body.spaces)) spaces.push(await spaceForSite(base, organization.id, id))
      } else if (body.spaces !== undefined) {
        spaces.push(await makeSpace(base, organization, { parent: null, title: cutTo(title, 50) }, template))
      }
      const row: SiteRow = {
        ...newSite(base, organization.id, title),
        basename: await freeBasename(base, title),
        ...(body.type === undefined ? {} : { type: body.type }),
        ...(body.visibility === undefined ? {} : { visibility: body.visibility }),
      }
      await insertSite(base.db, row)
      await keepCharge(base, 'site', row, organization.role)
      const permissions = permissionsOf('site', { level: 'admin' })
      const site: Things['site'] = { ...row, organization, level: 'admin', permissions }
      await saveStructure(base, site, (parts) =>
        spaces.reduce(
          (made, space) => addSpace(made, newSiteSpace(base, site, space.id), { title: space.title }),
          parts,
        ),
      )
      await noteSite(base, site, 'site_created', { spaces: spaces.map((space) => space.id) })
      return presentSite(row, { env: base.env, permissions, siteSpaces: spaces.length })
    },
  }),

  async getSiteById({ site, ...base }) {
    return presentNow(base, site)
  },

  async deleteSiteById({ site, ...base }) {
    const { db } = base
    await deleteRightsOn(db, [site.id])
    const { defaultContent } = site.organization
    if (defaultContent !== null && JSON.parse(defaultContent).site === site.id)
      await updateOrganization(db, site.organizationId, { defaultContent: null })
    await deleteSite(db, { id: site.id })
    await noteSite(base, site, 'site_deleted')
    return undefined
  },

  async updateSiteById({ site, body, ...base }) {
    if (opensTo(site, body.visibility)) await requireSpacesSeen(base, site)
    if (body.basename !== undefined) await refuseBasename(base, site, body.basename)
    if (body.hostname != null) await refuseHostname(base, site, body.hostname)
    const proxy = body.proxy == null ? body.proxy : withLowerHost(body.proxy)
    if (proxy != null) await refuseProxy(base, site, proxy)
    await setDefaults(base, site, body)
    const change: Partial<SiteRow> = {
      ...(body.title === undefined ? {} : { title: body.title, folded: fold(body.title) }),
      ...(body.visibility === undefined ? {} : { visibility: body.visibility }),
      ...(body.basename === undefined ? {} : { basename: body.basename }),
      ...(body.hostname === undefined ? {} : hostnameChange(base, site, body.hostname)),
      ...(proxy === undefined ? {} : { proxy }),
      ...(body.adaptiveContent === undefined ? {} : { adaptiveContent: body.adaptiveContent.enabled ? 1 : 0 }),
      ...(body.agentsContext === undefined ? {} : { agentsContext: body.agentsContext }),
    }
    return changed(base, site, change, 'site_updated')
  },

  async publishSite({ site, ...base }) {
    if (site.published === 0) await requireSpacesSeen(base, site)
    await renderShown(base.db)
    return changed(base, site, { published: 1 }, 'site_published')
  },

  async unpublishSite({ site, ...base }) {
    return changed(base, site, { published: 0 }, 'site_unpublished')
  },

  async getSiteStructure({ site, query, ...base }) {
    return presentStructure(await siteState(base, site, query.shareKey))
  },

  async sortSiteStructure({ site, body, ...base }) {
    return sortStructure(base, site, body)
  },
}

/** A site as it is when new: public once it is published, and not published. */
const newSite = ({ env, actor, now }: Base, organizationId: string, title: string): SiteRow => ({
  id: env.newId(),
  organizationId,
  type: 'basic',
  title,
  folded: fold(title),
  basename: '',
  hostname: null,
  claimedHostname: null,
  claimedAt: null,
  proxy: null,
  visibility: 'public',
  published: 0,
  agentsContext: 'included',
  adaptiveContent: 1,
  adaptiveSchema: null,
  adaptiveUpdatedAt: null,
  customization: null,
  visitorKeyVersion: 1,
  fallbackURL: null,
  logoutURL: null,
  createdBy: actor.user.id,
  createdAt: now,
  updatedAt: now,
})

async function siteGrants({ db, actor }: Base, organization: Things['organization']) {
  const grants = new Map<string, Role[]>()
  if (organization.role === 'admin') return grants
  for (const grant of await grantsOf(db, { organizationId: organization.id, userId: actor.user.id })) {
    if (grant.thingKind === 'site') grants.set(grant.thingId, [...(grants.get(grant.thingId) ?? []), grant.role])
  }
  return grants
}

async function presentNow(base: Base, site: Things['site']) {
  const counts = await countSiteSpaces(base.db, [site.id])
  return presentSite(site, { env: base.env, permissions: site.permissions, siteSpaces: counts.get(site.id) ?? 0 })
}

async function changed(base: Base, site: Things['site'], change: Partial<SiteRow>, action: SiteAction) {
  if (Object.keys(change).length === 0) return presentNow(base, site)
  const row = { ...change, updatedAt: base.now }
  await updateSite(base.db, site.id, row)
  await noteSite(base, site, action, { ...changesIn<SiteRow>(site, change) })
  return presentNow(base, { ...site, ...row })
}

/** The default section, then the default space: at the root, or of the default section. */
async function setDefaults(
  base: Base,
  site: Things['site'],
  {
    defaultSiteSection,
    defaultSiteSpace,
  }: { defaultSiteSection?: string | undefined; defaultSiteSpace?: string | undefined },
): Promise<void> {
  if (defaultSiteSection !== undefined) await named(base, 'siteSection', defaultSiteSection, { within: { site } })
  const siteSpace =
    defaultSiteSpace === undefined ? undefined : await named(base, 'siteSpace', defaultSiteSpace, { within: { site } })
  if (defaultSiteSection === undefined && !siteSpace) return
  await changeSite(base, site, (parts) => {
    const sectioned = defaultSiteSection === undefined ? parts : setDefaultSection(parts, defaultSiteSection)
    if (!siteSpace) return sectioned
    const main = sectioned.sections.find((section) => section.isDefault)?.id ?? null
    if (siteSpace.sectionId !== main) throw invalid('defaultSiteSpace', 'does not stand in the default section')
    return setDefaultSpace(sectioned, siteSpace.id)
  })
}
