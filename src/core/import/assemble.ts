/**
 * Pages that were read one by one, each with the address it was found at, as one tree: links between them become links
 * between paths, and the navigation of the source, where it has one, says their order.
 */
import type { ContentRef, JSONDocument, Node } from '../document/tree/nodes.ts'
import { mapRefs, refsOf } from '../document/tree/refs.ts'
import { childrenOf } from '../document/tree/walk.ts'
import type { ArrangedPage } from '../repository/arrange.ts'
import { arrangeByFolders } from '../repository/arrange-folders.ts'
import { maxDepth } from '../revision/content.ts'
import type { NavigationEntry } from './navigation.ts'
import type { ImportedDocument, ImportedFile, ImportedTree } from './tree.ts'

export interface FoundPage {
  /** Where it was found, as `normaliseUrl` spells it. */
  url: string
  /** What it is called in the tree. */
  path: string
  oid: string
  page: ImportedDocument
}

export interface Assembly {
  origin: string
  pages: readonly FoundPage[]
  /** Files of the tree, by the address they were found at. */
  files: ReadonlyMap<string, ImportedFile>
  navigation: readonly NavigationEntry[]
  /** The pages in an order of their own, when the source says it in another way. */
  arrangement?: ArrangedPage[] | undefined
  /** One spelling for every address, without what follows `#`. */
  normaliseUrl: (url: string) => string
  /** How a link that leads to nothing of the source is spelt. */
  spellOther: (url: string) => string
}

export function assemble(assembly: Assembly): ImportedTree {
  const { origin, pages, files, navigation, normaliseUrl } = assembly
  const paths = new Map(pages.map(({ url, path }) => [url, path]))
  const retarget = (ref: ContentRef): ContentRef => {
    if (ref.kind !== 'url') return ref
    const at = ref.url.indexOf('#')
    const key = normaliseUrl(at === -1 ? ref.url : ref.url.slice(0, at))
    const page = paths.get(key)
    if (page !== undefined) return { kind: 'url', url: `/${page}${at === -1 ? '' : ref.url.slice(at)}` }
    const file = files.get(key)
    return { kind: 'url', url: file ? `/${encodePath(file.path)}` : assembly.spellOther(ref.url) }
  }
  const texts: ImportedTree['texts'] = new Map(
    pages.map(({ path, oid, page }) => [path, { ...page, oid, document: mapRefs(page.document, retarget) }]),
  )
  const config = { root: '', readme: 'README.md', summary: 'SUMMARY.md' }
  const arrangement = assembly.arrangement ?? arrangePages(pages, navigation, normaliseUrl)
  return {
    origin,
    config,
    pages: withRest(arrangement, texts, config),
    texts,
    includes: new Map(),
    files: [...files.values()],
    redirects: [],
    problems: [],
    skipped: [],
  }
}

/** Addresses that a document refers to, and whether a picture is expected there. */
export function fileUrlsIn(document: JSONDocument): { url: string; isImage: boolean }[] {
  const found: { url: string; isImage: boolean }[] = []
  const visit = (node: Node): void => {
    const isImage = node.object !== 'text' && (node.type === 'image' || node.type === 'inline-image')
    for (const ref of refsOf(node)) if (ref.kind === 'url') found.push({ url: ref.url, isImage })
    for (const child of childrenOf(node)) visit(child)
  }
  for (const node of document.nodes) visit(node)
  return found
}

function arrangePages(
  pages: readonly FoundPage[],
  navigation: readonly NavigationEntry[],
  normaliseUrl: (url: string) => string,
): ArrangedPage[] {
  const paths = new Map(pages.map(({ url, path }) => [url, path]))
  const used = new Set<string>()
  const arrangeEntries = (entries: readonly NavigationEntry[], depth: number): ArrangedPage[] =>
    entries.flatMap(({ title, url, children }) => {
      const path = url === undefined ? undefined : paths.get(normaliseUrl(url.replace(/#.*$/s, '')))
      const isNew = path !== undefined && !used.has(path)
      if (isNew) used.add(path)
      const below = arrangeEntries(children, depth < maxDepth ? depth + 1 : depth)
      // What the list names and nobody could fetch has no place, unless others stand below it.
      if (!isNew && (path !== undefined || below.length === 0)) return below
      const page: ArrangedPage = isNew
        ? { type: 'document', title, isNamed: true, path, children: [] }
        : { type: depth === 1 ? 'group' : 'document', title, isNamed: true, children: [] }
      return depth < maxDepth ? [{ ...page, children: below }] : [page, ...below]
    })
  const arranged = arrangeEntries(navigation, 1)
  // A list that leaves most pages out is no table of contents.
  return used.size * 3 < pages.length ? [] : arranged
}

/** With the pages that the arrangement leaves out, by their folders, behind the others; the front page comes first. */
function withRest(
  arrangement: ArrangedPage[],
  texts: ImportedTree['texts'],
  config: ImportedTree['config'],
): ArrangedPage[] {
  const used = new Set<string>()
  const visit = (pages: readonly ArrangedPage[]): void => {
    for (const { path, children } of pages) {
      if (path !== undefined) used.add(path)
      visit(children)
    }
  }
  visit(arrangement)
  const left = [...texts.keys()].filter((path) => !used.has(path))
  const rest = arrangeByFolders(left, {
    config,
    skimmed: (path) => {
      const text = texts.get(path)
      return { title: text && 'document' in text ? text.title : undefined }
    },
  })
  const front = rest.findIndex(({ path }) => path === config.readme)
  return front === -1 ? [...arrangement, ...rest] : [...rest.splice(front, 1), ...arrangement, ...rest]
}

const encodePath = (path: string): string =>
  path.replace(/[%#?]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`)
