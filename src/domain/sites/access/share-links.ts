/** Share links of a site: each has a key of its own, which can be turned off. */
import type { z } from 'zod'
import type { ShareLink } from '../../../contract/sites/site.ts'
import type { siteShareLinks } from '../../../contract/sites/site-share-links.ts'
import { fail } from '../../../core/errors.ts'
import {
  countShareLinks,
  deleteShareLink,
  insertShareLink,
  listShareLinks,
  type ShareLinkRow,
  updateShareLink,
} from '../../../store/sites/site-links.ts'
import { noteSite } from '../../events/note.ts'
import type { Base, HandlersOf } from '../../handler.ts'
import { listOf } from '../../lists.ts'
import type { Things } from '../../things.ts'
import { madeAt } from '../present.ts'
import { publishedRoot } from '../published-address.ts'
import { shareKeyOf } from './share-keys.ts'

const mostLinks = 1000

export const siteShareLinkHandlers: HandlersOf<typeof siteShareLinks> = {
  async listSiteShareLinks({ site, query, ...base }) {
    return listOf({
      base,
      name: `share-links:${site.id}`,
      query,
      rows: (page) => listShareLinks(base.db, site.id, page),
      count: () => countShareLinks(base.db, site.id),
      keyOf: (row) => ({ key: row.createdAt, id: row.id }),
      present: (row) => presentLink(base, site, row),
    })
  },

  async createSiteShareLink({ site, body, ...base }) {
    if ((await countShareLinks(base.db, site.id)) >= mostLinks) {
      throw fail('conflict', `A site has at most ${mostLinks} share links.`)
    }
    const row = { id: base.env.newId(), siteId: site.id, name: body.name, active: 1, createdAt: base.now }
    await insertShareLink(base.db, row)
    await noteSite(base, site, 'site_share_link_created', { shareLink: row.id })
    return madeAt(presentLink(base, site, row), `${locationOf(base, site)}/share-links/${row.id}`)
  },

  async deleteSiteShareLinkById({ site, shareLink, ...base }) {
    await deleteShareLink(base.db, { id: shareLink.id })
    await noteSite(base, site, 'site_share_link_deleted', { shareLink: shareLink.id })
    return undefined
  },

  async updateSiteShareLinkById({ site, shareLink, body, ...base }) {
    const change: Partial<ShareLinkRow> = {
      ...(body.active === undefined ? {} : { active: body.active ? 1 : 0 }),
      ...(body.name === undefined ? {} : { name: body.name }),
    }
    if (Object.keys(change).length > 0) {
      await updateShareLink(base.db, shareLink.id, change)
      const active = change.active === undefined ? {} : { active: change.active === 1 }
      await noteSite(base, site, 'site_share_link_updated', { shareLink: shareLink.id, ...active })
    }
    return presentLink(base, site, { ...shareLink, ...change })
  },
}

const locationOf = ({ env }: Base, site: Things['site']): string => env.urls.site(site.organizationId, site.id).location

/** The address is the secret; it is told only while it opens something. */
function presentLink({ env }: Base, site: Things['site'], row: ShareLinkRow): z.output<typeof ShareLink> {
  const isOpen = row.active === 1 && site.visibility === 'share-link'
  const published = isOpen ? publishedRoot(env.urls, site, shareKeyOf(env, row.id)) : undefined
  return {
    object: 'share-link',
    id: row.id,
    createdAt: row.createdAt,
    ...(row.name === '' ? {} : { name: row.name }),
    active: row.active === 1,
    urls: published === undefined ? {} : { published },
  }
}
