/** The pages of a site that anyone may find: those the navigation lists, in its order, each with its addresses. */
import { setImmediate as breath } from 'node:timers/promises'
import { absolute, hrefBelow } from '../addresses.ts'
import { isRead, type Page } from '../navigation.ts'
import type { Profile, ServedSpace } from '../profile.ts'
import type { Visiting } from '../visiting.ts'

export interface Listed {
  page: Page
  siteSpace: ServedSpace
  /** Absolute. */
  url: string
  /** The same as Markdown. */
  markdownUrl: string
  /** The page that opens its place. */
  isFirst: boolean
  /** The titles of the groups it stands in. */
  groups: readonly string[]
  /** How many pages stand above it. */
  depth: number
}

/**
 * Pages of one place that can be read; without those that no machine is to list. Read level by level, with a pause after
 * each: a site of ten thousand pages holds up nobody.
 */
export async function listedPages(visiting: Visiting, profile: Profile, siteSpace: ServedSpace): Promise<Listed[]> {
  const { client, site } = visiting
  const spaceId = siteSpace.about.space.id
  const addressOf = profile.pageAddressesOf(siteSpace)
  const found: Listed[] = []
  let isFirst = true
  const add = (page: Page, above: Above): void => {
    const own = addressOf(page.path ?? '')
    // The page that opens a place is found at the address of the place.
    const href = hrefBelow(site.basePath, isFirst ? addressOf('') : own)
    if (!isExcluded(page)) {
      const url = absolute(site.root, site.basePath, href)
      const markdownUrl = `${absolute(site.root, site.basePath, hrefBelow(site.basePath, own))}.md`
      found.push({ page, siteSpace, url, markdownUrl, isFirst, ...above })
    }
    isFirst = false
  }
  const visit = async (parent: string | undefined, above: Above): Promise<void> => {
    const { pages } = await client.listChildPages({ spaceId, query: parent === undefined ? {} : { parent } })
    await breath()
    for (const page of pages) {
      if (page.hidden === true) continue
      if (isRead(page)) add(page, above)
      if (page.hasPages) await visit(page.id, belowOf(page, above))
    }
  }
  await visit(undefined, { groups: [], depth: 0 })
  return found
}

type Above = Pick<Listed, 'groups' | 'depth'>

const belowOf = (page: Page, { groups, depth }: Above): Above =>
  page.type === 'group' ? { groups: [...groups, page.title], depth } : { groups, depth: depth + 1 }

/** The same of all places, in the order of the site. */
export async function allListedPages(visiting: Visiting, profile: Profile): Promise<Listed[]> {
  const found: Listed[] = []
  for (const siteSpace of profile.structure.spaces) found.push(...(await listedPages(visiting, profile, siteSpace)))
  return found
}

const isExcluded = (page: Page): boolean => page.noIndex === true || page.noRobotsIndex === true
