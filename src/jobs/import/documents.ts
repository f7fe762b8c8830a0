/** Text documents (Word, Google Docs): each is a page, or several where it has several first-level headings. */

import { fail } from '../../core/errors.ts'
import { assemble, type FoundPage } from '../../core/import/assemble.ts'
import { splitByHeadings } from '../../core/import/split.ts'
import type { ImportedFile, ImportedTree } from '../../core/import/tree.ts'
import { type ArrangedPage, titleOfPath } from '../../core/repository/arrange.ts'
import { cutTo } from '../../core/text.ts'
import { blobName, readAll } from '../../domain/import/store-file.ts'
import { bytesFile } from './bytes-file.ts'
import { filesShown, isHtml, pathOfUrl, unique, urlOfPath } from './html-files.ts'
import { eachOf, type ParsedPage, parsePage } from './parse.ts'
import type { FileReading } from './read-source.ts'

const mostBytes = 100 * 1024 * 1024

export async function readDocuments(reading: FileReading, files: readonly ImportedFile[]): Promise<ImportedTree> {
  const { source, threads, limits, signal, onProgress, onFailure, origin } = reading
  const isOne = !reading.isArchive
  const isDocument = (path: string): boolean => isOne || (source === 'docx' ? /\.docx$/i.test(path) : isHtml(path))
  const documents = files.filter(({ path }) => isDocument(path))
  const images: ImportedFile[] = []
  const read = new Map<string, ParsedPage & { oid: string }>()
  let done = 0
  await eachOf(documents, { width: 2, signal }, async (file) => {
    const bytes = await readAll(file, mostBytes)
    const format = source === 'docx' ? ('docx' as const) : ('html' as const)
    const dialect = source === 'docx' ? ('word' as const) : ('google-docs' as const)
    const base = source === 'docx' ? undefined : urlOfPath(file.path)
    const page = await parsePage(threads, { path: file.path, bytes, format, dialect, base }, signal)
    onProgress(++done, documents.length)
    if ('problem' in page) return onFailure(file.path, page.problem)
    read.set(file.path, { ...page, oid: blobName(bytes) })
    for (const image of page.images) images.push(bytesFile(image.path, image.bytes))
  })
  const pages: FoundPage[] = []
  const arrangement: ArrangedPage[] = []
  const used = new Set<string>()
  for (const { path } of documents) {
    const page = read.get(path)
    if (page) arrangement.push(addDocument(path, page, { pages, used }))
  }
  if (pages.length > limits.pages)
    throw fail('invalid_input', `There are ${pages.length} pages; an import takes at most ${limits.pages}.`)
  return assemble({
    origin,
    pages,
    files: filesShown(files, images, pages),
    navigation: [],
    arrangement,
    normaliseUrl: (url) => (pathOfUrl(url) === undefined ? url : urlOfPath(pathOfUrl(url) ?? '')),
    spellOther: (url) => url,
  })
}

function addDocument(
  path: string,
  { document, title, oid }: ParsedPage & { oid: string },
  { pages, used }: { pages: FoundPage[]; used: Set<string> },
): ArrangedPage {
  const name = unique(path.replace(/\.\w+$/, '').replace(/\//g, '-') || 'document', used)
  const { front, parts } = splitByHeadings(document, (part) => `${name}/${part}.md`)
  const add = (path: string, page: FoundPage['page'], url = urlOfPath(path)): ArrangedPage => {
    pages.push({ url, path, oid: cutTo(`${oid}${path === `${name}.md` ? '' : path}`, 200), page })
    return { type: 'document', title: page.title ?? '', isNamed: false, path, children: [] }
  }
  const whole = add(`${name}.md`, { document: front, title: title ?? titleOfPath(`${name}.md`) }, urlOfPath(path))
  const children = parts.map((part) => add(`${name}/${part.name}.md`, { document: part.document, title: part.title }))
  return { ...whole, children }
}
