/** `~search?q=…`: what this visitor finds on the site, as JSON for the script or as a page. */
import type { SearchAnswer, SearchPage, Snippet } from '../layout/search-answer.ts'
import { renderSearchPage } from '../layout/stand-in.ts'
import { hrefBelow, joined } from './addresses.ts'
import { frameOf } from './frame.ts'
import { htmlAnswer, safeHeaders } from './html-answer.ts'
import type { Looks } from './looks.ts'
import { navigationOf } from './navigation.ts'
import { type Place, type Profile, profileOf } from './profile.ts'
import type { Answered, Asked, Visiting } from './visiting.ts'

const mostPages = 12
const longestQuery = 200

export async function answerSearch(visiting: Visiting, asked: Asked, looks: Looks): Promise<Answered> {
  const query = (asked.query.get('q') ?? '').trim().slice(0, longestQuery)
  const answer = await searchFor(visiting, query)
  if (/\bjson\b/.test(asked.accept)) {
    return {
      status: 200,
      headers: { 'content-type': 'application/json; charset=utf-8', ...safeHeaders },
      body: JSON.stringify(answer),
      lasts: 'never',
    }
  }
  const profile = await profileOf(visiting)
  const place = profile.locate('')?.space
  const navigation = place && navigationOf(visiting, profile, place)
  const frame = await frameOf({ visiting, profile, looks, place, navigation, entry: undefined })
  return htmlAnswer(visiting, await renderSearchPage(frame, answer), { status: 200 })
}

async function searchFor(visiting: Visiting, query: string): Promise<SearchAnswer> {
  if (query === '') return { query, pages: [], near: [] }
  const pages = await searchPages(visiting, query, mostPages)
  return { query, pages, near: pages.length > 0 ? [] : await nearTo(visiting, query) }
}

/** When all words together find nothing, the longest of them may. */
async function nearTo(visiting: Visiting, query: string): Promise<SearchAnswer['near']> {
  const words = query.split(/\s+/).filter((word) => word.length > 2)
  if (words.length < 2) return []
  const [longest = ''] = words.sort((a, b) => b.length - a.length)
  const pages = await searchPages(visiting, longest, 4)
  return pages.map(({ title, href }) => ({ title: title.join(''), href }))
}

export async function searchPages(visiting: Visiting, query: string, limit: number): Promise<SearchPage[]> {
  const { client, site } = visiting
  const params = { organizationId: site.organizationId, siteId: site.id }
  const found = await client.searchSiteContent({ ...params, body: { query, limit } })
  const profile = await profileOf(visiting)
  const pages: SearchPage[] = []
  for (const hit of found.items) {
    const place = hit.space === undefined ? undefined : profile.placeOf(hit.space)
    if (place) pages.push(await present(visiting, profile, place, hit, query))
  }
  return pages
}

type Hit = Awaited<ReturnType<Visiting['client']['searchSiteContent']>>['items'][number]

async function present(
  visiting: Visiting,
  profile: Profile,
  place: Place,
  hit: Hit,
  query: string,
): Promise<SearchPage> {
  const known = await navigationOf(visiting, profile, place).known(visiting, hit.id)
  const href = known?.href ?? hrefBelow(visiting.site.basePath, joined(profile.addressOf(place), hit.path))
  const section = profile.structure.sections.find((one) => one.id === place.sectionId)
  const places = [
    ...(profile.structure.sections.length > 1 && section ? [section.about.title] : []),
    ...(known?.above ?? []),
  ]
  const own = hit.sections.find((part) => part.id === '')
  return {
    title: marked(hit.title, query),
    href,
    ...(known?.page.icon === undefined ? {} : { icon: known.page.icon }),
    ...(known?.page.emoji === undefined ? {} : { emoji: known.page.emoji }),
    path: places,
    snippet: own ? cut(own.body, own.highlights ?? []) : [],
    sections: hit.sections
      .filter((part) => part.id !== '')
      .map((part) => ({
        title: marked(part.title, query),
        href: `${href}#${encodeURIComponent(part.id)}`,
        snippet: cut(part.body, part.highlights ?? []),
      })),
  }
}

/** The text cut at what was found: even parts are plain. */
function cut(text: string, highlights: readonly (readonly [number, number])[]): Snippet {
  const parts: string[] = []
  let at = 0
  for (const [from, to] of highlights) {
    if (from < at || to <= from) continue
    parts.push(text.slice(at, from), text.slice(from, to))
    at = to
  }
  return [...parts, text.slice(at)]
}

/** Titles come without places of the words: those that begin with a word of the query are marked. */
function marked(title: string, query: string): Snippet {
  const words = query
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '')
  const found: [number, number][] = []
  for (const match of title.toLowerCase().matchAll(/[\p{L}\p{N}]+/gu)) {
    const word = words.filter((one) => match[0].startsWith(one)).sort((a, b) => b.length - a.length)[0]
    if (word !== undefined) found.push([match.index, match.index + word.length])
  }
  return cut(title, found)
}
