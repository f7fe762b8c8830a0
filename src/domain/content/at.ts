/** The content an operation reads: of a named revision, of a change request, or of the space as it is now. */
import { defineCache } from '../../core/caches.ts'
import { fail } from '../../core/errors.ts'
import { type Content, childBySlug, pageById } from '../../core/revision/content.ts'
import type { PageRecord } from '../../core/revision/records.ts'
import { decodeSegment } from '../../core/url-paths.ts'
import { type ContentReader, readContent } from '../../store/content/content.ts'
import { findAlias, findRevision, type RevisionRow } from '../../store/content/revisions.ts'
import type { Connection } from '../../store/database.ts'
import { findPathRedirect } from '../../store/imports/redirects.ts'
import type { Base } from '../handler.ts'
import { expand, expandedKey } from '../openapi/computed.ts'
import type { Things } from '../things.ts'

export interface ContentAt {
  reader: ContentReader
  content: Content
  revision: RevisionRow
  space: Things['space']
  /** Equal for two readings that read the same, also what pages are made from; the revision's id says it where it is absent. */
  key?: string
}

/** Where what its pages name is looked up. */
export const referenceContext = ({ reader, content, space }: ContentAt) => ({
  reader,
  content,
  spaceId: space.id,
  organizationId: space.organizationId,
})

/** What a content operation may have been reached through, beside the space. */
export type ContentCall = Base & { space: Things['space'] } & Partial<Pick<Things, 'revision' | 'changeRequest'>>

// A revision never changes, so the few that are being read need not be asked for again.
const revisionsIn = defineCache<RevisionRow>('revisions', { share: 0.01 })
const revisionBytes = 1500

/** The revision that is read where the path names none. */
export const headOf = ({ changeRequest, space }: Pick<ContentCall, 'space' | 'changeRequest'>): string =>
  changeRequest?.revisionId ?? space.revisionId

/** The `key` that reading it has; undefined where more has to be read to know it. */
export function keyOfHead(call: ContentCall, { computed }: { computed: boolean }): string | undefined {
  if (call.revision) return undefined
  if (!computed) return plainKey(headOf(call))
  return call.space.specStamp === undefined ? undefined : expandedKey(headOf(call), call.space.specStamp)
}

const plainKey = (revisionId: string): string => `${revisionId} plain`

/** With the pages that computed pages stand for, unless they are not asked for. */
export async function contentAt(
  call: Pick<ContentCall, 'db' | 'env' | 'space' | 'revision' | 'changeRequest'>,
  { computed = true }: { computed?: boolean } = {},
): Promise<ContentAt> {
  const { db, space } = call
  const revision = call.revision ?? (await revisionOf(db, space.id, headOf(call)))
  const reader = readContent(db)
  if (!computed) return { reader, content: revision.content, revision, space, key: plainKey(revision.id) }
  const expanded = await expand(call, space, { revision, reader })
  return { reader: expanded.reader, content: expanded.content, revision, space, key: expanded.key }
}

export async function revisionOf(db: Connection, spaceId: string, id: string): Promise<RevisionRow> {
  const known = revisionsIn(db.caches)
  const cached = known.get(id)
  if (cached && cached.spaceId === spaceId) return cached
  const row = await findRevision(db, { id, spaceId })
  if (!row) throw new Error(`The space ${spaceId} lacks its revision ${id}.`)
  known.set(id, row, revisionBytes)
  return row
}

export async function pageIn({ reader, content }: ContentAt, id: string): Promise<PageRecord> {
  const page = await pageById(reader, content, id)
  if (!page) throw fail('not_found', `There is no page ${id} in this content.`)
  return page
}

/** The page that had this address before it was imported. */
async function redirected(db: Connection, at: ContentAt, segments: readonly string[]): Promise<PageRecord | undefined> {
  const path = segments.map(decodeSegment).join('/')
  const found = await findPathRedirect(db, { spaceId: at.space.id, path })
  return found && pageById(at.reader, at.content, found.pageId)
}

/** The page at a path; a path that once led to a page still does. */
export async function pageAtPath(db: Connection, at: ContentAt, path: string): Promise<PageRecord | undefined> {
  const { reader, content, space } = at
  const segments = path.split('/').filter((segment) => segment !== '')
  let parent: string | undefined
  for (const segment of segments) {
    const id = await stepTo(db, at, parent, decodeSegment(segment), space.id)
    if (id === undefined) return redirected(db, at, segments)
    parent = id
  }
  return parent === undefined ? undefined : pageById(reader, content, parent)
}

async function stepTo(
  db: Connection,
  at: ContentAt,
  parent: string | undefined,
  slug: string,
  spaceId: string,
): Promise<string | undefined> {
  const direct = await childBySlug(at.reader, at.content, parent, slug)
  if (direct !== undefined) return direct
  const alias = await findAlias(db, { spaceId, parentId: parent ?? '', slug })
  return alias && (await pageById(at.reader, at.content, alias.pageId)) ? alias.pageId : undefined
}
