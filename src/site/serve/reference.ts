/**
 * The reference of an API as a site of its own: a page that says what there is, one for each tag, one for each operation, in the
 * layout and with the renderer of published sites. All of it comes from one document, which does not change while it is served.
 */

import type { Caches } from '../../core/caches.ts'
import { completeCustomization } from '../../core/customization/complete.ts'
import { makeDocument, paragraph } from '../../core/document/tree/make.ts'
import { type OpenSpec, partOf } from '../../core/openapi/collect.ts'
import type { JsonObject } from '../../core/openapi/json.ts'
import { packSpec } from '../../core/openapi/pack.ts'
import { type ComputedPage, descriptionOf, documentOf, pagesOf } from '../../core/openapi/pages.ts'
import { specBlocksIn } from '../../core/openapi/write-out.ts'
import { cutTo } from '../../core/text.ts'
import type { Threads } from '../../threads/supervisor.ts'
import { renderPage } from '../layout/page.ts'
import type { PageLink, PageView, SiteFrame } from '../layout/page-view.ts'
import type { SearchAnswer } from '../layout/search-answer.ts'
import { renderNotFound, renderSearchPage } from '../layout/stand-in.ts'
import { sliceTree, type TreeItem } from '../layout/tree.ts'
import { refKey } from '../render/body.ts'
import { faviconSvg } from '../render/favicon.ts'
import { assetsSegment, hrefBelow } from './addresses.ts'
import { loadAssets } from './assets.ts'
import { htmlAnswer } from './html-answer.ts'
import type { Answered } from './visiting.ts'

export interface ReferenceAsked {
  /** Behind the address of the reference, decoded. */
  path: readonly string[]
  query: URLSearchParams
  accept: string
}

export interface Reference {
  answer(asked: ReferenceAsked): Promise<Answered>
}

export interface ReferenceOptions {
  document: JsonObject
  /** Absolute, without a trailing slash. */
  root: string
  /** The path of `root`. */
  basePath: string
  built: string
  vendored: string
  caches: Caches
  threads: Threads
}

const customization = completeCustomization({ title: 'Lectern API' })
const ref = { kind: 'openapi', spec: 'reference' } as const
const mostFound = 20

interface Entry {
  page: ComputedPage
  path: string
  item: TreeItem
  parent: Entry | undefined
}

export function makeReference(options: ReferenceOptions): Reference {
  const { root, basePath } = options
  const assets = loadAssets(options, options.caches)
  const spec = openDocument(options.document)
  const entries = entriesOf(pagesOf(spec.index, { models: true, grouping: 'by-operation' }), basePath)
  const roots = entries.flatMap(({ item, parent }) => (parent ? [] : [item]))
  // As many as there are operations, and the same for everyone.
  const answers = new Map<string, Answered>()
  const siteInfo = { id: 'reference', organizationId: '', root, basePath, noIndex: false }

  const frameAt = (entry: Entry | undefined): SiteFrame => ({
    site: { id: 'reference', title: 'Lectern API', url: root, basePath, home: hrefBelow(basePath, '') },
    customization: customization,
    assets: assets.assetsOf(customization, basePath),
    sections: [],
    versions: [],
    languages: [],
    tree: sliceTree(roots, entry?.item, 60_000),
    treeKey: 'reference',
    questions: { resolve: () => undefined, holds: () => true },
  })

  const render = async (entry: Entry | undefined): Promise<Answered> => {
    const view = await viewOf(entry)
    return { ...htmlAnswer({ site: siteInfo }, await renderPage(view, options), { status: 200 }), lasts: 'page' }
  }

  const viewOf = async (entry: Entry | undefined): Promise<PageView> => {
    const frame = frameAt(entry)
    const at = entry === undefined ? -1 : entries.indexOf(entry)
    const children = entries.filter(({ parent }) => parent === entry)
    const [before, after] = [at > 0 ? entries[at - 1] : undefined, entries[at + 1]]
    const props = entry?.page.props ?? ({ doc: 'info', page: '' } as const)
    const description = descriptionOf(spec.index, props)
    const about = description === undefined ? [] : [paragraph(description)]
    const document = documentOf(spec.index, ref, props, { about, pageId: (key) => key })
    const specs = new Map([[refKey(ref), await partOf(spec, specBlocksIn(document))]])
    const listed = entry === undefined || entry.page.props.doc === 'tag'
    return {
      ...frame,
      page: {
        id: entry?.path ?? 'index',
        title: entry?.page.title ?? 'Lectern API',
        canonical: `${root}/${entry?.path ?? ''}`.replace(/\/$/, ''),
        ...(listed ? { description: entry ? `${children.length} operations.` : (spec.index.description ?? '') } : {}),
        layout: { width: listed ? 'default' : 'wide', outline: false, metadata: false },
      },
      ...(listed ? {} : { document: makeDocument(document.nodes), refs: new Map(), specs }),
      breadcrumbs: entry?.parent ? [{ title: entry.parent.page.title, href: entry.parent.item.href ?? '' }] : [],
      ...(before ? { previous: linkOf(before) } : {}),
      ...(after ? { next: linkOf(after) } : {}),
      children: children.map(linkOf),
      questions: {
        ...frame.questions,
        evaluate: () => undefined,
        reusable: () => undefined,
        spec: (asked) => specs.get(refKey(asked)),
      },
    }
  }

  const search = async ({ query, accept }: ReferenceAsked): Promise<Answered> => {
    const answer = find(entries, cutTo((query.get('q') ?? '').trim(), 200))
    if (!/\bjson\b/.test(accept))
      return htmlAnswer({ site: siteInfo }, await renderSearchPage(frameAt(undefined), answer), { status: 200 })
    const headers = { 'content-type': 'application/json; charset=utf-8' }
    return { status: 200, headers, body: JSON.stringify(answer), lasts: 'never' }
  }

  const file = (path: readonly string[]): Answered | undefined => {
    const name = path.join('/')
    const style = assets.styleOf(customization)
    const found = style.path === name ? style : assets.common(name)
    const headers = { 'content-type': found?.contentType ?? '' }
    return found && { status: 200, headers, body: found.body, hash: found.path, lasts: 'forever' }
  }

  const answer = async (asked: ReferenceAsked): Promise<Answered> => {
    const [first = '', ...rest] = asked.path
    if (first === '~search') return search(asked)
    if (first === '~icon.svg') {
      const headers = { 'content-type': 'image/svg+xml' }
      return { status: 200, headers, body: faviconSvg(customization, 'Lectern API'), lasts: 'page' }
    }
    const found = first === assetsSegment ? file(rest) : undefined
    if (found) return found
    const path = asked.path.filter((segment) => segment !== '').join('/')
    const entry = entries.find((one) => one.path === path)
    if (path !== '' && !entry)
      return htmlAnswer({ site: siteInfo }, await renderNotFound(frameAt(undefined), []), { status: 404 })
    const known = answers.get(path)
    if (known) return known
    const made = await render(entry)
    answers.set(path, made)
    return made
  }
  return { answer }
}

/** A document in memory, read like one that is stored in parts. */
function openDocument(document: JsonObject): OpenSpec {
  const { index, parts } = packSpec(document, (text) => Buffer.from(text))
  const bytes = Buffer.concat(parts)
  return { index, read: ([from, length]) => JSON.parse(bytes.toString('utf8', from, from + length)) }
}

function entriesOf(pages: readonly ComputedPage[], basePath: string, parent?: Entry): Entry[] {
  return pages.flatMap((page) => {
    const path = parent ? `${parent.path}/${page.slug}` : page.slug
    const item: TreeItem = {
      id: path,
      kind: 'page',
      title: page.title,
      href: hrefBelow(basePath, path),
      ...(parent ? { parent: parent.item } : {}),
      children: [],
    }
    const entry: Entry = { page, path, item, parent }
    const below = entriesOf(page.pages, basePath, entry)
    item.children = below.map((one) => one.item)
    return [entry, ...below]
  })
}

const linkOf = ({ page, item }: Entry): PageLink => ({
  title: page.title,
  href: item.href ?? '',
  ...(page.props.doc === 'operation' ? { description: `${page.props.method.toUpperCase()} ${page.props.page}` } : {}),
})

/** Operations and tags that hold every word, those that hold them in their title first. */
function find(entries: readonly Entry[], query: string): SearchAnswer {
  const words = query
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '')
  if (words.length === 0) return { query, pages: [], near: [] }
  const hits = entries.flatMap((entry) => {
    const title = entry.page.title.toLowerCase()
    const about = linkOf(entry).description ?? ''
    const text = `${title} ${entry.path} ${about}`.toLowerCase()
    if (!words.every((word) => text.includes(word))) return []
    return [{ entry, about, rank: words.filter((word) => title.includes(word)).length }]
  })
  const best = hits.sort((a, b) => b.rank - a.rank).slice(0, mostFound)
  const pages = best.map(({ entry, about }) => ({
    title: [entry.page.title],
    href: entry.item.href ?? '',
    path: entry.parent ? [entry.parent.page.title] : [],
    snippet: about === '' ? [] : [about],
    sections: [],
  }))
  return { query, pages, near: [] }
}
