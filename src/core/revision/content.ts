/**
 * The content of a revision: its maps, and how they are read and changed.
 *
 * `pages` holds the records. `children` and `slugs` are indexes over it, kept in step by `putPages`, the only function
 * that changes any of the three: `children` lists the pages under a parent in order, `slugs` finds one by its segment.
 * Every function reads as many nodes as it has pages to touch, whatever the size of the space.
 */
import { same } from '../diff/equal.ts'
import { ranksBetween } from '../order.ts'
import { slugify } from '../text.ts'
import { countBefore, emptyMap, entries, entryAt, get, getAll, type MapRef, type NodeStore } from './map.ts'
import { update } from './map-update.ts'
import type { FileRecord, PageRecord, ReusableRecord, Variables } from './records.ts'

export interface Content {
  pages: MapRef
  children: MapRef
  slugs: MapRef
  files: MapRef
  reusable: MapRef
  variables: Variables
}

/** How deep pages may be nested, and how many a space may hold. */
export const maxDepth = 32
/** How far up a page is followed: a merge takes the moves of both sides, which may nest pages deeper than either did. */
export const mostAbove = 2 * maxDepth
export const maxPages = 100_000

export const emptyContent = (nodes: NodeStore): Content => {
  const empty = emptyMap(nodes)
  return { pages: empty, children: empty, slugs: empty, files: empty, reusable: empty, variables: {} }
}

/** Equal maps have equal nodes, whatever their history. */
export const isSameContent = (a: Content, b: Content): boolean =>
  (['pages', 'children', 'slugs', 'files', 'reusable'] as const).every((map) => a[map].hash === b[map].hash) &&
  same(a.variables, b.variables)

export const pageById = (nodes: NodeStore, content: Content, id: string): Promise<PageRecord | undefined> =>
  get<PageRecord>(nodes, content.pages, id)

export const pagesById = (
  nodes: NodeStore,
  content: Content,
  ids: Iterable<string>,
): Promise<Map<string, PageRecord>> => getAll<PageRecord>(nodes, content.pages, ids)

export const fileById = (nodes: NodeStore, content: Content, id: string): Promise<FileRecord | undefined> =>
  get<FileRecord>(nodes, content.files, id)

export const reusableById = (nodes: NodeStore, content: Content, id: string): Promise<ReusableRecord | undefined> =>
  get<ReusableRecord>(nodes, content.reusable, id)

// Ids hold no slash and '0' follows it, so the children of one parent are exactly the keys between the two.
export const childKeyOf = (page: PageRecord): string => `${page.parent ?? ''}/${page.rank}/${page.id}`
const childrenFrom = (parent: string | undefined): string => `${parent ?? ''}/`
const childrenUntil = (parent: string | undefined): string => `${parent ?? ''}0`
const slugKey = (parent: string | undefined, slug: string): string => `${parent ?? ''}/${slug}`
/** Under what a page that has a slug is found by it. */
export const slugKeyOf = ({ parent, slug = '' }: PageRecord): string => slugKey(parent, slug)
const idIn = (key: string): string => key.slice(key.lastIndexOf('/') + 1)
const rankIn = (key: string): string => key.slice(key.indexOf('/') + 1, key.lastIndexOf('/'))

export async function childIds(
  nodes: NodeStore,
  content: Content,
  parent: string | undefined,
  limit = Number.POSITIVE_INFINITY,
): Promise<string[]> {
  const range = { from: childrenFrom(parent), until: childrenUntil(parent), limit }
  return (await entries(nodes, content.children, range)).map(([key]) => idIn(key))
}

export async function childrenOf(
  nodes: NodeStore,
  content: Content,
  parent: string | undefined,
): Promise<PageRecord[]> {
  const ids = await childIds(nodes, content, parent)
  const found = await pagesById(nodes, content, ids)
  return ids.flatMap((id) => found.get(id) ?? [])
}

export const childBySlug = (
  nodes: NodeStore,
  content: Content,
  parent: string | undefined,
  slug: string,
): Promise<string | undefined> => get<string>(nodes, content.slugs, slugKey(parent, slug))

/** A page and everything below it, parents before children. */
export async function subtreeOf(nodes: NodeStore, content: Content, page: PageRecord): Promise<PageRecord[]> {
  const found = [page]
  for (let i = 0; i < found.length; i++) found.push(...(await childrenOf(nodes, content, (found[i] as PageRecord).id)))
  return found
}

/** Whether pages stand more than so many levels below a page. */
export async function isTallerThan(nodes: NodeStore, content: Content, page: string, levels: number): Promise<boolean> {
  let level = [page]
  for (let depth = 0; depth <= levels && level.length > 0; depth++) {
    const below: string[] = []
    for (const id of level) below.push(...(await childIds(nodes, content, id)))
    level = below
  }
  return level.length > 0
}

/** The pages above a page, nearest first. */
export async function ancestorsOf(nodes: NodeStore, content: Content, page: PageRecord): Promise<PageRecord[]> {
  const above: PageRecord[] = []
  for (let id = page.parent; id !== undefined && above.length <= mostAbove; ) {
    const parent = await pageById(nodes, content, id)
    if (!parent) break
    above.push(parent)
    id = parent.parent
  }
  return above
}

/** The slugs from the root down to a page. Groups have a slug and are part of the path. */
export async function pathOf(nodes: NodeStore, content: Content, page: PageRecord): Promise<string> {
  const line = [page, ...(await ancestorsOf(nodes, content, page))].reverse()
  return line.map((one) => one.slug ?? '').join('/')
}

/** The paths of several pages: the pages above them are read once, those of one level together. */
export async function pathsOf(
  nodes: NodeStore,
  content: Content,
  pages: readonly PageRecord[],
): Promise<Map<string, string>> {
  const known = new Map(pages.map((page) => [page.id, page]))
  for (let level = pages, depth = 0; level.length > 0 && depth <= mostAbove; depth++) {
    const missing = new Set<string>()
    for (const { parent } of level) if (parent !== undefined && !known.has(parent)) missing.add(parent)
    if (missing.size === 0) break
    const above = await pagesById(nodes, content, missing)
    for (const [id, page] of above) known.set(id, page)
    level = [...above.values()]
  }
  const paths = new Map<string, string>()
  const pathTo = (page: PageRecord, depth = 0): string => {
    const path = paths.get(page.id)
    if (path !== undefined) return path
    const parent = page.parent === undefined || depth > mostAbove ? undefined : known.get(page.parent)
    const found = parent ? `${pathTo(parent, depth + 1)}/${page.slug ?? ''}` : (page.slug ?? '')
    paths.set(page.id, found)
    return found
  }
  for (const page of pages) pathTo(page)
  return paths
}

/** How many records are read before others have a turn. */
const recordsAtOnce = 2000

/** All records at once, as a tree in order: the answer to "which pages are there". `breathe` lets others have a turn. */
export async function allPages(
  nodes: NodeStore,
  content: Content,
  breathe?: () => Promise<void>,
): Promise<Map<string | undefined, PageRecord[]>> {
  const byParent = new Map<string | undefined, PageRecord[]>()
  const limit = breathe ? recordsAtOnce : Number.POSITIVE_INFINITY
  for (let from = ''; ; ) {
    const records = await entries<PageRecord>(nodes, content.pages, { from, limit })
    for (const [, page] of records) {
      const siblings = byParent.get(page.parent)
      if (siblings) siblings.push(page)
      else byParent.set(page.parent, [page])
    }
    const last = records.at(-1)
    if (!last || records.length < limit) break
    // The least text behind it.
    from = `${last[0]}\0`
    await breathe?.()
  }
  for (const siblings of byParent.values()) siblings.sort(bySiblingOrder)
  return byParent
}

export const bySiblingOrder = (a: PageRecord, b: PageRecord): number =>
  a.rank === b.rank ? (a.id < b.id ? -1 : 1) : a.rank < b.rank ? -1 : 1

export interface PageChange {
  before?: PageRecord | undefined
  after?: PageRecord | undefined
}

/** The content with pages put in, replaced or taken out, and both indexes in step. */
export async function putPages(nodes: NodeStore, content: Content, changes: readonly PageChange[]): Promise<Content> {
  const pages = new Map<string, PageRecord | undefined>()
  const children = new Map<string, 1 | undefined>()
  const slugs = new Map<string, string | undefined>()
  for (const { before } of changes) {
    if (!before) continue
    pages.set(before.id, undefined)
    children.set(childKeyOf(before), undefined)
    if (before.slug !== undefined) slugs.set(slugKey(before.parent, before.slug), undefined)
  }
  for (const { after } of changes) {
    if (!after) continue
    pages.set(after.id, after)
    children.set(childKeyOf(after), 1)
    if (after.slug !== undefined) slugs.set(slugKey(after.parent, after.slug), after.id)
  }
  return {
    ...content,
    pages: await update(nodes, content.pages, pages),
    children: await update(nodes, content.children, children),
    slugs: await update(nodes, content.slugs, slugs),
  }
}

/**
 * Ranks for `count` pages that come to stand at `at` among a parent's children (at the end when undefined). A page that
 * stands there already (`except`) keeps its own.
 */
export async function ranksAt(
  nodes: NodeStore,
  content: Content,
  {
    parent,
    at,
    count = 1,
    except,
  }: { parent: string | undefined; at?: number | undefined; count?: number; except?: string },
): Promise<string[]> {
  const start = await countBefore(nodes, content.children, childrenFrom(parent))
  const end = await countBefore(nodes, content.children, childrenUntil(parent))
  // The page being moved does not count as a sibling of itself.
  let index = at === undefined ? end : Math.min(start + at, end)
  const own = except === undefined ? undefined : await indexOfPage(nodes, content, except)
  if (own !== undefined && own >= start && own < end && own < index && at !== undefined)
    index = Math.min(index + 1, end)
  const neighbour = async (index: number, step: number): Promise<string> => {
    let i = index
    if (i === own) i += step
    const entry = i >= start && i < end ? await entryAt(nodes, content.children, i) : undefined
    return entry ? rankIn(entry[0]) : ''
  }
  const [low, high] = [await neighbour(index - 1, -1), await neighbour(index, 1)]
  const ownEntry =
    own !== undefined && own >= start && own < end ? await entryAt(nodes, content.children, own) : undefined
  const rank = ownEntry && rankIn(ownEntry[0])
  if (rank !== undefined && low < rank && (high === '' || rank < high)) return [rank]
  return ranksBetween(low, high, count)
}

async function indexOfPage(nodes: NodeStore, content: Content, id: string): Promise<number | undefined> {
  const page = await pageById(nodes, content, id)
  return page && countBefore(nodes, content.children, childKeyOf(page))
}

/** A slug for a new or renamed page: of its title, told apart from its siblings'. */
export async function freeSlug(
  nodes: NodeStore,
  content: Content,
  { parent, title, self }: { parent: string | undefined; title: string; self?: string | undefined },
): Promise<string> {
  const wanted = slugify(title) || 'page'
  const isFree = async (slug: string) => {
    const holder = await childBySlug(nodes, content, parent, slug)
    return holder === undefined || holder === self
  }
  if (await isFree(wanted)) return wanted
  // Thousands of pages of one title: the first free number is found by doubling and halving, not by counting.
  let high = 1
  while (!(await isFree(`${wanted}-${high}`))) high *= 2
  let low = high >> 1
  while (high - low > 1) {
    const middle = (low + high) >> 1
    if (await isFree(`${wanted}-${middle}`)) high = middle
    else low = middle
  }
  return `${wanted}-${high}`
}

export const putFiles = async (
  nodes: NodeStore,
  content: Content,
  files: ReadonlyMap<string, FileRecord | undefined>,
): Promise<Content> => ({
  ...content,
  files: await update(nodes, content.files, files),
})

export const putReusable = async (
  nodes: NodeStore,
  content: Content,
  changes: ReadonlyMap<string, ReusableRecord | undefined>,
): Promise<Content> => ({
  ...content,
  reusable: await update(nodes, content.reusable, changes),
})
