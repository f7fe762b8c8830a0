/**
 * `sitemap.xml`: every page that search engines may list, as someone sees the site of whom nothing is known. Above the
 * protocol's limit it is an index of parts, `sitemap-1.xml` and so on.
 */
import { spacesIn } from '../../../core/site-structure.ts'
import { type Profile, profileOf } from '../profile.ts'
import type { Answered, Asked, Visiting } from '../visiting.ts'
import { allListedPages, type Listed } from './pages.ts'
import { nothingHere, textAnswer, xmlText } from './text-answer.ts'

/** The most that one file may hold. */
const partLength = 50_000
const partName = /^sitemap-([1-9]\d{0,3})\.xml$/

export const isSitemapPart = (name: string): boolean => partName.test(name)

export async function answerSitemap(visiting: Visiting, { path }: Asked): Promise<Answered> {
  const { site } = visiting
  if (site.noIndex) return nothingHere
  const profile = await profileOf(visiting)
  const pages = await allListedPages(visiting, profile)
  const part = partName.exec(path[0] ?? '')?.[1]
  const body = part === undefined ? wholeMap(site.root, profile, pages) : partOf(profile, pages, Number(part))
  return body === undefined ? nothingHere : textAnswer(site, 'application/xml', body)
}

export function wholeMap(root: string, profile: Profile, pages: readonly Listed[], length = partLength): string {
  if (pages.length <= length) return mapOf(profile, pages, pages)
  const parts = Array.from({ length: Math.ceil(pages.length / length) }, (_, index) => index + 1)
  const entries = parts.map((part) => `<sitemap><loc>${xmlText(`${root}/sitemap-${part}.xml`)}</loc></sitemap>`)
  return `${head}<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n${entries.join('\n')}\n</sitemapindex>\n`
}

export function partOf(
  profile: Profile,
  pages: readonly Listed[],
  part: number,
  length = partLength,
): string | undefined {
  const some = pages.slice((part - 1) * length, part * length)
  return some.length === 0 || pages.length <= length ? undefined : mapOf(profile, pages, some)
}

const head = '<?xml version="1.0" encoding="UTF-8"?>\n'

function mapOf(profile: Profile, all: readonly Listed[], some: readonly Listed[]): string {
  const translations = translationsOf(profile, all)
  const entries = some.map((listed) => {
    const { page, url } = listed
    const changed = page.updatedAt === undefined ? '' : `<lastmod>${xmlText(page.updatedAt)}</lastmod>`
    return `<url><loc>${xmlText(url)}</loc>${changed}${translations(listed)}</url>`
  })
  const space = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:xhtml="http://www.w3.org/1999/xhtml"'
  return `${head}<urlset ${space}>\n${entries.join('\n')}\n</urlset>\n`
}

/**
 * Pages at one path of spaces in different languages that stand side by side are translations of each other, and so are
 * the pages that open them.
 */
function translationsOf({ structure }: Profile, pages: readonly Listed[]): (listed: Listed) => string {
  const language = ({ siteSpace }: Listed): string | undefined => siteSpace.about.space.language
  const manifold = new Set(
    structure.spaces
      .filter(({ sectionId }) => {
        const tongues = spacesIn(structure, sectionId).map((siteSpace) => siteSpace.about.space.language)
        return new Set(tongues).size > 1
      })
      .map((siteSpace) => siteSpace.id),
  )
  if (manifold.size === 0) return () => ''
  const keyOf = ({ siteSpace, page, isFirst }: Listed): string => `${siteSpace.sectionId} ${isFirst ? '' : page.path}`
  const together = new Map<string, Listed[]>()
  for (const listed of pages) {
    if (!manifold.has(listed.siteSpace.id)) continue
    const others = together.get(keyOf(listed)) ?? []
    if (!others.some((other) => language(other) === language(listed))) together.set(keyOf(listed), [...others, listed])
  }
  return (listed) => {
    const all = manifold.has(listed.siteSpace.id) ? (together.get(keyOf(listed)) ?? []) : []
    if (all.length < 2 || !all.includes(listed)) return ''
    return all
      .map(
        (one) =>
          `<xhtml:link rel="alternate" hreflang="${xmlText(language(one) ?? 'x-default')}" href="${xmlText(one.url)}"/>`,
      )
      .join('')
  }
}
