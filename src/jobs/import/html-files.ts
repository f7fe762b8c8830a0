/** An archive of pages of HTML, or one page: the files they show come along, the rest stays where it is. */

import { fail } from '../../core/errors.ts'
import { assemble, type FoundPage, fileUrlsIn } from '../../core/import/assemble.ts'
import type { DialectName } from '../../core/import/dialects.ts'
import type { NavigationEntry } from '../../core/import/navigation.ts'
import type { ImportedFile, ImportedTree } from '../../core/import/tree.ts'
import type { ArrangedPage } from '../../core/repository/arrange.ts'
import { blobName, readAll } from '../../domain/import/store-file.ts'
import { bytesFile } from './bytes-file.ts'
import { eachOf, type ParsedPage, parsePage } from './parse.ts'
import type { FileReading } from './read-source.ts'

/** Files of an archive have addresses like those of a website, which lead nowhere. */
const host = 'http://archive.invalid/'

export const urlOfPath = (path: string): string => host + path.split('/').map(encodeURIComponent).join('/')

/** The path in the archive that an address names. */
export function pathOfUrl(url: string): string | undefined {
  if (!url.startsWith(host)) return undefined
  try {
    return decodeURIComponent(new URL(url).pathname.slice(1)).normalize('NFC')
  } catch {
    return undefined
  }
}

export const isHtml = (path: string): boolean => /\.x?html?$/i.test(path)

export interface HtmlOptions {
  dialect?: DialectName
  /** Pages of the archive that are none of the docs. */
  isPage?: (path: string) => boolean
  /** What a page is called, by its path and title. */
  nameOf?: (path: string) => string
  titleOf?: (title: string | undefined, path: string) => string | undefined
  arrange?: (
    pages: readonly (FoundPage & { from: string })[],
    parsed: ReadonlyMap<string, ParsedPage>,
  ) => ArrangedPage[] | undefined
}

export async function readHtmlFiles(
  reading: FileReading,
  files: readonly ImportedFile[],
  {
    dialect = 'plain',
    isPage = () => true,
    nameOf = markdownName,
    titleOf = (title) => title,
    arrange,
  }: HtmlOptions = {},
): Promise<ImportedTree> {
  const { limits, signal, onProgress, onFailure, origin } = reading
  const isOne = !reading.isArchive
  const sources = files.filter(({ path }) => (isOne || isHtml(path)) && isPage(path))
  if (sources.length > limits.pages)
    throw fail('invalid_input', `There are ${sources.length} pages; an import takes at most ${limits.pages}.`)
  const parsed = new Map<string, ParsedPage>()
  const pages: (FoundPage & { from: string })[] = []
  const images: ImportedFile[] = []
  const names = new Set<string>()
  let done = 0
  await eachOf(sources, { width: 4, signal }, async (file) => {
    const page = await readOne(reading, file, dialect)
    onProgress(++done, sources.length)
    if ('problem' in page) return onFailure(file.path, page.problem)
    parsed.set(file.path, page)
    for (const image of page.images) images.push(bytesFile(image.path, image.bytes))
  })
  for (const { path } of sources) {
    const page = parsed.get(path)
    if (!page) continue
    const { document, description, oid } = page as ParsedPage & { oid: string }
    const title = titleOf(page.title, path)
    pages.push({
      from: path,
      url: urlOfPath(path),
      path: unique(nameOf(path), names),
      oid,
      page: { document, title, ...(description === undefined ? {} : { fields: { description } }) },
    })
  }
  return assemble({
    origin,
    pages,
    files: filesShown(files, images, pages),
    navigation: navigationOf(pages, parsed),
    arrangement: arrange?.(pages, parsed),
    normaliseUrl: (url) => (pathOfUrl(url) === undefined ? url : urlOfPath(pathOfUrl(url) ?? '')),
    spellOther: (url) => (url.startsWith(host) ? `/${url.slice(host.length)}` : url),
  })
}

async function readOne(
  { threads, signal }: FileReading,
  file: ImportedFile,
  dialect: DialectName,
): Promise<(ParsedPage & { oid: string }) | { problem: string }> {
  if (file.size > mostPageBytes) return { problem: `It is larger than ${mostPageBytes / 1024 / 1024} MiB.` }
  const bytes = await readAll(file, mostPageBytes)
  const oid = blobName(bytes)
  const page = await parsePage(
    threads,
    { path: file.path, bytes, format: 'html', dialect, base: urlOfPath(file.path) },
    signal,
  )
  return 'problem' in page ? page : { ...page, oid }
}

/** Pages with their pictures inside can be large. */
const mostPageBytes = 25 * 1024 * 1024

/** Files that pages show or link to, by address, and pictures that were inside of pages. */
export function filesShown(
  files: readonly ImportedFile[],
  images: readonly ImportedFile[],
  pages: readonly FoundPage[],
): Map<string, ImportedFile> {
  const known = new Map(files.map((file) => [urlOfPath(file.path), file]))
  const shown = new Map<string, ImportedFile>()
  const taken = new Set(pages.map(({ url }) => url))
  for (const { page } of pages) {
    for (const { url } of fileUrlsIn(page.document)) {
      const path = pathOfUrl(url.replace(/[?#].*$/s, ''))
      const address = path === undefined ? '' : urlOfPath(path)
      const file = known.get(address)
      if (file && !taken.has(address)) shown.set(address, file)
    }
  }
  for (const image of images) shown.set(`/${image.path}`, image)
  return shown
}

/** That of the page at the top which has one. */
function navigationOf(pages: readonly { from: string }[], parsed: ReadonlyMap<string, ParsedPage>): NavigationEntry[] {
  const byDepth = [...pages].sort((a, b) => depthOf(a.from) - depthOf(b.from))
  return byDepth.map(({ from }) => parsed.get(from)?.navigation ?? []).find((entries) => entries.length > 0) ?? []
}

const depthOf = (path: string): number => path.split('/').length * 2 - (/(^|\/)index\.\w+$/i.test(path) ? 1 : 0)

function markdownName(path: string): string {
  const name = `${path.replace(/\.x?html?$/i, '')}.md`
  return name === 'index.md' ? 'README.md' : name
}

export function unique(name: string, used: Set<string>): string {
  let free = name
  for (let n = 1; used.has(free.toLowerCase()); n++) free = name.replace(/(\.md)?$/, `-${n}$1`)
  used.add(free.toLowerCase())
  return free
}
