/** Searching what the caller may read. */
import type { z } from 'zod'
import type { SearchPage } from '../../contract/content/search.ts'
import { invalidCursor } from '../../core/errors.ts'
import { pageById, pathOf } from '../../core/revision/content.ts'
import { spaceIds, spacesByIds } from '../../store/content/spaces.ts'
import type { After } from '../../store/paging.ts'
import { type PageHit, search } from '../../store/search-index/search.ts'
import { contentAccess } from '../access.ts'
import type { Base } from '../handler.ts'
import type { Things } from '../things.ts'
import { type ContentAt, contentAt } from './at.ts'

type Query = { query: string; limit: number; page?: string | undefined }
export type Shown = z.output<typeof SearchPage>

export async function searchPages(base: Base, space: Things['space'], query: Query) {
  const { hits, count, next } = await ask(base, [space.id], query, `search:${space.id}`)
  const at = await contentAt({ ...base, space })
  const items: Shown[] = []
  for (const hit of hits) {
    const shown = await presentHit(base, at, hit)
    if (shown) items.push(shown)
  }
  return { ...next, ...(space.indexedUpTo === null ? {} : { indexing: true as const }), count, items }
}

/** How many pages of one space are told, and how many pages are looked at to find as many spaces as were asked for. */
const pagesOfSpace = 10
const mostLookedAt = 2000

/** Spaces of an organization that the caller sees, in the order of their best page, each once with its best pages. */
export async function searchSpaces(base: Base, organization: Things['organization'], query: Query) {
  const access = await contentAccess(base, organization)
  const visible = await spaceIds(base.db, { organizationId: organization.id, visible: access.visible })
  const titles = new Map(visible.map((space) => [space.id, space.title]))
  const purpose = `list:search:${organization.id}:${query.query}`
  const given = query.page === undefined ? '0' : base.env.signer.open(purpose, query.page)
  if (given === undefined) throw invalidCursor()
  const from = Number(given)
  const { found, count } = await bestPages(base, [...titles.keys()], query.query, from + query.limit + 1)
  const asked = [...found].slice(from, from + query.limit)
  // The caller's right to them was settled before: only spaces they see were searched.
  const rows = await spacesByIds(
    base.db,
    asked.map(([id]) => id),
  )
  const spaces = new Map(rows.map((space) => [space.id, space]))
  const items = []
  for (const [id, hits] of asked) {
    const space = spaces.get(id)
    const at = space && (await contentAt({ ...base, space: space as Things['space'] }))
    const pages: Shown[] = []
    for (const hit of hits) {
      const shown = at && (await presentHit(base, at, hit))
      if (shown) pages.push(shown)
    }
    items.push({ id, title: titles.get(id) ?? '', pages })
  }
  const end = from + query.limit
  const next = found.size > end ? { next: { page: base.env.signer.seal(purpose, String(end)) } } : {}
  return { ...next, count, items }
}

/** The first `wanted` spaces of a search with their best pages, and how many spaces there are in all. */
async function bestPages(base: Base, spaces: readonly string[], query: string, wanted: number) {
  const found = new Map<string, PageHit[]>()
  let count = 0
  let after: After | undefined
  for (let seen = 0; seen < mostLookedAt && found.size < wanted; ) {
    const answer = await search(base, { spaces, query, limit: 50, after, includeHidden: false })
    count = answer.spaces
    for (const hit of answer.pages) {
      const pages = found.get(hit.spaceId)
      if (!pages) found.set(hit.spaceId, [hit])
      else if (pages.length < pagesOfSpace) pages.push(hit)
    }
    seen += answer.pages.length
    if (!answer.next || answer.pages.length === 0) break
    after = answer.next
  }
  return { found, count }
}

async function ask(base: Base, spaces: readonly string[], query: Query, name: string) {
  const { env } = base
  const purpose = `list:${name}:${query.query}`
  const given = query.page === undefined ? undefined : env.signer.open(purpose, query.page)
  if (query.page !== undefined && given === undefined) throw invalidCursor()
  const after = given === undefined ? undefined : (JSON.parse(given) as After)
  const answer = await search(base, { spaces, query: query.query, limit: query.limit, after, includeHidden: false })
  const next = answer.next ? { next: { page: env.signer.seal(purpose, JSON.stringify(answer.next)) } } : {}
  return { hits: answer.pages, count: answer.count, next }
}

export async function presentHit(base: Base, at: ContentAt, hit: PageHit): Promise<Shown | undefined> {
  const page = await pageById(at.reader, at.content, hit.pageId)
  if (!page) return undefined
  const path = await pathOf(at.reader, at.content, page)
  const urls = { app: base.env.urls.page(at.space.id, page.id) }
  return {
    id: page.id,
    title: page.title,
    path,
    sections: hit.sections.map((section) => ({
      id: section.anchor,
      title: section.title,
      path: section.anchor === '' ? path : `${path}#${section.anchor}`,
      body: section.text,
      ...(section.highlights.length > 0 ? { highlights: section.highlights } : {}),
      urls: { app: section.anchor === '' ? urls.app : `${urls.app}#${section.anchor}` },
    })),
    urls,
  }
}
