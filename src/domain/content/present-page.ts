/** Pages as the API shows them. */

import type { z } from 'zod'
import type { Page as PageShape } from '../../contract/content/pages.ts'
import type { ContentRef } from '../../core/document/tree/nodes.ts'
import { isFromGit } from '../../core/import/origins.ts'
import type { PageRecord } from '../../core/revision/records.ts'
import type { Urls } from '../../core/urls.ts'
import type { TimeSlices } from '../../store/time-slices.ts'

export type Page = z.output<typeof PageShape>

export interface PageContext {
  urls: Urls
  spaceId: string
  /** The path of the page itself. */
  path: string
  children: Page[]
  /** Leaves out git metadata when false. */
  metadata: boolean
}

const defaultLayout: NonNullable<Page['layout']> = {
  width: 'default',
  cover: true,
  coverSize: 'hero',
  title: true,
  description: true,
  tableOfContents: true,
  outline: true,
  pagination: true,
  metadata: true,
  actions: true,
  anchors: true,
  coverMask: false,
  tags: true,
}

export function presentPage(page: PageRecord, context: PageContext): Page {
  // Field by field: a page list is ten thousand of these, and spreading a dozen objects for each takes as long again.
  const shown: Page = { id: page.id, title: page.title, type: page.type }
  if (page.linkTitle !== undefined) shown.linkTitle = page.linkTitle
  if (page.emoji !== undefined) shown.emoji = page.emoji
  if (page.icon !== undefined) shown.icon = page.icon
  if (page.createdAt !== undefined) shown.createdAt = page.createdAt
  if (page.updatedAt !== undefined) shown.updatedAt = page.updatedAt
  if (page.condition !== undefined) shown.condition = page.condition
  if (page.hidden) shown.hidden = true
  if (page.type === 'link') {
    const target = page.target ?? { kind: 'url', url: '' }
    return { ...shown, kind: 'link', target, ...hrefOf(target) }
  }
  shown.urls = { app: context.urls.page(context.spaceId, page.id) }
  shown.slug = page.slug ?? ''
  shown.path = context.path
  shown.pages = context.children
  if (page.type === 'computed') return { ...shown, ...computedOf(page) }
  if (page.noIndex) shown.noIndex = true
  if (page.noRobotsIndex) shown.noRobotsIndex = true
  shown.kind = page.type === 'group' ? 'group' : 'sheet'
  return page.type === 'group' ? shown : withDocumentFields(page, shown, context)
}

function withDocumentFields(page: PageRecord, shown: Page, context: PageContext): Page {
  if (page.description !== undefined) shown.description = page.description
  if (page.document !== undefined && page.computed === undefined) shown.documentId = page.document
  if (page.git !== undefined && isFromGit(page) && context.metadata) shown.git = page.git
  shown.layout = page.layout === undefined ? defaultLayout : { ...defaultLayout, ...page.layout }
  if (page.cover !== undefined) shown.cover = page.cover
  if (page.variables !== undefined) shown.variables = page.variables
  shown.tags = page.tags ?? []
  if (page.computed !== undefined) shown.computed = page.computed
  if (page.computedSeed !== undefined) shown.computedSeed = page.computedSeed
  return shown
}

const computedOf = (page: PageRecord) => ({
  ...(page.computed === undefined ? {} : { computed: page.computed }),
  ...(page.computedSeed === undefined ? {} : { computedSeed: page.computedSeed }),
})

const hrefOf = (target: ContentRef) => (target.kind === 'url' && target.url !== '' ? { href: target.url } : {})

/**
 * A tree of pages, each with its path. Revisions share the records of what did not change, and what is shown of a record
 * that stands where it stood, above what stood below it, is shown again: after an edit a large tree is almost there.
 */
export async function presentTree(
  byParent: ReadonlyMap<string | undefined, readonly PageRecord[]>,
  context: Pick<PageContext, 'urls' | 'spaceId' | 'metadata'>,
  slices: TimeSlices,
  root: { parent: string | undefined; path: string } = { parent: undefined, path: '' },
): Promise<Page[]> {
  const list: Page[] = []
  for (const page of byParent.get(root.parent) ?? noRecords) {
    if (slices.isOver) await slices.next()
    const path = page.slug === undefined ? root.path : joinPath(root.path, page.slug)
    const below = { parent: page.id, path }
    const children = byParent.has(page.id) ? await presentTree(byParent, context, slices, below) : noPages
    list.push(shownBefore(page, context, path, children) ?? shownNow(page, { ...context, path, children }))
  }
  return list
}

/** Nothing is made to find this out: it is asked for each page of a tree. */
function shownBefore(
  page: PageRecord,
  context: Pick<PageContext, 'urls' | 'spaceId' | 'metadata'>,
  path: string,
  children: readonly Page[],
): Page | undefined {
  const known = lastShown.get(page)
  const isSame = known && known.path === path && isSameContext(known, context) && isSameList(known.children, children)
  return isSame ? known.shown : undefined
}

function shownNow(page: PageRecord, context: PageContext): Page {
  const shown = presentPage(page, context)
  lastShown.set(page, { ...context, shown })
  return shown
}

const noRecords: readonly PageRecord[] = []
const noPages: Page[] = []
const lastShown = new WeakMap<PageRecord, PageContext & { shown: Page }>()

const isSameContext = (known: PageContext, context: Pick<PageContext, 'urls' | 'spaceId' | 'metadata'>): boolean =>
  known.spaceId === context.spaceId && known.metadata === context.metadata && known.urls === context.urls

const isSameList = (known: readonly Page[], list: readonly Page[]): boolean =>
  known.length === list.length && known.every((page, i) => page === list[i])

export const joinPath = (parent: string, slug: string): string => (parent === '' ? slug : `${parent}/${slug}`)
