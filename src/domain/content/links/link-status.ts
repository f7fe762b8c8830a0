/** References of documents as rows: what each points at, and whether it is there. */
import { defineCache } from '../../../core/caches.ts'
import { isAmongAnchors, joinAnchors, linkableAnchors } from '../../../core/document/text/anchors.ts'
import type { ContentRef } from '../../../core/document/tree/nodes.ts'
import { collectRefs, type FoundRef, isSafeUrl } from '../../../core/document/tree/refs.ts'
import { type Content, fileById, pageById, reusableById } from '../../../core/revision/content.ts'
import type { PageRecord } from '../../../core/revision/records.ts'
import type { Extracts } from '../../../core/search/extract.ts'
import type { ContentReader } from '../../../store/content/content.ts'
import type { LinkRow, LinkStatus } from '../../../store/content/links.ts'
import { findSpec, isNamedBySlug } from '../../../store/content/openapi.ts'
import { findCollection, findSpace } from '../../../store/content/spaces.ts'
import type { Connection } from '../../../store/database.ts'
import { findMembership } from '../../../store/people/members.ts'
import { findSearchPage, isMadeId } from '../../../store/search-index/rows.ts'

/** What a status depends on. */
export interface LinkContext {
  db: Connection
  reader: ContentReader
  content: Content
  spaceId: string
  organizationId: string
  /** Addresses that begin like this are pages of the app itself. */
  appUrl: string
  /** Of documents that are not to be read for this. */
  extracts?: Extracts | undefined
}

/** `known` are the references of its document, where they are at hand. */
export async function linksOf(context: LinkContext, page: PageRecord, known?: readonly FoundRef[]): Promise<LinkRow[]> {
  const refs = known ? [...known] : await refsOf(context.reader, page)
  if (page.target) refs.push({ ref: page.target, nodeKey: undefined })
  for (const ref of [page.cover?.ref, page.cover?.refDark]) if (ref) refs.push({ ref, nodeKey: undefined })
  const rows: LinkRow[] = []
  // A page shows many operations of one spec.
  const statuses = new Map<string, LinkStatus>()
  for (const [position, { ref, nodeKey }] of refs.entries()) {
    const whole = JSON.stringify(withPage(ref, page.id))
    const status = statuses.get(whole) ?? (await statusOf(context, ref, page.id))
    statuses.set(whole, status)
    rows.push({
      spaceId: context.spaceId,
      pageId: page.id,
      position,
      nodeKey: nodeKey ?? '',
      kind: ref.kind,
      target: targetOf(ref, page.id),
      ref: whole,
      status,
    })
  }
  return rows
}

/** An anchor is the same to whoever links to it, from its page or from another. */
const withPage = (ref: ContentRef, page: string): ContentRef =>
  ref.kind === 'anchor' && ref.space === undefined
    ? { kind: 'anchor', anchor: ref.anchor, page: ref.page ?? page }
    : ref

const refsOf = async (reader: ContentReader, { document }: PageRecord): Promise<FoundRef[]> =>
  document === undefined ? [] : collectRefs(await reader.document(document))

/** What a reference is found by: the id of a thing, or a URL. */
export function targetOf(ref: ContentRef, from: string): string {
  if (ref.kind === 'file') return ref.file
  if (ref.kind === 'page') return ref.page
  if (ref.kind === 'anchor') return ref.page ?? from
  if (ref.kind === 'url') return ref.url.slice(0, 2048)
  if (ref.kind === 'user') return ref.user
  if (ref.kind === 'collection') return ref.collection
  if (ref.kind === 'space') return ref.space
  if (ref.kind === 'reusable-content') return ref.reusableContent
  if (ref.kind === 'tag') return ref.tag
  return ref.spec
}

export async function statusOf(context: LinkContext, ref: ContentRef, from: string): Promise<LinkStatus> {
  if (ref.kind === 'url') return urlStatus(ref.url, context.appUrl)
  return (await exists(context, ref, from)) ? 'ok' : 'broken'
}

function urlStatus(url: string, appUrl: string): LinkStatus {
  if (url === appUrl || url.startsWith(`${appUrl}/`)) return 'in-app'
  // What else an address with a scheme leads to is not for us to say; without one it names something here that is not there.
  return isSafeUrl(url) && /^([a-z][a-z0-9+.-]*:|\/\/)/i.test(url) ? 'ok' : 'broken'
}

async function exists(context: LinkContext, ref: Exclude<ContentRef, { kind: 'url' }>, from: string): Promise<boolean> {
  const { db, reader, content, organizationId } = context
  // Another space's content is checked by the space alone: its pages come and go without our knowing.
  if ('space' in ref && ref.space !== undefined && ref.space !== context.spaceId) {
    const space = await findSpace(db, { id: ref.space })
    return space?.organizationId === organizationId && space.deletedAt === null
  }
  if (ref.kind === 'page')
    return (await pageById(reader, content, ref.page)) !== undefined || isMadePage(context, ref.page)
  if (ref.kind === 'anchor') return hasAnchor(context, ref.page ?? from, ref.anchor)
  if (ref.kind === 'file') return (await fileById(reader, content, ref.file)) !== undefined
  if (ref.kind === 'reusable-content') return (await reusableById(reader, content, ref.reusableContent)) !== undefined
  // Who belongs to another organization is nobody here: whether they exist at all is not told.
  if (ref.kind === 'user') return (await findMembership(db, { organizationId, userId: ref.user })) !== undefined
  if (ref.kind === 'collection')
    return (await findCollection(db, { id: ref.collection }))?.organizationId === organizationId
  if (ref.kind === 'space') return true
  if (ref.kind === 'openapi')
    return isNamedBySlug(ref.spec) && (await findSpec(db, { organizationId, slug: ref.spec })) !== undefined
  return ref.kind === 'tag'
}

/**
 * A page that a spec makes stands in no revision. The search index has those of main content, and the job that puts them there
 * sees to the links to them (domain/openapi/search.ts); which anchors they have is not looked up.
 */
const isMadePage = async ({ db, spaceId }: LinkContext, pageId: string): Promise<boolean> =>
  isMadeId(pageId) && (await findSearchPage(db, { spaceId, pageId })) !== undefined

async function hasAnchor(context: LinkContext, pageId: string, anchor: string): Promise<boolean> {
  const { db, reader, content, extracts } = context
  const page = await pageById(reader, content, pageId)
  if (isMadeId(pageId)) return page !== undefined || isMadePage(context, pageId)
  if (page?.document === undefined) return false
  const known = anchorsIn(db.caches)
  let anchors = extracts?.anchorsOf(page.document) ?? known.get(page.document)
  if (anchors === undefined) {
    anchors = joinAnchors(linkableAnchors(await reader.document(page.document)))
    known.set(page.document, anchors, 2 * anchors.length)
  }
  return isAmongAnchors(anchors, anchor)
}

/**
 * The anchors of documents, joined, by hash. Pages of a large space link to each other crosswise, and reading the whole document of
 * a page for each link to it took most of the time that indexing an import took.
 */
const anchorsIn = defineCache<string>('anchors of documents', { share: 0.01 })
