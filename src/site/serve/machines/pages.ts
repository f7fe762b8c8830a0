/** The pages of a site that anyone may find: those the navigation lists, in its order, each with its addresses. */
import { absolute, hrefBelow, joined } from '../addresses.ts'
import { isRead, type Page } from '../navigation.ts'
import type { Place, Profile } from '../profile.ts'
import type { Visiting } from '../visiting.ts'

export interface Listed {
  page: Page
  place: Place
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

/** Pages of one place that can be read; without those that no machine is to list. */
export async function listedPages(visiting: Visiting, profile: Profile, place: Place): Promise<Listed[]> {
  const { client, site } = visiting
  const { pages } = await client.listPages({ spaceId: place.about.space.id, query: { metadata: false } })
  const address = profile.addressOf(place)
  const found: Listed[] = []
  let isFirst = true
  const visit = (level: readonly Page[], groups: readonly string[], depth: number): void => {
    for (const page of level) {
      if (page.hidden === true) continue
      if (isRead(page)) {
        const own = joined(address, page.path ?? '')
        // The page that opens a place is found at the address of the place.
        const href = hrefBelow(site.basePath, isFirst ? address : own)
        if (!isKeptOut(page)) {
          const url = absolute(site.root, site.basePath, href)
          const markdownUrl = `${absolute(site.root, site.basePath, hrefBelow(site.basePath, own))}.md`
          found.push({ page, place, url, markdownUrl, isFirst, groups, depth })
        }
        isFirst = false
      }
      if (page.type === 'group') visit(page.pages ?? [], [...groups, page.title], depth)
      else visit(page.pages ?? [], groups, depth + 1)
    }
  }
  visit(pages, [], 0)
  return found
}

/** The same of all places, in the order of the site. */
export async function allListedPages(visiting: Visiting, profile: Profile): Promise<Listed[]> {
  const found: Listed[] = []
  for (const place of profile.structure.spaces) found.push(...(await listedPages(visiting, profile, place)))
  return found
}

const isKeptOut = (page: Page): boolean => page.noIndex === true || page.noRobotsIndex === true
