/**
 * What follows when the main content of a space moves from one revision to the next, in the same transaction: old paths
 * go on leading to their pages, links and the search index agree with the new content. Only pages that changed are touched.
 */
import type { JSONDocument } from '../../../core/document/tree/nodes.ts'
import { specBlocksIn } from '../../../core/openapi/write-out.ts'
import type { Content } from '../../../core/revision/content.ts'
import { emptyContent, pageById } from '../../../core/revision/content.ts'
import { type Difference, diff } from '../../../core/revision/map-diff.ts'
import type { FileRecord, PageRecord, ReusableRecord } from '../../../core/revision/records.ts'
import { type Extract, searchedSections } from '../../../core/search/extract.ts'
import { type ContentReader, noteDocuments, openContent, readContent } from '../../../store/content/content.ts'
import { insertLinkRows } from '../../../store/content/link-rows.ts'
import { forgetLinks, type LinkRow, linksTo, replaceLinks } from '../../../store/content/links.ts'
import { putAlias } from '../../../store/content/revisions.ts'
import { updateSpace } from '../../../store/content/spaces.ts'
import type { Connection } from '../../../store/database.ts'
import { type PreparedPage, preparePage, type SearchablePage } from '../../../store/search-index/prepare.ts'
import { type Putting, putPages as putSearchPages, removePages } from '../../../store/search-index/write.ts'
import { TimeSlices } from '../../../store/time-slices.ts'
import { keepNamedSpecs } from '../../openapi/named.ts'
import { searchSpecsOfSpace, showsSpecs } from '../../openapi/search.ts'
import { type LinkContext, linksOf } from '../links/link-status.ts'
import { recheckLinks } from '../links/recheck.ts'
import { wantPrinted } from '../markdown/print-ahead.ts'
import { enqueueIndex } from './index-job.ts'

export interface Move {
  spaceId: string
  organizationId: string
  appUrl: string
  before: Content
  after: Content
  now: string
  /** Of a copy that is not indexed yet: what it was copied with stays readable by id, also where it changes now. */
  isIndexing?: boolean
}

export async function mainMoved(tx: Connection, move: Move): Promise<void> {
  const reader = readContent(tx)
  const pages = await diff<PageRecord>(reader, move.before.pages, move.after.pages)
  const files = await diff<FileRecord>(reader, move.before.files, move.after.files)
  const reusable = await diff<ReusableRecord>(reader, move.before.reusable, move.after.reusable)
  const documents = pages.filter(({ before, after }) => before?.document !== after?.document)
  await reader.documentsAhead(documents.flatMap(({ after }) => after?.document ?? []))
  if (move.isIndexing)
    await noteDocuments(
      tx,
      move.spaceId,
      documents.flatMap(({ before }) => before?.document ?? []),
    )
  for (const { after } of documents) if (after) wantPrinted(tx.caches, move.spaceId, after)
  await keepOldPaths(tx, move, pages)
  await followLinks(tx, reader, move, { pages, files, reusable })
  await followSearch(tx, reader, move.spaceId, pages)
  await followSpecs(tx, reader, move, { pages, files, reusable })
}

/**
 * The same when much has changed at once: old paths and what is gone follow at once, and a job makes search and links of all
 * pages anew. Until it comes to a page, it is found by what it said before.
 */
export async function mainReplaced(tx: Connection, { spaceId, before, after, now, ...move }: Move): Promise<void> {
  const reader = readContent(tx)
  const pages = await diff<PageRecord>(reader, before.pages, after.pages)
  if (move.isIndexing)
    await noteDocuments(
      tx,
      spaceId,
      pages.flatMap((page) => page.before?.document ?? []),
    )
  await keepOldPaths(tx, { spaceId, before, after, now, ...move }, pages)
  const gone = pages.filter((page) => page.after?.type !== 'document').map(({ key }) => key)
  await forgetLinks(tx, spaceId, gone)
  await removePages(tx, spaceId, gone)
  if (pages.some((page) => showsSpecs(page.before))) await searchSpecsOfSpace(tx, spaceId)
  await updateSpace(tx, spaceId, { indexedUpTo: '' })
  await enqueueIndex(tx, spaceId)
}

/** Everything of a space whose content came at once and is small: a template's. Larger ones are indexed in steps (index-space.ts). */
export async function indexWholeSpace(
  tx: Connection,
  whole: { spaceId: string; organizationId: string; content: Content; appUrl: string; now: string },
): Promise<void> {
  const before = emptyContent(openContent(tx))
  await mainMoved(tx, { ...whole, before, after: whole.content })
}

/** What search and links will hold of some pages of a space, worked out from one revision of its content. */
export interface PreparedPages {
  pages: readonly PageRecord[]
  links: readonly LinkRow[]
  found: readonly PreparedPage[]
  /** Those that name specs. */
  naming: readonly JSONDocument[]
  hasSpecs: boolean
}

export async function preparePages(context: LinkContext, pages: readonly PageRecord[]): Promise<PreparedPages> {
  const { reader, extracts } = context
  const links: LinkRow[] = []
  const found: PreparedPage[] = []
  const naming: JSONDocument[] = []
  let hasSpecs = false
  const slices = new TimeSlices(1)
  for (const page of pages) {
    await slices.next()
    const extract = page.document === undefined ? undefined : extracts?.of(page.document)
    const rows = await linksOf(context, page, extract?.refs)
    links.push(...rows)
    hasSpecs ||= showsSpecs(page) || rows.some(({ kind }) => kind === 'openapi')
    const mayName = extract?.showsSpecs ?? true
    if (page.document !== undefined && mayName && rows.some(({ kind }) => kind === 'url' || kind === 'file')) {
      const document = await reader.document(page.document)
      if (specBlocksIn(document).length > 0) naming.push(document)
    }
    if (page.type === 'document') found.push(await preparePage(await searchable(reader, page, extract), slices))
  }
  return { pages, links, found, naming, hasSpecs }
}

/** Puts them in the place of what search and links held of these pages. */
export async function indexPreparedPages(
  tx: Connection,
  context: LinkContext,
  prepared: PreparedPages,
  putting: Putting,
): Promise<void> {
  const { spaceId } = context
  const { pages, links, found, naming, hasSpecs } = prepared
  for (const page of pages) wantPrinted(tx.caches, spaceId, page)
  if (hasSpecs) await searchSpecsOfSpace(tx, spaceId)
  await keepNamedSpecs(tx, context, naming)
  await noteDocuments(
    tx,
    spaceId,
    pages.flatMap(({ document }) => document ?? []),
  )
  await forgetLinks(
    tx,
    spaceId,
    pages.map(({ id }) => id),
  )
  await insertLinkRows(tx, spaceId, links)
  await putSearchPages(tx, spaceId, found, putting)
}

async function keepOldPaths(
  tx: Connection,
  { spaceId, now }: Move,
  pages: readonly Difference<PageRecord>[],
): Promise<void> {
  for (const { before, after } of pages) {
    if (!before?.slug || !after) continue
    if (before.slug === after.slug && before.parent === after.parent) continue
    await putAlias(tx, { spaceId, parentId: before.parent ?? '', slug: before.slug, pageId: before.id, createdAt: now })
  }
}

interface Changes {
  pages: readonly Difference<PageRecord>[]
  files: readonly Difference<FileRecord>[]
  reusable: readonly Difference<ReusableRecord>[]
}

async function followLinks(tx: Connection, reader: ContentReader, move: Move, changes: Changes): Promise<void> {
  const { spaceId, organizationId, appUrl, after: content } = move
  const context: LinkContext = { db: tx, reader, content, spaceId, organizationId, appUrl }
  const linking = changes.pages.filter(
    ({ before, after }) => !before || !after || linkSources(before) !== linkSources(after),
  )
  let [known, rows]: [string[], LinkRow[]] = [[], []]
  for (const { key, before, after } of linking) {
    if (before) known.push(key)
    if (after) rows.push(...(await linksOf(context, after)))
    if (rows.length < 1000 && known.length < 200) continue
    await replaceLinks(tx, spaceId, { known, rows })
    ;[known, rows] = [[], []]
  }
  await replaceLinks(tx, spaceId, { known, rows })
  // Links from pages that did not change, to things that came, went, or have other anchors now.
  const touched = [
    ...changes.pages.filter(({ before, after }) => before?.document !== after?.document || !before || !after),
    ...[...changes.files, ...changes.reusable].filter(({ before, after }) => !before || !after),
  ].map(({ key }) => key)
  const rewritten = new Set(changes.pages.map(({ key }) => key))
  await recheckLinks(context, touched, rewritten)
}

async function followSearch(
  tx: Connection,
  reader: ContentReader,
  spaceId: string,
  pages: readonly Difference<PageRecord>[],
): Promise<void> {
  const gone = pages.filter(({ before, after }) => before && after?.type !== 'document').map(({ key }) => key)
  await removePages(tx, spaceId, gone)
  const found: SearchablePage[] = []
  let hasSpecs = false
  for (const { before, after } of pages) {
    hasSpecs ||= showsSpecs(before) || showsSpecs(after)
    if (after?.type !== 'document' || (before && searchSources(before) === searchSources(after))) continue
    found.push(await searchable(reader, after))
    if (!hasSpecs && after.document !== undefined) hasSpecs = showsSpecs(after, await reader.document(after.document))
  }
  await putSearchPages(tx, spaceId, found)
  if (hasSpecs) await searchSpecsOfSpace(tx, spaceId)
}

/** Specs that pages name by address or file: those of pages that changed, and of all that name a file that did. */
async function followSpecs(tx: Connection, reader: ContentReader, move: Move, changes: Changes): Promise<void> {
  const changed = [...changes.pages, ...changes.reusable].flatMap(({ before, after }) =>
    after?.document === undefined || before?.document === after.document ? [] : [after.document],
  )
  const files = changes.files.filter(({ before, after }) => after && before?.blob !== after.blob).map(({ key }) => key)
  for (const { pageId } of await linksTo(tx, move.spaceId, files)) {
    const page = await pageById(reader, move.after, pageId)
    if (page?.document !== undefined) changed.push(page.document)
  }
  const documents: JSONDocument[] = []
  for (const hash of new Set(changed)) documents.push(await reader.document(hash))
  await keepNamedSpecs(tx, { ...move, reader, content: move.after }, documents)
}

/** What of a page is searched. */
export async function searchable(reader: ContentReader, page: PageRecord, extract?: Extract): Promise<SearchablePage> {
  return {
    pageId: page.id,
    title: page.title,
    ...(page.description === undefined ? {} : { description: page.description }),
    hidden: page.hidden ?? false,
    sections: extract?.sections ?? (await sectionsOf(reader, page)),
  }
}

async function sectionsOf(reader: ContentReader, { document }: PageRecord): Promise<SearchablePage['sections']> {
  if (document === undefined) return []
  const slices = new TimeSlices()
  const tree = await reader.document(document)
  await slices.next()
  const found = searchedSections(tree)
  await slices.next()
  return found
}

/** What of a record is searched. */
const searchSources = (page: PageRecord): string =>
  JSON.stringify([page.type, page.title, page.description, page.hidden, page.document])

/** What of a record holds references. */
const linkSources = (page: PageRecord): string => JSON.stringify([page.document, page.target, page.cover])
