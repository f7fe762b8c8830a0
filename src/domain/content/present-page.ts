/** Pages as the API shows them. */
import type { z } from 'zod'
import type { Page as PageShape } from '../../contract/pages.ts'
import type { ContentRef } from '../../core/document/nodes.ts'
import type { PageLayout, PageRecord } from '../../core/revision/records.ts'
import type { Urls } from '../../core/urls.ts'

export type Page = z.output<typeof PageShape>

export interface PagePlace {
  urls: Urls
  spaceId: string
  /** The path of the page itself. */
  path: string
  children: Page[]
  /** Leaves out git metadata when false. */
  metadata: boolean
}

const defaultLayout: Required<PageLayout> = {
  width: 'default',
  cover: true,
  coverSize: 'hero',
  title: true,
  description: true,
  tableOfContents: true,
  outline: true,
  pagination: true,
  metadata: true,
}

export function presentPage(page: PageRecord, place: PagePlace): Page {
  const base: Page = {
    id: page.id,
    title: page.title,
    type: page.type,
    ...(page.linkTitle === undefined ? {} : { linkTitle: page.linkTitle }),
    ...(page.emoji === undefined ? {} : { emoji: page.emoji }),
    ...(page.icon === undefined ? {} : { icon: page.icon }),
    ...(page.createdAt === undefined ? {} : { createdAt: page.createdAt }),
    ...(page.updatedAt === undefined ? {} : { updatedAt: page.updatedAt }),
    ...(page.condition === undefined ? {} : { condition: page.condition }),
    ...(page.hidden ? { hidden: true } : {}),
  }
  if (page.type === 'link') {
    const target = page.target ?? { kind: 'url', url: '' }
    return { ...base, kind: 'link', target, ...hrefOf(target) }
  }
  if (page.type === 'computed') return { ...base, ...computedOf(page), ...placeOf(page, place) }
  const flags = { ...(page.noIndex ? { noIndex: true } : {}), ...(page.noRobotsIndex ? { noRobotsIndex: true } : {}) }
  if (page.type === 'group') return { ...base, ...flags, kind: 'group', ...placeOf(page, place) }
  return {
    ...base,
    ...flags,
    kind: 'sheet',
    ...placeOf(page, place),
    ...(page.description === undefined ? {} : { description: page.description }),
    ...(page.document === undefined ? {} : { documentId: page.document }),
    ...(page.git === undefined || !place.metadata ? {} : { git: page.git }),
    layout: { ...defaultLayout, ...page.layout },
    ...(page.cover === undefined ? {} : { cover: page.cover }),
    ...(page.variables === undefined ? {} : { variables: page.variables }),
    ...(page.tags === undefined ? {} : { tags: page.tags }),
    ...computedOf(page),
  }
}

const placeOf = (page: PageRecord, { urls, spaceId, path, children }: PagePlace) => ({
  urls: { app: urls.page(spaceId, path) },
  slug: page.slug ?? '',
  path,
  pages: children,
})

const computedOf = (page: PageRecord) => ({
  ...(page.computed === undefined ? {} : { computed: page.computed }),
  ...(page.computedSeed === undefined ? {} : { computedSeed: page.computedSeed }),
})

const hrefOf = (target: ContentRef) => (target.kind === 'url' && target.url !== '' ? { href: target.url } : {})

/** A tree of pages, each with its path. */
export function presentTree(
  byParent: ReadonlyMap<string | undefined, readonly PageRecord[]>,
  place: Pick<PagePlace, 'urls' | 'spaceId' | 'metadata'>,
  root: { parent: string | undefined; path: string } = { parent: undefined, path: '' },
): Page[] {
  return (byParent.get(root.parent) ?? []).map((page) => {
    const path = page.slug === undefined ? root.path : joinPath(root.path, page.slug)
    return presentPage(page, { ...place, path, children: presentTree(byParent, place, { parent: page.id, path }) })
  })
}

export const joinPath = (parent: string, slug: string): string => (parent === '' ? slug : `${parent}/${slug}`)
