/**
 * Whether the content of a space is whole, and what is derived from it agrees: every node, document and file that main and
 * the open change requests need is there, the indexes over the pages, the links and the search say what the pages say.
 */

import type { BlobReader } from '../../core/blobs.ts'
import { same } from '../../core/diff/equal.ts'
import { type Content, childKeyOf, slugKeyOf } from '../../core/revision/content.ts'
import { entries } from '../../core/revision/map.ts'
import type { FileRecord, PageRecord, ReusableRecord } from '../../core/revision/records.ts'
import { piecesOf } from '../../core/search/entries.ts'
import { openRevisions } from '../../store/content/change-requests.ts'
import { type ContentReader, readContent } from '../../store/content/content.ts'
import { type LinkRow, linksOfSpace } from '../../store/content/links.ts'
import { findRevision } from '../../store/content/revisions.ts'
import { findSpace, type SpaceRow } from '../../store/content/spaces.ts'
import type { Connection } from '../../store/database.ts'
import { countIndexed, countIndexedPages, indexedPages } from '../../store/search-index/inspect.ts'
import { listSpaceIds } from '../../store/upkeep/rebuild.ts'
import { linksOf } from './links/link-status.ts'
import { searchable } from './write/publish.ts'

interface Checking {
  db: Connection
  blobs: BlobReader
  space: SpaceRow
  appUrl: string
  reader: ContentReader
  problems: string[]
  /** Whether documents are read, and links and search compared with them word by word, or only counted. */
  deep: boolean
  /** Links and search are being made again by a job: they are not held against the content. */
  isRebuilding?: boolean
}

export async function findContentProblems(parts: Omit<Checking, 'reader' | 'problems'>): Promise<string[]> {
  const { db, space } = parts
  const checking: Checking = { ...parts, reader: readContent(db), problems: [] }
  const main = await wholeRevision(checking, space.revisionId, 'main')
  for (const { number, revisionId } of await openRevisions(db, { spaceId: space.id }))
    await wholeRevision(checking, revisionId, `change request ${number}`)
  // A deleted space is in no index until it comes back, and a fresh copy until its job is done.
  if (main && space.deletedAt === null && space.indexedUpTo === null && !parts.isRebuilding) {
    if (parts.deep) await checkLinks(checking, main.content, main.pages)
    await (parts.deep ? checkSearch : countSearch)(checking, main.pages)
  }
  return checking.problems.map((problem) => `Space ${space.id}: ${problem}`)
}

/** The files that the main content and the open change requests of every space refer to, by the hash of their bytes. */
export async function* filesOfContent(db: Connection): AsyncGenerator<string> {
  const reader = readContent(db)
  for (let after = ''; ; ) {
    const spaces = await listSpaceIds(db, { after, limit: 100 })
    for (const { id } of spaces) {
      const space = await findSpace(db, { id })
      const open = await openRevisions(db, { spaceId: id })
      for (const revisionId of [...(space ? [space.revisionId] : []), ...open.map((request) => request.revisionId)]) {
        const revision = await findRevision(db, { id: revisionId, spaceId: id })
        if (!revision) continue
        for (const [, file] of await entries<FileRecord>(reader, revision.content.files)) yield file.blob
      }
    }
    const last = spaces.at(-1)
    if (!last) return
    after = last.id
  }
}

async function wholeRevision(checking: Checking, id: string, name: string) {
  const { db, space, reader, blobs, problems } = checking
  try {
    const revision = await findRevision(db, { id, spaceId: space.id })
    if (!revision) throw new Error(`the revision ${id} is missing.`)
    const { content } = revision
    const pages = (await entries<PageRecord>(reader, content.pages)).map(([, page]) => page)
    const reusable = (await entries<ReusableRecord>(reader, content.reusable)).map(([, record]) => record)
    const documents = checking.deep ? [...pages, ...reusable] : []
    for (const { document } of documents) if (document !== undefined) await reader.document(document)
    for (const [, file] of await entries<FileRecord>(reader, content.files))
      if ((await blobs.size(file.blob)) === undefined)
        problems.push(`${name}: the bytes of the file ${file.id} are gone.`)
    await checkIndexes(checking, content, pages, name)
    return { content, pages }
  } catch (error) {
    problems.push(`${name}: ${error instanceof Error ? error.message : error}`)
    return undefined
  }
}

/** The order of pages and their slugs are maps of their own, and say what the pages say. */
async function checkIndexes(
  { reader, problems }: Checking,
  content: Content,
  pages: readonly PageRecord[],
  name: string,
) {
  const children = (await entries(reader, content.children)).map(([key]) => key)
  const slugs = await entries<string>(reader, content.slugs)
  const wantedSlugs = pages.flatMap((page) => (page.slug === undefined ? [] : [`${slugKeyOf(page)} ${page.id}`]))
  if (!same(children, pages.map(childKeyOf).sort()))
    problems.push(`${name}: the order of pages does not fit the pages.`)
  if (!same(slugs.map(([key, id]) => `${key} ${id}`).sort(), wantedSlugs.sort()))
    problems.push(`${name}: the slugs do not fit the pages.`)
}

async function checkLinks(
  { db, space, appUrl, reader, problems }: Checking,
  content: Content,
  pages: readonly PageRecord[],
) {
  const context = { db, reader, content, spaceId: space.id, organizationId: space.organizationId, appUrl }
  const known = new Map<string, string[]>()
  for (const row of await linksOfSpace(db, { spaceId: space.id }))
    known.set(row.pageId, [...(known.get(row.pageId) ?? []), factsOf(row)])
  for (const page of pages) {
    const wanted = (await linksOf(context, page)).map(factsOf)
    if (!same(wanted.sort(), (known.get(page.id) ?? []).sort()))
      problems.push(`the links of the page ${page.id} do not fit it.`)
    known.delete(page.id)
  }
  for (const page of known.keys()) problems.push(`there are links of the page ${page}, which is gone.`)
}

/** What a link says, without its status where that depends on other spaces and people, who come and go by themselves. */
function factsOf({ position, kind, target, status }: LinkRow): string {
  const isInside = ['page', 'anchor', 'file', 'reusable-content', 'url'].includes(kind)
  return [position, kind, target, isInside ? status : ''].join(' ')
}

/** Whether the index lags behind: a restore leaves it out, and a job makes it again. */
async function countSearch({ db, space, problems }: Checking, pages: readonly PageRecord[]) {
  const wanted = pages.filter(({ type }) => type === 'document').length
  const found = await countIndexedPages(db, space.id)
  if (found !== wanted) problems.push(`the search knows ${found} of ${wanted} pages.`)
}

async function checkSearch({ db, space, reader, problems }: Checking, pages: readonly PageRecord[]) {
  const missing = new Map(pages.filter(({ type }) => type === 'document').map((page) => [page.id, page]))
  let sections = 0
  for await (const { pageId, title, hidden, entries: found } of indexedPages(db, space.id)) {
    const page = missing.get(pageId)
    sections += found.length
    if (!page) {
      problems.push(`the search finds the page ${pageId}, which is gone or there twice.`)
      continue
    }
    missing.delete(pageId)
    const wanted = await searchable(reader, page)
    const isSame = title === wanted.title && hidden === wanted.hidden && same(found, piecesOf(wanted))
    if (!isSame) problems.push(`the search has another text of the page ${pageId}.`)
  }
  for (const page of missing.keys()) problems.push(`the search does not find the page ${page}.`)
  const indexed = await countIndexed(db, space.id)
  if (indexed !== sections)
    problems.push(`the search knows the words of ${indexed} sections and the text of ${sections}.`)
}
