/** What a sitemap says, as strangers write it. */
import { SaxesParser } from 'saxes'
import type { SitemapAddresses, SitemapTask } from './parse.ts'

/** How many others an index of sitemaps may name. */
const mostSitemaps = 100
/** As long as browsers and servers bear. */
const longest = 2048

export function addressesIn({ sitemap, prefix, most }: SitemapTask): SitemapAddresses {
  const pages: string[] = []
  const sitemaps: string[] = []
  const xml = new TextDecoder().decode(sitemap)
  if (!/<(urlset|sitemapindex)\b/.test(xml)) return { pages, sitemaps }
  const parser = new SaxesParser()
  let inside = ''
  let text = ''
  const add = (address: string): void => {
    if (address.length > longest || !URL.canParse(address)) return
    if (inside === 'sitemap' && sitemaps.length < mostSitemaps) sitemaps.push(address)
    if (inside === 'url' && pages.length < most && `${address}/`.startsWith(prefix)) pages.push(address)
  }
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
    if (name === 'loc') add(text.trim())
  })
  parser.write(xml).close()
  return { pages, sitemaps }
}
