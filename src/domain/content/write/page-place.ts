/** Where a page stands and under what address: its parent and its slug, checked against the content it comes into. */
import { ApiError, fail, invalid } from '../../../core/errors.ts'
import {
  ancestorsOf,
  type Content,
  childBySlug,
  freeSlug,
  isTallerThan,
  maxDepth,
  pageById,
} from '../../../core/revision/content.ts'
import type { NodeStore } from '../../../core/revision/map.ts'
import type { PageRecord } from '../../../core/revision/records.ts'
import { slugify } from '../../../core/text.ts'

export interface Within {
  nodes: NodeStore
  content: Content
  /** The field that is refused when it does not fit. */
  field: string
}

/** Where a page goes: an existing document or group, not too deep. */
export async function findParent({ nodes, content, field }: Within, id: string, type: PageRecord['type']) {
  const parent = await pageById(nodes, content, id)
  if (!parent) throw missingPage(id, field)
  if (parent.type === 'link' || parent.type === 'computed')
    throw invalid(field, `is a ${parent.type} page, which holds no pages`)
  if (type === 'group') throw invalid(field, 'cannot hold a group: groups stand at the root')
  const depth = (await ancestorsOf(nodes, content, parent)).length + 2
  if (depth > maxDepth) throw tooDeep(field)
  return parent.id
}

/** What stands below a page moves with it. It is looked at only where it comes to stand deeper than it does. */
export async function refuseTooDeep(
  { nodes, content, field }: Within,
  page: PageRecord,
  parent: string | undefined,
): Promise<void> {
  if (parent === undefined) return
  const depth = (await ancestorsOf(nodes, content, { ...page, parent })).length
  if (depth <= (await ancestorsOf(nodes, content, page)).length) return
  if (await isTallerThan(nodes, content, page.id, maxDepth - depth - 1)) throw tooDeep(field)
}

const tooDeep = (field: string): ApiError => invalid(field, `is too deep: pages can be nested ${maxDepth} deep`)

export async function refuseCycle({ nodes, content }: Within, page: PageRecord, parent: string | undefined) {
  for (let id = parent; id !== undefined; id = (await pageById(nodes, content, id))?.parent)
    if (id === page.id) throw fail('cycle')
}

export async function slugFor(
  { nodes, content, field }: Within,
  page: { parent: string | undefined; title: string; wanted: string | undefined; self?: string | undefined },
): Promise<string> {
  const { parent, title, wanted, self } = page
  if (wanted === undefined || wanted === '') return freeSlug(nodes, content, { parent, title, self })
  const slug = slugify(wanted)
  if (slug === '') throw invalid(field, 'has nothing that can stand in an address')
  const holder = await childBySlug(nodes, content, parent, slug)
  if (holder !== undefined && holder !== self)
    throw fail('conflict', `\`${field}\`: the page ${holder} beside it has the slug ${slug} already.`)
  return slug
}

/** An address stays as it is while it can; a title that changed takes its address along unless that was chosen by hand. */
export async function slugAfter(
  within: Within,
  before: PageRecord,
  next: { parent: string | undefined; title: string; slug: string | undefined },
): Promise<string | undefined> {
  if (before.type === 'link' || before.slug === undefined) return undefined
  const { parent, title, slug } = next
  const self = before.id
  if (slug !== undefined) return slugFor(within, { parent, title, wanted: slug, self })
  const wasMade = before.slug === slugify(before.title) || before.slug.startsWith(`${slugify(before.title)}-`)
  if (title !== before.title && wasMade) return slugFor(within, { parent, title, wanted: undefined, self })
  if (parent === before.parent) return before.slug
  return freeSlug(within.nodes, within.content, { parent, title: before.slug, self })
}

export const missingPage = (id: string, field: string): ApiError =>
  new ApiError('not_found', {
    message: `There is no page ${id} in this content.`,
    details: [{ field, message: 'names no page' }],
  })
