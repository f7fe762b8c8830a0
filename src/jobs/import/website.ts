/**
 * A website: the pages that its sitemap names below the address, or that its links lead to, as far as its robots.txt lets
 * programs go. Pictures and files come along; links between pages that came in become links between them.
 */

import robotsParser from 'robots-parser'
import { fail } from '../../core/errors.ts'
import { assemble, type FoundPage, fileUrlsIn } from '../../core/import/assemble.ts'
import type { ImportedFile, ImportedTree } from '../../core/import/tree.ts'
import { cutTo } from '../../core/text.ts'
import { blobName } from '../../domain/import/store-file.ts'
import { FetchError, type Fetched } from '../../platform/fetch.ts'
import { TimeSlices } from '../../store/time-slices.ts'
import { bytesFile } from './bytes-file.ts'
import { unique } from './html-files.ts'
import { nameOfUrl } from './name-of-url.ts'
import { eachOf, type ParsedPage, parsePage } from './parse.ts'
import type { SourceReading } from './read-source.ts'
import { readSitemap } from './sitemap.ts'

const agent = 'Lectern'
/** Requests at once to one site. */
const width = 4
const mostFileBytes = 25 * 1024 * 1024

interface Robots {
  isAllowed(url: string): boolean
  sitemaps: string[]
}

interface Crawled {
  url: string
  page: ParsedPage & { oid: string }
}

export async function crawlWebsite(reading: SourceReading): Promise<ImportedTree> {
  const start = normaliseUrl(reading.url)
  const robots = await robotsOf(reading, start)
  if (!robots.isAllowed(start)) throw fail('invalid_input', 'The robots.txt of the site asks programs not to read it.')
  const prefix = prefixOf(start)
  const crawl = new Crawl(reading, robots, prefix)
  await crawl.first(start)
  await crawl.addAll(await readSitemap(reading, { robots, prefix, start }))
  const pages = await crawl.run()
  const files = await fetchFiles(reading, robots, pages, crawl.bytesLeft)
  const [front] = pages
  const names = new Set<string>()
  const found = pages.map(({ url, page }): FoundPage => {
    const { description } = page
    return {
      url,
      path: unique(pathFor(url, prefix), names),
      oid: page.oid,
      page: {
        document: page.document,
        title: titleOf(page.title),
        ...(description ? { fields: { description } } : {}),
      },
    }
  })
  return assemble({
    origin: reading.origin,
    pages: found,
    files,
    navigation: front?.page.navigation ?? [],
    normaliseUrl,
    spellOther: (url) => url,
  })
}

/** Titles of websites end in the name of the site. */
const titleOf = (title: string | undefined): string | undefined =>
  title?.replace(/\s+[|·–—]\s+[^|·–—]{1,60}$/u, '').trim()

/** All below the folder of the address. */
function prefixOf(start: string): string {
  const { origin, pathname } = new URL(start)
  return origin + (/\.\w{2,5}$/.test(pathname) ? pathname.replace(/[^/]*$/, '') : pathname.replace(/\/?$/, '/'))
}

/** One spelling for the addresses of one page: without query, anchor, `index.html` and the last slash. */
function normaliseUrl(text: string): string {
  if (!URL.canParse(text)) return text
  const url = new URL(text)
  url.hash = ''
  if (!isFile(url.pathname)) {
    url.search = ''
    url.pathname = url.pathname.replace(/\/index\.x?html?$/i, '/').replace(/(.)\/+$/, '$1')
  }
  return url.href
}

const isFile = (path: string): boolean => /\.\w{2,5}$/.test(path) && !/\.(x?html?|php|aspx?|jsp)$/i.test(path)

const isBelow = (url: string, prefix: string): boolean => `${url}/`.startsWith(prefix)

function pathFor(url: string, prefix: string): string {
  const rest = `${url}/`.slice(prefix.length).replace(/\/+$/, '')
  const plain = rest.replace(/\.(x?html?|php|aspx?|jsp)$/i, '')
  let path = plain
  try {
    path = decodeURIComponent(plain)
  } catch {
    // Kept as it is spelt.
  }
  const clean = path
    .split('/')
    .filter((part) => !/^\.*$/.test(part))
    .map((part) => cutTo(part.replace(/[\u0000-\u001f\\]/g, '-'), 120))
    .join('/')
  return clean === '' ? 'README.md' : `${clean}.md`
}

/** Follows links and lists of pages, each page once, within the limits. */
class Crawl {
  readonly #reading: SourceReading
  readonly #robots: Robots
  readonly #prefix: string
  readonly #known = new Set<string>()
  readonly #waiting: string[] = []
  readonly #pages: Crawled[] = []
  bytesLeft: number

  constructor(reading: SourceReading, robots: Robots, prefix: string) {
    this.#reading = reading
    this.#robots = robots
    this.#prefix = prefix
    this.bytesLeft = reading.limits.bytes
  }

  async addAll(addresses: readonly string[]): Promise<void> {
    const slices = new TimeSlices()
    for (const address of addresses) {
      await slices.next()
      this.#add(address)
    }
  }

  #add(address: string): void {
    if (address.length > longestAddress) return
    const url = normaliseUrl(address)
    if (this.#known.has(url) || !isBelow(url, this.#prefix) || isFile(new URL(url).pathname)) return
    this.#known.add(url)
    if (this.#known.size > this.#reading.limits.pages) {
      if (this.#known.size === this.#reading.limits.pages + 1)
        this.#reading.onFailure(
          url,
          `Only ${this.#reading.limits.pages} pages are taken; this and further ones were left out.`,
        )
      return
    }
    if (this.#robots.isAllowed(url)) this.#waiting.push(url)
    else this.#reading.onFailure(url, 'The robots.txt of the site asks programs not to read it.')
  }

  /** The page at the address itself must be there. */
  async first(url: string): Promise<void> {
    this.#known.add(url)
    const problem = await this.#visit(url)
    if (problem !== undefined) throw fail('invalid_input', problem)
  }

  async run(): Promise<Crawled[]> {
    const { signal, onFailure } = this.#reading
    while (this.#waiting.length > 0) {
      const batch = this.#waiting.splice(0, 40)
      await eachOf(batch, { width, signal }, async (url) => {
        const problem = await this.#visit(url)
        if (problem !== undefined) onFailure(url, problem)
      })
    }
    return this.#pages
  }

  async #visit(url: string): Promise<string | undefined> {
    const { signal, onProgress } = this.#reading
    try {
      const answer = await this.#reading.fetch(url, { signal, bytes: Math.min(mostFileBytes, this.bytesLeft) })
      this.bytesLeft -= answer.bytes.length
      const problem = await this.#read(url, answer)
      onProgress(this.#pages.length, this.#known.size)
      return problem
    } catch (error) {
      if (error instanceof FetchError) return error.message
      throw error
    }
  }

  async #read(url: string, { bytes, contentType, url: landed }: Fetched): Promise<string | undefined> {
    const final = normaliseUrl(landed)
    if (!isBelow(final, this.#prefix) && this.#pages.length > 0) return 'It leads to another place.'
    // Two addresses of one page: it comes in once.
    if (final !== url && this.#known.has(final)) return undefined
    this.#known.add(final)
    if (contentType !== undefined && !/html/i.test(contentType))
      return `It is no page of HTML but ${cutTo(contentType, 100)}.`
    const task = {
      path: 'page.html',
      bytes,
      format: 'html' as const,
      dialect: 'plain' as const,
      base: landed,
      contentType,
    }
    const page = await parsePage(this.#reading.threads, task, this.#reading.signal)
    if ('problem' in page) return page.problem
    this.#pages.push({ url: final, page: { ...page, oid: blobName(bytes) } })
    await this.addAll(page.links)
    return undefined
  }
}

async function robotsOf({ fetch, signal }: SourceReading, start: string): Promise<Robots> {
  const address = new URL('/robots.txt', start).href
  const text = await fetch(address, { signal, bytes: 500_000 }).then(
    ({ bytes }) => new TextDecoder().decode(bytes),
    (error: unknown) => {
      if (error instanceof FetchError && error.code === 'FETCH_BLOCKED') throw fail('invalid_input', error.message)
      return ''
    },
  )
  // Its types tell of a default export, which a module of the older kind has not: it is the function itself.
  const rules = (robotsParser as unknown as typeof robotsParser.default)(address, boundRules(text))
  const isAllowed = (url: string): boolean => rules.isAllowed(url.slice(0, longestAddress), agent) !== false
  return { isAllowed, sitemaps: rules.getSitemaps() }
}

/** Of addresses that are asked for; what is longer is no page's, but made to be compared for long. */
const longestAddress = 2048
const mostRules = 5000
/** A wildcard costs as many steps as its rule and the address have characters, multiplied. */
const mostWildcards = 8000

/** What may be said of one site: rules beyond it are not compared with each of its addresses. */
function boundRules(robots: string): string {
  let wildcards = 0
  return robots
    .split(/\r\n|[\r\n]/)
    .filter((line) => line.length <= longestAddress)
    .slice(0, mostRules)
    .filter((line) => {
      if (line.includes('*') && /^\s*(?:dis)?allow/i.test(line)) wildcards += line.length
      return wildcards <= mostWildcards || !line.includes('*')
    })
    .join('\n')
}

/** Pictures wherever they lie, and files of the site itself that pages link to. */
async function fetchFiles(
  { fetch, signal, onFailure }: SourceReading,
  robots: Robots,
  pages: readonly Crawled[],
  bytes: number,
): Promise<Map<string, ImportedFile>> {
  const wanted = new Set<string>()
  for (const { url: home, page } of pages) {
    for (const { url, isImage } of fileUrlsIn(page.document)) {
      if (!/^https?:/i.test(url) || !URL.canParse(url)) continue
      const address = new URL(url)
      if (isImage || (isFile(address.pathname) && address.origin === new URL(home).origin))
        wanted.add(normaliseUrl(url))
    }
  }
  const files = new Map<string, ImportedFile>()
  const names = new Set<string>()
  const inside = new Map(pages.flatMap(({ page }) => page.images.map((image) => [`/${image.path}`, image] as const)))
  for (const [path, image] of inside) files.set(path, bytesFile(image.path, image.bytes))
  let left = bytes
  await eachOf([...wanted], { width, signal }, async (url) => {
    try {
      if (!robots.isAllowed(url))
        throw new FetchError('FETCH_BLOCKED', 'The robots.txt of the site asks programs not to read it.')
      if (left <= 0) throw new FetchError('TOO_LARGE', 'The import has reached its limit of bytes.')
      const answer = await fetch(url, { signal, bytes: Math.min(mostFileBytes, left) })
      left -= answer.bytes.length
      files.set(url, bytesFile(uniqueFile(`.gitbook/assets/${nameOfUrl(url)}`, names), answer.bytes))
    } catch (error) {
      if (!(error instanceof FetchError)) throw error
      onFailure(url, error.message)
    }
  })
  return files
}

function uniqueFile(path: string, used: Set<string>): string {
  let free = path
  for (let n = 1; used.has(free.toLowerCase()); n++) free = path.replace(/(\.\w+)?$/, `-${n}$1`)
  used.add(free.toLowerCase())
  return free
}
