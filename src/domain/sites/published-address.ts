/** Where readers meet sites and spaces: the addresses of what is published, and how open a space is by it. */
import type { z } from 'zod'
import type { Space } from '../../contract/content/space.ts'
import { siteVisibilities } from '../../core/enumerations.ts'
import { fail } from '../../core/errors.ts'
import { addressFor } from '../../core/site-structure.ts'
import type { Urls } from '../../core/urls.ts'
import { publishedSitesShowing, readShowing, type SiteRow } from '../../store/sites/sites.ts'
import type { Base } from '../handler.ts'
import { linkOfKey } from './access/share-keys.ts'

type Addressed = Pick<SiteRow, 'basename' | 'hostname' | 'proxy'>

/** Marks the segment behind which a share key, or the token of a preview, stands in an address. No path has a tilde. */
export const shareSegment = '~share'
export const previewSegment = '~preview'

/** Where a site is served by us: under its own host name, or below the common address. */
export const originOf = (urls: Urls, site: Addressed): string =>
  site.hostname === null ? `${urls.sites}/${site.basename}` : `${schemeOf(urls)}//${site.hostname}`

/** Where readers reach it: behind the proxy of its owner, if there is one. */
export const rootOf = (urls: Urls, site: Addressed): string =>
  site.proxy === null ? originOf(urls, site) : `https://${site.proxy}`

const schemeOf = (urls: Urls): string => new URL(urls.sites).protocol

/** The address of a published site; undefined while it is not, and where only a key would open it. */
export function publishedRoot(
  urls: Urls,
  site: Addressed & Pick<SiteRow, 'published' | 'visibility'>,
  shareKey: string | undefined,
): string | undefined {
  if (site.published === 0) return undefined
  return openRoot(urls, site, shareKey)
}

function openRoot(urls: Urls, site: Addressed & Pick<SiteRow, 'visibility'>, shareKey: string | undefined) {
  const root = rootOf(urls, site)
  if (site.visibility !== 'share-link') return root
  return shareKey === undefined ? undefined : `${root}/${shareSegment}/${shareKey}`
}

/** An address below a root, or the root itself. */
export const below = (root: string, path: string): string =>
  path === '' ? root : `${root}/${path.split('/').map(encodeURIComponent).join('/')}`

export interface PublishedAddress {
  visibility: z.output<typeof Space>['visibility']
  published?: string
  public?: string
}

/** The most open first. */
const openness = ({ visibility }: Pick<SiteRow, 'visibility'>): number => siteVisibilities.indexOf(visibility)

/**
 * How each of these spaces is published, in one statement: by the most open of the sites that show it. A share key that
 * opens none of the sites that ask for one is refused.
 */
export const publishedAddressesOf = async (
  base: Pick<Base, 'db' | 'env'>,
  spaceIds: readonly string[],
  shareKey?: string | undefined,
): Promise<ReadonlyMap<string, PublishedAddress>> =>
  addressesOf(base, spaceIds.length === 0 ? [] : await publishedSitesShowing(base.db, spaceIds), shareKey)

async function addressesOf(
  { db, env }: Pick<Base, 'db' | 'env'>,
  shown: Awaited<ReturnType<typeof publishedSitesShowing>>,
  shareKey: string | undefined,
): Promise<ReadonlyMap<string, PublishedAddress>> {
  const asksForKey = shareKey !== undefined && shown.some((row) => row.visibility === 'share-link')
  const link = asksForKey ? await linkOfKey({ db, env }, shareKey) : undefined
  const opens = (siteId: string) => (link?.siteId === siteId ? shareKey : undefined)
  if (asksForKey && !shown.some((row) => row.siteId === link?.siteId)) {
    throw fail('not_found', 'The share key opens nothing here.')
  }
  const addresses = new Map<string, PublishedAddress>()
  for (const row of [...shown].sort((a, b) => openness(a) - openness(b))) {
    if (addresses.has(row.spaceId)) continue
    const root = openRoot(env.urls, row, opens(row.siteId))
    const published = root === undefined ? undefined : below(root, addressIn(row))
    addresses.set(row.spaceId, {
      visibility: row.visibility,
      ...(published === undefined ? {} : { published }),
      ...(published === undefined || row.visibility !== 'public' ? {} : { public: published }),
    })
  }
  return addresses
}

/** The places of a list of spaces, loaded with each page of it. */
export function withPublishedAddresses(base: Pick<Base, 'db' | 'env'>) {
  let addresses: ReadonlyMap<string, PublishedAddress> = new Map()
  return {
    load: async <Row extends { id: string }>(found: Promise<Row[]>): Promise<Row[]> => {
      const rows = await found
      addresses = await publishedAddressesOf(
        base,
        rows.map((row) => row.id),
      )
      return rows
    },
    of: (spaceId: string): PublishedAddress | undefined => addresses.get(spaceId),
  }
}

/**
 * The place of one space; no statement is needed for one that was loaded with the sites that show it, and no promise where
 * there are none.
 */
export function publishedAddressOf(
  base: Pick<Base, 'db' | 'env'>,
  space: { id: string; shownOn?: string | null },
  shareKey?: string,
): Promise<PublishedAddress | undefined> | undefined {
  const shown = space.shownOn === undefined ? undefined : readShowing(space.shownOn)
  return shown?.length === 0 ? undefined : addressOf(base, space.id, { shown, shareKey })
}

async function addressOf(
  base: Pick<Base, 'db' | 'env'>,
  spaceId: string,
  {
    shown,
    shareKey,
  }: { shown: Awaited<ReturnType<typeof publishedSitesShowing>> | undefined; shareKey?: string | undefined },
): Promise<PublishedAddress | undefined> {
  return (await addressesOf(base, shown ?? (await publishedSitesShowing(base.db, [spaceId])), shareKey)).get(spaceId)
}

const addressIn = (row: {
  path: string
  isDefault: number
  sectionPath: string | null
  sectionIsDefault: number | null
  namesake: string | null
}): string =>
  addressFor({
    space: { path: row.path, isDefault: row.isDefault === 1 },
    section: row.sectionPath === null ? undefined : { path: row.sectionPath, isDefault: row.sectionIsDefault === 1 },
    isNamesake: row.namesake !== null,
  })
