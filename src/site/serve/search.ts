/** `~search?q=…`: what this visitor finds on the site, as JSON for the script or as a page. */

import { cutTo } from '../../core/text.ts'
import { decodeSegment } from '../../core/url-paths.ts'
import type { SearchAnswer, SearchPage, Snippet } from '../layout/search-answer.ts'
import { renderSearchPage } from '../layout/stand-in.ts'
import { hrefBelow } from './addresses.ts'
import type { SiteAssets } from './assets.ts'
import { frameOf } from './frame.ts'
import { htmlAnswer } from './html-answer.ts'
import { navigationOf } from './navigation.ts'
import { type Profile, profileOf, type ServedSpace } from './profile.ts'
import type { Answered, Asked, Visiting } from './visiting.ts'

const mostPages = 12
const longestQuery = 200

export async function answerSearch(visiting: Visiting, asked: Asked, assets: SiteAssets): Promise<Answered> {
  const query = cutTo((asked.query.get('q') ?? '').trim(), longestQuery)
  const answer = await searchFor(visiting, query, asked.from)
  if (/\bjson\b/.test(asked.accept)) {
    return {
      status: 200,
      headers: { 'content-type': 'application/json; charset=utf-8' },
      body: JSON.stringify(answer),
      lasts: 'never',
    }
  }
  const profile = await profileOf(visiting)
  const siteSpace = profile.locate('')?.space
  const navigation = siteSpace && navigationOf(visiting, profile, siteSpace)
  const frame = await frameOf({ visiting, profile, assets, siteSpace, navigation, entry: undefined })
  return htmlAnswer(visiting, await renderSearchPage(frame, answer), { status: 200 })
}

async function searchFor(visiting: Visiting, query: string, from: string | undefined): Promise<SearchAnswer> {
  if (query === '') return { query, pages: [], near: [] }
  const pages = await searchPages(visiting, query, mostPages, from)
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

/** `from` is the path of the page that they search from. */
export async function searchPages(
  visiting: Visiting,
  query: string,
  limit: number,
  from?: string,
): Promise<SearchPage[]> {
  const { client, site } = visiting
  const params = { organizationId: site.organizationId, siteId: site.id }
  const profile = await profileOf(visiting)
  const near = nearSiteSpaces(profile, from === undefined ? undefined : siteSpaceAt(visiting, profile, from))
  const hasVariants = near.size < profile.structure.spaces.length
  // The same page stands in every version and language: more is looked at, to have enough of those near.
  const body = { query, limit: hasVariants ? Math.min(100, limit * 4) : limit, counted: false }
  const found = await client.searchSiteContent({ ...params, body })
  const hits = found.items.flatMap((hit) => {
    const siteSpace = hit.space === undefined ? undefined : profile.siteSpaceOf(hit.space)
    return siteSpace ? [{ hit, siteSpace }] : []
  })
  const wanted = hits.filter(({ siteSpace }) => near.has(siteSpace.id))
  const pages: SearchPage[] = []
  for (const { hit, siteSpace } of (wanted.length > 0 ? wanted : hits).slice(0, limit))
    pages.push(await present(visiting, profile, siteSpace, hit, { query, isFar: !near.has(siteSpace.id) }))
  return pages
}

function siteSpaceAt({ site }: Visiting, profile: Profile, from: string): ServedSpace | undefined {
  if (!from.startsWith(site.basePath)) return undefined
  const path = from.slice(site.basePath.length).split('/').map(decodeSegment).join('/')
  return profile.locate(path)?.space
}

/** Of each section one variant: where the reader is, else the one in their language, else the default. */
function nearSiteSpaces({ structure }: Profile, here: ServedSpace | undefined): ReadonlySet<string> {
  const near = new Map<string | null, ServedSpace>()
  const language = here?.about.space.language
  const rankOf = (siteSpace: ServedSpace): number =>
    siteSpace.id === here?.id
      ? 0
      : language !== undefined && siteSpace.about.space.language === language
        ? 1
        : siteSpace.isDefault
          ? 2
          : 3
  for (const siteSpace of structure.spaces) {
    const chosen = near.get(siteSpace.sectionId)
    if (!chosen || rankOf(siteSpace) < rankOf(chosen)) near.set(siteSpace.sectionId, siteSpace)
  }
  return new Set([...near.values()].map((siteSpace) => siteSpace.id))
}

type Hit = Awaited<ReturnType<Visiting['client']['searchSiteContent']>>['items'][number]

async function present(
  visiting: Visiting,
  profile: Profile,
  siteSpace: ServedSpace,
  hit: Hit,
  { query, isFar }: { query: string; isFar: boolean },
): Promise<SearchPage> {
  const known = await navigationOf(visiting, profile, siteSpace).known(visiting, hit.id)
  const href = known?.href ?? hrefBelow(visiting.site.basePath, profile.pageAddressesOf(siteSpace)(hit.path))
  const section = profile.structure.sections.find((one) => one.id === siteSpace.sectionId)
  const path = [
    ...(profile.structure.sections.length > 1 && section ? [section.about.title] : []),
    ...(isFar ? [siteSpace.about.title] : []),
    ...(known?.above ?? []),
  ]
  const own = hit.sections.find((part) => part.id === '')
  return {
    title: highlightTitle(hit.title, query),
    href,
    ...(known?.page.icon === undefined ? {} : { icon: known.page.icon }),
    ...(known?.page.emoji === undefined ? {} : { emoji: known.page.emoji }),
    path,
    snippet: own ? cut(own.body, own.highlights ?? []) : [],
    sections: hit.sections
      .filter((part) => part.id !== '')
      .map((part) => ({
        title: highlightTitle(part.title, query),
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
function highlightTitle(title: string, query: string): Snippet {
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
