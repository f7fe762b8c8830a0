/**
 * Pages level by level, for whoever shows a part of a tree: what it costs does not grow with the space. A page comes
 * without what stands below it, and says whether anything does.
 */
import { fail } from '../../core/errors.ts'
import { mapTogether } from '../../core/map-together.ts'
import { ancestorsOf, childIds, childrenOf, pageById, pathOf } from '../../core/revision/content.ts'
import type { PageRecord } from '../../core/revision/records.ts'
import type { Base } from '../handler.ts'
import { admittedIn, isAdmitted } from '../sites/reading/pages.ts'
import type { ContentAt } from './at.ts'
import { joinPath, type Page, presentPage } from './present-page.ts'

/** The pages directly below a page, or at the top. */
export async function viewLevel(base: Base, at: ContentAt, parent: PageRecord | undefined): Promise<{ pages: Page[] }> {
  const visitor = base.actor?.visitor?.scope
  if (parent && visitor && !(await isAdmitted(at, parent, visitor))) throw fail('not_found')
  const path = parent ? await pathOf(at.reader, at.content, parent) : ''
  const children = await childrenOf(at.reader, at.content, parent?.id)
  const shown = visitor ? children.filter((page) => admittedIn(at, page, visitor)) : children
  const pathTo = ({ slug }: PageRecord): string => (slug === undefined ? path : joinPath(path, slug))
  return { pages: await mapTogether(shown, (page) => presentOne(base, at, page, pathTo(page))) }
}

/** A page with those above it, from the top down to itself. */
export async function viewTrail(base: Base, at: ContentAt, page: PageRecord): Promise<{ pages: Page[] }> {
  const visitor = base.actor?.visitor?.scope
  if (visitor && !(await isAdmitted(at, page, visitor)))
    throw fail('not_found', `There is no page ${page.id} in this content.`)
  const pages: Page[] = []
  let path = ''
  for (const one of [page, ...(await ancestorsOf(at.reader, at.content, page))].reverse()) {
    if (one.slug !== undefined) path = joinPath(path, one.slug)
    pages.push(await presentOne(base, at, one, path))
  }
  return { pages }
}

async function presentOne(base: Base, at: ContentAt, page: PageRecord, path: string): Promise<Page> {
  const context = { urls: base.env.urls, spaceId: at.space.id, metadata: false, path, children: [] }
  const { pages: _, condition, ...shown } = presentPage(page, context)
  const hasPages = await hasListed(base, at, page)
  // For whom a page is, is not a visitor's affair.
  return { ...shown, hasPages, ...(condition === undefined || base.actor?.visitor ? {} : { condition }) }
}

/** Whether the tree shows anything below it. Mostly the first child tells, however many there are. */
async function hasListed(base: Base, at: ContentAt, page: PageRecord): Promise<boolean> {
  const visitor = base.actor?.visitor?.scope
  for (const limit of [few, Number.POSITIVE_INFINITY]) {
    const ids = await childIds(at.reader, at.content, page.id, limit)
    for (const id of ids) {
      const child = await pageById(at.reader, at.content, id)
      if (child && !child.hidden && (!visitor || admittedIn(at, child, visitor))) return true
    }
    if (ids.length < limit) return false
  }
  return false
}

const few = 3
