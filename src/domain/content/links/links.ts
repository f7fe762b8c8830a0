/** The link operations: what is linked to, from where, and whether it is there. */
import type { z } from 'zod'
import type { ContentLocation, Link } from '../../../contract/content/links.ts'
import type { ContentRef } from '../../../core/document/tree/nodes.ts'
import { fileById, maxPages, pageById, pathOf, reusableById } from '../../../core/revision/content.ts'
import { diff } from '../../../core/revision/map-diff.ts'
import type { FileRecord, PageRecord, ReusableRecord } from '../../../core/revision/records.ts'
import {
  countByStatus,
  countPagesLinking,
  countTargets,
  type LinkFilter,
  type LinkRow,
  type LinkStatus,
  listTargets,
  locationsOf,
  mostLocations,
  pagesLinking,
} from '../../../store/content/links.ts'
import type { Connection } from '../../../store/database.ts'
import { presentChangeRequest } from '../../change-requests/present.ts'
import type { Base } from '../../handler.ts'
import { listOf, listOfArray } from '../../lists.ts'
import { findSeen, named } from '../../named.ts'
import { presentCollection, presentOrganization, presentUser } from '../../present.ts'
import { type PublishedAddress, publishedAddressOf } from '../../sites/published-address.ts'
import { presentSpace } from '../../spaces/present.ts'
import type { Things } from '../../things.ts'
import { type ContentAt, contentAt, revisionOf } from '../at.ts'
import { presentFile } from '../present-file.ts'
import { type Page, presentPage } from '../present-page.ts'
import { presentReusable } from '../present-reusable.ts'
import { type LinkContext, linksOf, targetOf } from './link-status.ts'

type Location = z.output<typeof ContentLocation>
type ListQuery = { page?: string | undefined; limit: number; status?: LinkStatus | undefined }

/** The frame every location stands in: which organization, space and revision. */
interface Frame {
  base: Base
  at: ContentAt
  organization: Things['organization']
  address: PublishedAddress | undefined
  version: NonNullable<Location['versionContext']>
}

/** The caller, and the change request they came through, if they did. */
type LinkCall = Base & Partial<Pick<Things, 'changeRequest'>>

async function frameOf(base: LinkCall, at: ContentAt): Promise<Frame> {
  const organization = await named(base, 'organization', at.space.organizationId)
  return {
    base,
    at,
    organization,
    address: await publishedAddressOf(base, at.space),
    version: await versionOf(base, at),
  }
}

const presentFrame = ({ base, at, organization, address, version }: Frame) => ({
  organization: presentOrganization(organization, organization.permissions, base.env.urls),
  space: presentSpace(at.space, at.space.permissions, base.env.urls, address),
  versionContext: version,
})

/** Which content it is of. Whoever lists links wants to know where they stand: the lists of a revision are left empty. */
async function versionOf(base: LinkCall, { revision, space }: ContentAt): Promise<Frame['version']> {
  const { changeRequest } = base
  if (changeRequest) return { type: 'changeRequest', changeRequest: await presentChangeRequest(base, changeRequest) }
  return {
    type: 'revision',
    revision: {
      object: 'revision',
      id: revision.id,
      parents: revision.parents,
      type: revision.type,
      pages: [],
      files: [],
      reusableContents: [],
      tags: [],
      createdAt: revision.createdAt,
      urls: { app: base.env.urls.revision(space.id, revision.id) },
    },
  }
}

/** `S/links`: everything that main content links to. */
export async function spaceLinks(base: Base, space: Things['space'], query: ListQuery) {
  const frame = await frameOf(base, await contentAt({ ...base, space }))
  return linkList(frame, { spaceId: space.id, status: query.status }, query)
}

async function linkList(frame: Frame, filter: LinkFilter, query: ListQuery) {
  const { base } = frame
  const list = await listOf({
    base,
    name: `links:${JSON.stringify(filter)}`,
    query,
    order: 'asc',
    rows: (page) => listTargets(base.db, filter, page),
    count: () => countTargets(base.db, filter),
    keyOf: (row) => ({ key: row.key, id: row.status }),
    present: (row) => row,
  })
  const groups = groupedByTarget(await locationsOf(base.db, filter, list.items))
  const items = []
  for (const row of list.items) {
    const from = groups.get(keyOfLink(row).join(' '))?.rows ?? []
    items.push(await presentLink(frame, row.status, JSON.parse(row.ref), from))
  }
  const { total, broken } = await countByStatus(base.db, filter.spaceId)
  const indexing = frame.at.space.indexedUpTo === null ? {} : { indexing: true as const }
  return { ...list, ...indexing, items, stats: { total, broken: { total: broken } } }
}

/** The links of one page, worked out from its document: it may be of any revision. */
export async function pageLinks(base: LinkCall, at: ContentAt, page: PageRecord, query: ListQuery) {
  const frame = await frameOf(base, at)
  const all = await linksOf(contextOf(base.db, base, at), page)
  const wanted = all.filter(({ status }) => query.status === undefined || status === query.status)
  const list = listOfArray({
    base,
    name: `page-links:${nameOfContent(base, at)}:${page.id}:${query.status ?? ''}`,
    query,
    rows: [...groupedByTarget(wanted).values()],
    keyOf: ({ key }) => key,
    present: ({ rows }) => rows,
  })
  const items = []
  for (const rows of list.items) {
    const [first] = rows
    if (first) items.push(await presentLink(frame, first.status, JSON.parse(first.ref), rows))
  }
  const broken = all.filter((row) => row.status === 'broken').length
  return {
    ...list,
    items,
    stats: { total: all.length, broken: { total: broken, ...(base.changeRequest ? { changeRequest: broken } : {}) } },
  }
}

/** What links are listed by: everything that leads to one thing, or one anchor of a page, is one item. */
const keyOfLink = ({ kind, target, ref, status }: Pick<LinkRow, 'kind' | 'target' | 'ref' | 'status'>): string[] =>
  kind === 'anchor' ? [kind, target, ref, status] : [kind, target, status]

function groupedByTarget(links: readonly LinkRow[]): Map<string, { key: string[]; rows: LinkRow[] }> {
  const groups = new Map<string, { key: string[]; rows: LinkRow[] }>()
  for (const row of links) {
    const key = keyOfLink(row)
    const group = groups.get(key.join(' ')) ?? { key, rows: [] }
    group.rows.push(row)
    groups.set(key.join(' '), group)
  }
  return groups
}

/** A walk goes on while its content is edited: so its tokens name the content, not the revision. */
const nameOfContent = ({ changeRequest }: LinkCall, { space }: ContentAt): string => changeRequest?.id ?? space.id

const contextOf = (db: Connection, base: Base, at: ContentAt): LinkContext => ({
  db,
  reader: at.reader,
  content: at.content,
  spaceId: at.space.id,
  organizationId: at.space.organizationId,
  appUrl: base.env.urls.app,
})

async function presentLink(
  frame: Frame,
  status: LinkStatus,
  ref: ContentRef,
  from: readonly LinkRow[],
): Promise<z.output<typeof Link>> {
  const target = await targetLocation(frame, ref, from[0]?.pageId ?? '')
  const locations: Location[] = []
  for (const row of from.slice(0, mostLocations)) {
    const page = await pageById(frame.at.reader, frame.at.content, row.pageId)
    if (!page) continue
    locations.push({
      kind: 'page',
      ...presentFrame(frame),
      page: await presentPlain(frame, page),
      ...(row.nodeKey === '' ? {} : { internalLocation: { type: 'node', node: row.nodeKey } }),
    })
  }
  return {
    status,
    relation: 'reference',
    ...(target ? { targetReference: target } : {}),
    locationReferences: locations,
  }
}

/** What a reference points at, as far as the caller may see it. */
async function targetLocation(frame: Frame, ref: ContentRef, from: string): Promise<Location | undefined> {
  const { base, at } = frame
  const { reader, content } = at
  // Another space is shown to those who see it, and of its content nothing: it comes and goes without our knowing.
  if ('space' in ref && ref.space !== undefined && (ref.kind === 'space' || ref.space !== at.space.id)) {
    const space = await findSeen(base, 'space', ref.space)
    return (
      space && {
        kind: 'space',
        space: presentSpace(space, space.permissions, base.env.urls, await publishedAddressOf(base, space)),
      }
    )
  }
  if (ref.kind === 'collection') {
    const collection = await findSeen(base, 'collection', ref.collection)
    return (
      collection && {
        kind: 'collection',
        collection: presentCollection(collection, collection.permissions, base.env.urls),
      }
    )
  }
  if (ref.kind === 'url') return { kind: 'url', url: ref.url }
  if (ref.kind === 'page' || ref.kind === 'anchor') {
    const page = await pageById(reader, content, targetOf(ref, from))
    // What is not there has no page to tell of; that a page was meant, and where, is told.
    if (!page) return { kind: 'page', ...presentFrame(frame) }
    const anchor = ref.kind === 'anchor' ? { internalLocation: { type: 'anchor' as const, anchor: ref.anchor } } : {}
    return { kind: 'page', ...presentFrame(frame), page: await presentPlain(frame, page), ...anchor }
  }
  if (ref.kind === 'file') {
    const file = await fileById(reader, content, ref.file)
    return file && fileLocation(frame, file)
  }
  if (ref.kind === 'reusable-content') {
    const reusable = await reusableById(reader, content, ref.reusableContent)
    return reusable && locationOfReusable(frame, reusable)
  }
  if (ref.kind === 'user') {
    const user = await findSeen(base, 'user', ref.user)
    return user && { kind: 'user', user: presentUser(user, base.env.urls) }
  }
  if (ref.kind === 'openapi')
    return { kind: 'openapi', organization: presentFrame(frame).organization, openAPISpec: ref.spec }
  return undefined
}

const locationOfReusable = (frame: Frame, reusable: ReusableRecord): Location => ({
  kind: 'reusable-content',
  ...presentFrame(frame),
  reusableContent: presentReusable(reusable, { metadata: false }),
})

const fileLocation = (frame: Frame, file: FileRecord): Location => ({
  kind: 'file',
  ...presentFrame(frame),
  file: presentFile(file, { env: frame.base.env, now: frame.base.now }),
})

async function presentPlain({ base, at }: Frame, page: PageRecord): Promise<Page> {
  const path = await pathOf(at.reader, at.content, page)
  return presentPage(page, { urls: base.env.urls, spaceId: at.space.id, path, children: [], metadata: false })
}

/**
 * The pages that show or link a file. Each item is the file, as the specification has it, with the page that refers to it.
 */
export async function fileBacklinks(
  base: LinkCall,
  at: ContentAt,
  file: FileRecord,
  query: { page?: string | undefined; limit: number },
) {
  const frame = await frameOf(base, at)
  const key = { spaceId: at.space.id, kind: 'file', target: file.id }
  const name = `backlinks:${nameOfContent(base, at)}:${file.id}`
  const list =
    base.changeRequest === undefined
      ? await listOf({
          base,
          name,
          query,
          order: 'asc',
          rows: (page) => pagesLinking(base.db, key, page),
          count: () => countPagesLinking(base.db, key),
          keyOf: (row) => ({ key: row.pageId, id: row.pageId }),
          present: (row) => row.pageId,
        })
      : listOfArray({
          base,
          name,
          query,
          rows: await linkingInOtherSpaces(base, at, file),
          keyOf: (id) => [id],
          present: (id) => id,
        })
  const items: Location[] = []
  for (const id of list.items) {
    const page = await pageById(at.reader, at.content, id)
    if (page) items.push({ ...fileLocation(frame, file), page: await presentPlain(frame, page) })
  }
  return { ...list, items }
}

/** For other content than main, whose links alone are kept: what main says, put right for the pages that differ. */
async function linkingInOtherSpaces(base: Base, at: ContentAt, file: FileRecord): Promise<string[]> {
  const key = { spaceId: at.space.id, kind: 'file', target: file.id }
  const inMain = await pagesLinking(base.db, key, { after: undefined, limit: maxPages, order: 'asc' })
  const linking = new Set(inMain.map(({ pageId }) => pageId))
  const main = await revisionOf(base.db, at.space.id, at.space.revisionId)
  for (const { key: id, after } of await diff<PageRecord>(at.reader, main.content.pages, at.content.pages)) {
    linking.delete(id)
    if (!after) continue
    const links = await linksOf(contextOf(base.db, base, at), after)
    if (links.some(({ kind, target }) => kind === 'file' && target === file.id)) linking.add(id)
  }
  return [...linking].sort()
}
