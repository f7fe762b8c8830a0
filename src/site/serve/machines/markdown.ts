/**
 * A page as Markdown: at its own address for whoever asks for `text/markdown`, and at that address with `.md` behind it.
 * Links lead to the Markdown of other pages; what this reader does not see is not linked.
 */

import { setImmediate as breath } from 'node:timers/promises'
import { toMarkdown } from '../../../core/document/to-markdown.ts'
import type { ContentRef, JSONDocument, Node } from '../../../core/document/tree/nodes.ts'
import { canonicalRef } from '../../../core/document/tree/normalise-data.ts'
import { collectRefs } from '../../../core/document/tree/refs.ts'
import { mapChildren } from '../../../core/document/tree/walk.ts'
import { isLong, printAside } from '../../render/aside.ts'
import { refKey } from '../../render/body.ts'
import { absolute, hrefBelow } from '../addresses.ts'
import { isRead, navigationOf, type Page } from '../navigation.ts'
import { type Profile, profileOf, type ServedSpace } from '../profile.ts'
import { type Resolve, resolveRefs, resolverOf } from '../refs.ts'
import { withSpecs } from '../specs.ts'
import { type Answered, type Asked, redirectTo, type Visiting } from '../visiting.ts'
import { textAnswer } from './text-answer.ts'

/** The path of the page that is asked for as Markdown; undefined where it is not. */
export function markdownPath({ path, accept }: Asked): readonly string[] | undefined {
  const last = path.at(-1)
  if (path.length === 1 && last === '.md') return []
  if (last !== undefined && last.length > 3 && last.endsWith('.md')) {
    const name = last.slice(0, -3)
    return name === 'index' ? path.slice(0, -1) : [...path.slice(0, -1), name]
  }
  return !accept.startsWith('text/html') && accept.includes('text/markdown') ? path : undefined
}

/** Undefined where there is no such page: then it is looked for like any other address. */
export async function answerMarkdown(visiting: Visiting, path: readonly string[]): Promise<Answered | undefined> {
  const profile = await profileOf(visiting)
  const found = await pageAt(visiting, profile, path)
  if (!found) return undefined
  const { site } = visiting
  const { siteSpace, page, href } = found
  if (href === undefined) return redirectTo(markdownHref(visiting, profile, siteSpace, page))
  return textAnswer(site, 'text/markdown', await markdownOf(visiting, { profile, siteSpace, page }), {
    vary: 'accept',
    // The page itself is what search engines are to list.
    'x-robots-tag': 'noindex',
    link: `<${absolute(site.root, site.basePath, href)}>; rel="canonical"`,
  })
}

const markdownHref = ({ site }: Visiting, profile: Profile, siteSpace: ServedSpace, { path = '' }: Page): string =>
  `${hrefBelow(site.basePath, profile.pageAddressesOf(siteSpace)(path))}.md`

export interface PageAt {
  siteSpace: ServedSpace
  page: Page
  /** Where it is read; undefined when the path is one that it once had. */
  href: string | undefined
}

/** The page at a path of the site, for this reader. */
export async function pageAt(
  visiting: Visiting,
  profile: Profile,
  path: readonly string[],
): Promise<PageAt | undefined> {
  const located = path.some((segment) => segment === '' || segment.includes('/'))
    ? undefined
    : profile.locate(path.join('/'))
  if (!located) return undefined
  const { space: siteSpace, rests } = located
  const met = await navigationOf(visiting, profile, siteSpace).met(visiting, rests)
  if (!met || !isRead(met.entry.page)) return undefined
  const { entry, rest } = met
  const { page, href } = entry
  return { siteSpace, page, href: rest === '' || entry.path === rest ? href : undefined }
}

export async function markdownOf(
  visiting: Visiting,
  { profile, siteSpace, page }: { profile: Profile; siteSpace: ServedSpace; page: Page },
): Promise<string> {
  const read = await visiting.client.getPageById({
    spaceId: siteSpace.about.space.id,
    pageId: page.id,
    query: { format: 'document', evaluated: true, dereferenced: true, metadata: false },
  })
  const document = await withSpecs(visiting, { siteSpace, page }, read.document ?? empty)
  const isAside = isLong(document)
  if (isAside) await breath()
  const refs = collectRefs(document).map(({ ref }) => ref)
  const resolve = resolverOf(await resolveRefs({ visiting, profile, siteSpace, document }, refs))
  const frontMatter = { ...(read.description === undefined ? {} : { description: read.description }), other: {} }
  const printRef = (ref: ContentRef): string => targetOf(visiting, resolve, ref)
  const { title } = page
  if (!isAside) return toMarkdown(alive(document, resolve), { title, frontMatter, printRef })
  const targets = new Map<string, string>()
  // The printer puts the tree in its one form first, and asks for references in theirs.
  for (const ref of refs) for (const one of [ref, canonicalRef(ref)]) targets.set(refKey(one), printRef(one))
  await breath()
  const living = alive(document, resolve)
  await breath()
  return printAside(visiting.threads, living, { title, frontMatter, targets: [...targets] })
}

const empty: JSONDocument = { object: 'document', data: { schemaVersion: 1 }, nodes: [] }

/** Where a reference leads, spelt in full; a page is linked as Markdown. */
function targetOf({ site }: Visiting, resolve: Resolve, ref: ContentRef): string {
  const href = resolve(ref)?.href
  if (href === undefined) return '#'
  if (!href.startsWith('/') || href.startsWith('//')) return href
  const url = absolute(site.root, site.basePath, href)
  if (ref.kind !== 'page' && !(ref.kind === 'anchor' && ref.page !== undefined)) return url
  const [plain = '', anchor] = url.split('#', 2)
  // The page that opens the site has no name to put the ending behind.
  const twin = plain === site.root ? `${plain}/index.md` : `${plain}.md`
  return anchor === undefined ? twin : `${twin}#${anchor}`
}

/** The document without links that lead nowhere: their words stay. */
function alive(document: JSONDocument, resolve: Resolve): JSONDocument {
  const leads = (node: Node): boolean =>
    !('data' in node) || !('ref' in node.data) || node.data.ref === undefined || resolve(node.data.ref) !== undefined
  const change = <T extends Node | JSONDocument>(node: T): T => {
    if (!('nodes' in node)) return node
    const nodes = (node.nodes as Node[]).flatMap((child): Node[] => {
      if (child.object === 'inline' && child.type === 'link' && !leads(child)) return child.nodes
      if (child.object === 'block' && child.type === 'content-ref' && !leads(child)) return []
      return [child]
    })
    return { ...node, nodes } as T
  }
  const visit = (node: Node): Node => change(mapChildren(node, visit))
  return change(mapChildren(document, visit))
}
