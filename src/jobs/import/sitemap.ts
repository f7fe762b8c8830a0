/** The sitemap of a website: one document, or an index of several. */
import { FetchError } from '../../platform/fetch.ts'
import { ThreadError } from '../../threads/pool.ts'
import { parseSitemap, type SitemapAddresses } from './parse.ts'
import type { SourceReading } from './read-source.ts'

const mostSitemaps = 20

/** Addresses below the prefix, in the order in which the sitemap names them. */
export async function readSitemap(
  reading: SourceReading,
  { robots, prefix, start }: { robots: { sitemaps: string[] }; prefix: string; start: string },
): Promise<string[]> {
  const waiting =
    robots.sitemaps.length > 0 ? [...robots.sitemaps] : [`${prefix}sitemap.xml`, new URL('/sitemap.xml', start).href]
  const seen = new Set<string>()
  const found: string[] = []
  const mostPages = reading.limits.pages * 2
  while (waiting.length > 0 && seen.size < mostSitemaps && found.length < mostPages) {
    const address = waiting.shift() ?? ''
    if (seen.has(address) || !URL.canParse(address)) continue
    seen.add(address)
    const { pages, sitemaps } = await addressesAt(reading, address, { prefix, most: mostPages - found.length })
    waiting.push(...sitemaps)
    found.push(...pages)
  }
  return found
}

const none: SitemapAddresses = { pages: [], sitemaps: [] }

async function addressesAt(
  { fetch, threads, signal, onFailure }: SourceReading,
  address: string,
  wanted: { prefix: string; most: number },
): Promise<SitemapAddresses> {
  try {
    const { bytes } = await fetch(address, { signal })
    return await parseSitemap(threads, { sitemap: bytes, ...wanted }, signal)
  } catch (error) {
    if (error instanceof FetchError) return none
    if (!(error instanceof ThreadError) || error.code === 'stopped') throw error
    onFailure(address, 'It takes too much time or memory to read.')
    return none
  }
}
