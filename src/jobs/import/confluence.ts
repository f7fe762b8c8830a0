/** The export of a Confluence space: as HTML, where `index.html` has the tree of pages, or as XML (`entities.xml`). */

import { fail } from '../../core/errors.ts'
import type { FoundPage } from '../../core/import/assemble.ts'
import { assemble } from '../../core/import/assemble.ts'
import { readExport } from '../../core/import/confluence-entities.ts'
import type { PageListEntry } from '../../core/import/confluence-index.ts'
import type { ImportedFile, ImportedTree } from '../../core/import/tree.ts'
import type { ArrangedPage } from '../../core/repository/arrange.ts'
import { maxDepth } from '../../core/revision/content.ts'
import { slugify } from '../../core/text.ts'
import { blobName, readAll } from '../../domain/import/store-file.ts'
import { ThreadError } from '../../threads/pool.ts'
import { readHtmlFiles, unique } from './html-files.ts'
import { eachOf, parsePage, parsePageList } from './parse.ts'
import type { FileReading } from './read-source.ts'

const mostIndexBytes = 32 * 1024 * 1024

export async function readConfluence(reading: FileReading, files: readonly ImportedFile[]): Promise<ImportedTree> {
  const entities = files.find(({ path }) => /(^|\/)entities\.xml$/.test(path))
  return entities ? readXml(reading, files, entities) : readHtml(reading, files)
}

async function* textsOf(file: ImportedFile): AsyncIterable<string> {
  const decoder = new TextDecoder()
  for await (const part of file.open()) yield decoder.decode(part, { stream: true })
  yield decoder.decode()
}

async function readHtml(reading: FileReading, files: readonly ImportedFile[]): Promise<ImportedTree> {
  const index = files.find(({ path }) => /(^|\/)index\.html$/.test(path))
  const list = index ? await listIn(reading, index) : []
  const folder = index ? index.path.slice(0, index.path.lastIndexOf('/') + 1) : ''
  return readHtmlFiles(reading, files, {
    dialect: 'confluence',
    isPage: (path) => path !== index?.path,
    // `Getting-started_98765.html`: a name, then the number of the page.
    nameOf: (path) => `${path.slice(folder.length).replace(/(_\d+)?\.html$/i, '')}.md`,
    titleOf: (title) => title?.replace(/^[^:]{1,200} : /, ''),
    arrange: (pages) => {
      const paths = new Map(pages.map(({ from, path }) => [from, path]))
      const arranged = (entries: readonly PageListEntry[], depth: number): ArrangedPage[] =>
        entries.flatMap(({ title, href, children }) => {
          const path = paths.get(folder + href)
          const below = arranged(children, depth < maxDepth ? depth + 1 : depth)
          if (path === undefined) return below
          const page: ArrangedPage = { type: 'document', title, isNamed: false, path, children: [] }
          return depth < maxDepth ? [{ ...page, children: below }] : [page, ...below]
        })
      return arranged(list, 1)
    },
  })
}

/** Without it, pages are arranged by their files. */
async function listIn({ threads, signal, onFailure }: FileReading, index: ImportedFile): Promise<PageListEntry[]> {
  if (index.size > mostIndexBytes) {
    onFailure(index.path, 'It is larger than 32 MiB.')
    return []
  }
  try {
    return await parsePageList(threads, await readAll(index, mostIndexBytes), signal)
  } catch (error) {
    if (!(error instanceof ThreadError) || error.code === 'stopped') throw error
    onFailure(index.path, 'It takes too much time or memory to read.')
    return []
  }
}

async function readXml(
  reading: FileReading,
  files: readonly ImportedFile[],
  entities: ImportedFile,
): Promise<ImportedTree> {
  const { threads, signal, limits, onProgress, onFailure, origin } = reading
  const found = await readExport(textsOf(entities), { pages: limits.pages }).catch((error: unknown) => {
    throw fail('invalid_input', error instanceof Error ? error.message : 'The export cannot be read.')
  })
  const used = new Set<string>()
  const paths = new Map<string, string>()
  const pagesBelow = gather(found.pages, ({ parent }) => parent)
  const attachmentsOf = gather(found.attachments, ({ page }) => page)
  const placeBelow = (parent: string | undefined, above: string): void => {
    for (const page of pagesBelow.get(parent) ?? []) {
      const name = unique(`${above}${slugify(page.title) || 'page'}`, used)
      paths.set(page.id, `${name}.md`)
      placeBelow(page.id, `${name}/`)
    }
  }
  placeBelow(undefined, '')
  const titles = Object.fromEntries(
    found.pages.flatMap(({ id, title }) => (paths.has(id) ? [[title, paths.get(id) ?? '']] : [])),
  )
  const known = new Map(files.map((file) => [file.path, file]))
  const attached = new Map<string, ImportedFile>()
  const folder = entities.path.slice(0, -'entities.xml'.length)
  const filesOf = (id: string): Record<string, string> =>
    Object.fromEntries(
      (attachmentsOf.get(id) ?? []).flatMap((one) => {
        const file = known.get(`${folder}attachments/${id}/${one.id}/${one.version}`)
        if (!file) return []
        const path = `.gitbook/assets/${id}/${one.name}`
        attached.set(`/${path}`, { ...file, path })
        return [[one.name, path]]
      }),
    )
  const pages: FoundPage[] = []
  let done = 0
  await eachOf(found.pages, { width: 4, signal }, async ({ id, title, body }) => {
    const path = paths.get(id)
    if (path === undefined) return
    const bytes = Buffer.from(body)
    const targets = { pages: titles, files: filesOf(id) }
    const page = await parsePage(threads, { path, bytes, format: 'storage', dialect: 'confluence', targets }, signal)
    onProgress(++done, found.pages.length)
    if ('problem' in page) return onFailure(title, page.problem)
    pages.push({ url: `/${path}`, path, oid: blobName(bytes), page: { document: page.document, title } })
  })
  const read = new Set(pages.map(({ path }) => path))
  const arranged = (parent: string | undefined, depth: number): ArrangedPage[] =>
    (pagesBelow.get(parent) ?? []).flatMap(({ id, title }) => {
      const path = paths.get(id)
      const below = arranged(id, depth < maxDepth ? depth + 1 : depth)
      if (path === undefined || !read.has(path)) return below
      const page: ArrangedPage = { type: 'document', title, isNamed: false, path, children: [] }
      return depth < maxDepth ? [{ ...page, children: below }] : [page, ...below]
    })
  return assemble({
    origin,
    pages,
    files: attached,
    navigation: [],
    arrangement: arranged(undefined, 1),
    normaliseUrl: (url) => url,
    spellOther: (url) => url,
  })
}

function gather<T, Key>(items: readonly T[], keyOf: (item: T) => Key): Map<Key, T[]> {
  const groups = new Map<Key, T[]>()
  for (const item of items) {
    const group = groups.get(keyOf(item))
    if (group) group.push(item)
    else groups.set(keyOf(item), [item])
  }
  return groups
}
