/** Redirects of a site: old paths and where they lead. */
import type { z } from 'zod'
import type { Redirect, RedirectFields, redirects } from '../../../contract/sites/redirects.ts'
import { fail, invalid } from '../../../core/errors.ts'
import { pageById } from '../../../core/revision/content.ts'
import { segmentsOf } from '../../../core/url-paths.ts'
import { findSpace } from '../../../store/content/spaces.ts'
import {
  countRedirects,
  deleteRedirect,
  insertRedirect,
  listRedirects,
  type RedirectRow,
  updateRedirect,
} from '../../../store/sites/site-links.ts'
import { noteSite } from '../../events/note.ts'
import type { Base, HandlersOf } from '../../handler.ts'
import { listOf } from '../../lists.ts'
import { named } from '../../named.ts'
import type { Things } from '../../things.ts'
import { madeAt } from '../present.ts'
import { rootOf } from '../published-address.ts'
import { contentOnSite } from '../reading/pages.ts'
import { readableTo, siteState } from '../structure/state.ts'
import { targetOf } from './follow.ts'
import { type Destination, redirectAt, redirectFrom, sourceOf } from './match.ts'

const mostRedirects = 10_000

export const redirectHandlers: HandlersOf<typeof redirects> = {
  async listSiteRedirects({ site, query, ...base }) {
    return listOf({
      base,
      name: `redirects:${site.id}`,
      query,
      rows: (page) => listRedirects(base.db, site.id, page),
      count: () => countRedirects(base.db, site.id),
      keyOf: (row) => ({ key: row.createdAt, id: row.id }),
      present: presentRedirect,
    })
  },

  async createSiteRedirect({ site, body, ...base }) {
    refuseLoop(body, 'destination')
    await checkDestination(base, site, body.destination, 'destination')
    if (await redirectFrom(base, site.id, body.source)) throw fail('already_exists')
    await refuseTooMany(base, site, 1)
    const row = newRedirect(base, site, body)
    await insertRedirect(base.db, row)
    await noteSite(base, site, 'site_redirects_updated', { created: 1 })
    const { location } = base.env.urls.site(site.organizationId, site.id)
    return madeAt(presentRedirect(row), `${location}/redirects/${row.id}`)
  },

  async upsertSiteRedirects({ site, body, ...base }) {
    let [created, updated] = [0, 0]
    for (const [index, given] of body.redirects.entries()) {
      refuseLoop(given, `redirects.${index}.destination`)
      await checkDestination(base, site, given.destination, `redirects.${index}.destination`)
      const known = await redirectFrom(base, site.id, given.source)
      if (known) {
        await updateRedirect(base.db, known.id, { ...fieldsOf(given), updatedAt: base.now })
        updated++
      } else {
        await insertRedirect(base.db, newRedirect(base, site, given))
        created++
      }
    }
    await refuseTooMany(base, site, 0)
    await noteSite(base, site, 'site_redirects_updated', { created, updated })
    return { created, updated }
  },

  async updateSiteRedirectById({ site, redirect, body, ...base }) {
    if (body.destination) await checkDestination(base, site, body.destination, 'destination')
    const other = body.source && (await redirectFrom(base, site.id, body.source))
    if (other && other.id !== redirect.id) throw fail('already_exists')
    const change = { ...fieldsOf(body), updatedAt: base.now }
    refuseLoop(presentRedirect({ ...redirect, ...change }), 'destination')
    await updateRedirect(base.db, redirect.id, change)
    await noteSite(base, site, 'site_redirects_updated', { updated: 1 })
    return presentRedirect({ ...redirect, ...change })
  },

  async deleteSiteRedirectById({ site, redirect, ...base }) {
    await deleteRedirect(base.db, { id: redirect.id })
    await noteSite(base, site, 'site_redirects_updated', { deleted: 1 })
    return undefined
  },

  async getSiteRedirectBySource({ site, query, ...base }) {
    const state = await siteState(base, site, query.shareKey)
    const met = await redirectAt(base, site.id, segmentsOf(query.source))
    const { scope } = base.actor.visitor ?? {}
    const root = state.root ?? rootOf(base.env.urls, site)
    const target = met && (await targetOf(base, met, { root, shown: readableTo(state), spaces: state.spaces, scope }))
    if (!met || target === undefined) throw fail('not_found', 'Nothing redirects from there.')
    return { redirect: presentRedirect(met.row), target }
  },
}

type Fields = z.output<typeof RedirectFields>

const flag = (value: boolean): number => (value ? 1 : 0)

const fieldsOf = (given: Fields): Partial<RedirectRow> => ({
  ...(given.source === undefined ? {} : { source: sourceOf(given.source) }),
  ...(given.destination === undefined ? {} : { destination: JSON.stringify(given.destination) }),
  ...(given.draft === undefined ? {} : { draft: flag(given.draft) }),
  ...(given.captureWildcard === undefined ? {} : { captureWildcard: flag(given.captureWildcard) }),
  ...(given.permanent === undefined ? {} : { permanent: flag(given.permanent) }),
})

const newRedirect = (base: Base, site: Things['site'], given: Fields & { source: string }): RedirectRow => ({
  id: base.env.newId(),
  siteId: site.id,
  source: given.source,
  destination: '',
  draft: 0,
  captureWildcard: 0,
  permanent: 0,
  ...fieldsOf(given),
  createdAt: base.now,
  updatedAt: base.now,
})

const presentRedirect = (row: RedirectRow): z.output<typeof Redirect> => ({
  object: 'site-redirect',
  id: row.id,
  source: sourceOf(row.source),
  destination: JSON.parse(row.destination),
  draft: row.draft === 1,
  captureWildcard: row.captureWildcard === 1,
  permanent: row.permanent === 1,
  createdAt: row.createdAt,
  updatedAt: row.updatedAt,
})

async function refuseTooMany({ db }: Base, site: Things['site'], coming: number): Promise<void> {
  if ((await countRedirects(db, site.id)) + coming > mostRedirects)
    throw fail('conflict', `A site has at most ${mostRedirects} redirects.`)
}

/** A redirect that leads to its own source, or with all below it to a path below it, would never end. */
function refuseLoop(
  given: { source: string; destination: Destination; captureWildcard: boolean },
  field: string,
): void {
  const source = sourceOf(given.source)
  if (source === '/') throw invalid('source', 'must name a path below the site')
  const { destination } = given
  if (destination.kind !== 'path') return
  const target = sourceOf(destination.path.replace(/[?#].*$/, ''))
  if (target === source) throw invalid(`${field}.path`, 'must not be the source of the redirect')
  if (given.captureWildcard && target.startsWith(`${source}/`))
    throw invalid(`${field}.path`, 'must not stand below the source of a redirect that carries the rest along')
}

/** What a redirect leads to stands on the same site. */
async function checkDestination(base: Base, site: Things['site'], to: Destination, field: string): Promise<void> {
  if (to.kind === 'site-section') await named(base, 'siteSection', to.siteSection, { within: { site } })
  if (to.kind !== 'site-space' && to.kind !== 'site-page') return
  const siteSpace = await named(base, 'siteSpace', to.siteSpace, { within: { site } })
  if (to.kind === 'site-space') return
  const space = await findSpace(base.db, { id: siteSpace.spaceId })
  const at = space && (await contentOnSite(base, space))
  if (!at || !(await pageById(at.reader, at.content, to.page)))
    throw invalid(`${field}.page`, 'names no page of the space')
}
