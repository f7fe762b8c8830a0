/** The sitemap of a website: one document, or an index of several. */
import { SaxesParser } from 'saxes'
import { FetchError } from '../../platform/fetch.ts'
import type { SourceReading } from './read-source.ts'

const mostSitemaps = 20

/** Addresses below the prefix, in the order in which the sitemap names them. */
export async function readSitemap(
  { fetch, signal, limits }: SourceReading,
  { robots, prefix, start }: { robots: { sitemaps: string[] }; prefix: string; start: string },
): Promise<string[]> {
  const waiting =
    robots.sitemaps.length > 0 ? [...robots.sitemaps] : [`${prefix}sitemap.xml`, new URL('/sitemap.xml', start).href]
  const seen = new Set<string>()
  const found: string[] = []
  while (waiting.length > 0 && seen.size < mostSitemaps && found.length < limits.pages * 2) {
    const address = waiting.shift() ?? ''
    if (seen.has(address) || !URL.canParse(address)) continue
    seen.add(address)
    const text = await fetch(address, { signal }).then(
      ({ bytes }) => new TextDecoder().decode(bytes),
      (error: unknown) => {
        if (error instanceof FetchError) return ''
        throw error
      },
    )
    const { pages, sitemaps } = addressesIn(text)
    waiting.push(...sitemaps)
    found.push(...pages.filter((url) => URL.canParse(url) && `${url}/`.startsWith(prefix)))
  }
  return found
}

function addressesIn(xml: string): { pages: string[]; sitemaps: string[] } {
  const pages: string[] = []
  const sitemaps: string[] = []
  if (!/<(urlset|sitemapindex)\b/.test(xml)) return { pages, sitemaps }
  const parser = new SaxesParser()
  let inside = ''
  let text = ''
  parser.on('error', () => {})
  parser.on('opentag', ({ name }) => {
    if (name === 'url' || name === 'sitemap') inside = name
    text = ''
  })
  parser.on('text', (part) => {
    text += part
  })
  parser.on('cdata', (part) => {
    text += part
  })
  parser.on('closetag', ({ name }) => {
    if (name === 'loc' && inside === 'url') pages.push(text.trim())
    if (name === 'loc' && inside === 'sitemap') sitemaps.push(text.trim())
  })
  parser.write(xml).close()
  return { pages, sitemaps }
}
