/** What pages and spaces are called that counts name by their ids. */
import { useQueries } from '@tanstack/react-query'
import { callQuery, type Output, queries, useCall } from '../../session/client.ts'

type SiteSpace = Output<'listSiteSpaces'>['items'][number]
type Listed = Output<'listPages'>['pages'][number]

/** The places of a site by their ids. */
export function useSiteSpaces(site: { organizationId: string; siteId: string }): ReadonlyMap<string, SiteSpace> {
  const shown = useCall('listSiteSpaces', { ...site, query: { limit: 1000 } }, { staleTime: 60_000 })
  return new Map((shown.data?.items ?? []).map((siteSpace) => [siteSpace.id, siteSpace]))
}

export const nameOf = ({ title, space }: SiteSpace): string => title || space.title

const pagesQuery = (spaceId: string) => ({
  ...callQuery('listPages', { spaceId, query: { fields: 'tree' } }),
  staleTime: 60_000,
})

/** The titles of the pages of these spaces, as far as one may see them; nothing while they are on the way. */
export function usePageTitles(spaceIds: readonly string[]): ReadonlyMap<string, string> | undefined {
  const found = useQueries({ queries: spaceIds.map(pagesQuery) })
  if (found.some(({ isPending }) => isPending)) return undefined
  return titlesIn(found.map(({ data }) => data))
}

/** The same, once. */
export async function readPageTitles(spaceIds: readonly string[]): Promise<ReadonlyMap<string, string>> {
  // A space that one may not see leaves its pages without titles.
  const found = spaceIds.map((spaceId) => queries.fetchQuery(pagesQuery(spaceId)).catch(() => undefined))
  return titlesIn(await Promise.all(found))
}

function titlesIn(lists: readonly (Output<'listPages'> | undefined)[]): Map<string, string> {
  const titles = new Map<string, string>()
  const add = (pages: readonly Listed[]): void => {
    for (const { id, title, pages: below } of pages) {
      titles.set(id, title)
      add(below ?? [])
    }
  }
  for (const list of lists) add(list?.pages ?? [])
  return titles
}
