/**
 * What specs say, found by search: computed pages, which no revision holds, and the blocks of pages that people write. The
 * index follows in a job of its own, whenever a spec has another version or the content shows specs in another way.
 *
 * 1. What is written of a page was made from the revision that the space has in that transaction; if it has moved on, all is
 *    made again.
 * 2. Pages that are in the index and are made by no spec any more are taken out of it.
 */
import { sections } from '../../core/document/text/sections.ts'
import type { JSONDocument } from '../../core/document/tree/nodes.ts'
import { openSource } from '../../core/openapi/collect.ts'
import { searchSections } from '../../core/openapi/search-text.ts'
import { specBlocksIn } from '../../core/openapi/write-out.ts'
import { type Content, fileById, pageById } from '../../core/revision/content.ts'
import type { PageRecord } from '../../core/revision/records.ts'
import { type ContentReader, readContent } from '../../store/content/content.ts'
import { filesLinkedIn, pagesWithSpecs } from '../../store/content/links.ts'
import { namedSources } from '../../store/content/openapi.ts'
import { findRevision } from '../../store/content/revisions.ts'
import { findSpace, type SpaceRow, spaceIdsOf } from '../../store/content/spaces.ts'
import type { Connection, Database } from '../../store/database.ts'
import { enqueue } from '../../store/jobs.ts'
import type { SearchablePage } from '../../store/search-index/prepare.ts'
import { isMadeId, madePages } from '../../store/search-index/rows.ts'
import { putPages, removePages } from '../../store/search-index/write.ts'
import { TimeSlices } from '../../store/time-slices.ts'
import { recheckLinks } from '../content/links/recheck.ts'
import type { Environment } from '../environment.ts'
import { expand, isComputed } from './computed.ts'
import { specOf } from './shown.ts'

export const specSearchKind = 'spec-search'

/** In the transaction that changed what a space shows of specs. */
export const searchSpecsOfSpace = (tx: Connection, spaceId: string): Promise<unknown> =>
  enqueue(tx, { kind: specSearchKind, payload: { space: spaceId }, uniqueKey: spaceId })

/** In the transaction that changed a spec of the organization. */
export const searchSpecsOfOrganization = (tx: Connection, organizationId: string): Promise<unknown> =>
  enqueue(tx, { kind: specSearchKind, payload: { organization: organizationId }, uniqueKey: organizationId })

/** Whether a change of this page changes what there is to find of specs. */
export const showsSpecs = (page: PageRecord | undefined, document?: JSONDocument): boolean =>
  page !== undefined && (isComputed(page) || (document !== undefined && specBlocksIn(document).length > 0))

interface Parts {
  db: Database
  env: Environment
  signal: AbortSignal
}

export async function indexSpecs(
  parts: Parts,
  of: { space?: string | undefined; organization?: string | undefined },
): Promise<void> {
  const ids =
    of.space === undefined ? await spaceIdsOf(parts.db, { organizationId: of.organization ?? '' }) : [{ id: of.space }]
  for (const { id } of ids) {
    parts.signal.throwIfAborted()
    await indexSpace(parts, id)
  }
}

const mostTries = 5
const pagesAtOnce = 20

async function indexSpace(parts: Parts, spaceId: string): Promise<void> {
  const { db } = parts
  for (let attempt = 1; attempt <= mostTries; attempt += 1) {
    const space = await findSpace(db, { id: spaceId })
    if (!space) return
    if (await indexRevision(parts, space)) return
  }
  // Someone writes without a pause: what is found then is no older than this.
  await db.transaction((tx) => searchSpecsOfSpace(tx, spaceId), { lock: spaceId })
}

/** Whether the space was still there where it was when the last page was written. */
async function indexRevision({ db, env, signal }: Parts, space: SpaceRow): Promise<boolean> {
  const revision = await findRevision(db, { id: space.revisionId, spaceId: space.id })
  if (!revision) return true
  const reader = readContent(db)
  const { made, ...at } = await expand({ db, env }, space, { revision, reader })
  const { urls, blobs } = await namedSources(db, space)
  const within = { spaceId: space.id, organizationId: space.organizationId, reader, content: revision.content }
  const files = blobs.size === 0 ? [] : await filesOf(db, within, blobs)
  const written = await pagesWithSpecs(db, space.id, { urls, files })
  const madeIds = new Set(made.map(({ id }) => id))
  const stale = (await madePages(db, { spaceId: space.id })).flatMap(({ pageId }) =>
    madeIds.has(pageId) ? [] : [pageId],
  )
  const slices = new TimeSlices()

  const write = (effect: (tx: Connection) => Promise<void>): Promise<boolean> =>
    db.transaction(
      async (tx) => {
        if ((await findSpace(tx, { id: space.id }))?.revisionId !== space.revisionId) return false
        await effect(tx)
        return true
      },
      { lock: space.id },
    )

  const follow = (tx: Connection, ids: readonly string[]) => recheckMade(tx, env, within, ids)
  const remove = async (tx: Connection): Promise<void> => {
    await removePages(tx, space.id, stale)
    await follow(tx, stale)
  }
  if (stale.length > 0 && !(await write(remove))) return false
  let batch: SearchablePage[] = []
  const flush = async (): Promise<boolean> => {
    const pages = batch
    batch = []
    const put = async (tx: Connection): Promise<void> => {
      await putPages(tx, space.id, pages)
      await follow(tx, idsOf(pages))
    }
    return pages.length === 0 || write(put)
  }
  for (const id of new Set([...madeIds, ...written])) {
    signal.throwIfAborted()
    await slices.next()
    const page = await pageById(at.reader, at.content, id)
    if (page?.type !== 'document') continue
    batch.push(await searchablePage({ db, env }, { ...within, ...at }, page))
    if (batch.length >= pagesAtOnce && !(await flush())) return false
  }
  return flush()
}

const idsOf = (pages: readonly SearchablePage[]): string[] => pages.map(({ pageId }) => pageId)

/** Links to pages that specs make go by what is found here. */
const recheckMade = (tx: Connection, { urls }: Environment, context: ReadContext, ids: readonly string[]) =>
  recheckLinks({ ...context, reader: readContent(tx), db: tx, appUrl: urls.app }, ids.filter(isMadeId))

interface ReadContext {
  spaceId: string
  organizationId: string
  reader: ContentReader
  content: Content
}

/** The files with these bytes that pages refer to. */
async function filesOf(db: Connection, context: ReadContext, blobs: ReadonlySet<string>): Promise<string[]> {
  const files: string[] = []
  const slices = new TimeSlices()
  for (const { target } of await filesLinkedIn(db, { spaceId: context.spaceId })) {
    await slices.next()
    const file = await fileById(context.reader, context.content, target)
    if (file && blobs.has(file.blob)) files.push(target)
  }
  return files
}

async function searchablePage(
  base: Pick<Parts, 'db' | 'env'>,
  context: ReadContext,
  page: PageRecord,
): Promise<SearchablePage> {
  const document = page.document === undefined ? undefined : await context.reader.document(page.document)
  const own = document ? sections(document).map(({ id, title, body }) => ({ anchor: id, title, body })) : []
  const shown = []
  for (const block of document ? specBlocksIn(document) : []) {
    const spec = await specOf(base, context, block.data.ref)
    if (spec) shown.push(...searchSections(openSource(spec), block))
  }
  return {
    pageId: page.id,
    title: page.title,
    ...(page.description === undefined ? {} : { description: page.description }),
    hidden: page.hidden ?? false,
    sections: [...own, ...shown],
  }
}
