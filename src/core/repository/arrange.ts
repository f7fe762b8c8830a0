/**
 * What the pages of a repository will be: a tree of pages, each with its file, made of the table of contents or, without
 * one, of the folders.
 *
 * 1. Every page file is in the tree exactly once. One that the table of contents leaves out is `unlisted`, under the page
 *    that stands for its folder; one that it names again is a link there.
 * 2. Groups stand at the root; only documents and groups have children; nothing is deeper than `maxDepth`.
 */
import type { PlainObject } from '../document/tree/nodes.ts'
import { maxDepth } from '../revision/content.ts'
import type { PageType } from '../revision/records.ts'
import { slugify } from '../text.ts'
import type { RepositoryConfig } from './config.ts'
import { folderBelow, folderOf, isFolderPage, safeName, within } from './paths.ts'
import { slugOfName, slugOfPath } from './slugs.ts'
import type { SummaryEntry, SummaryPart } from './summary.ts'

export interface ArrangedPage {
  type: PageType
  /** The title of a page without a file; where a list names a page with one. */
  title: string
  linkTitle?: string | undefined
  /** Whether the table of contents gave the title, or it was made up from a name. */
  isNamed: boolean
  path?: string | undefined
  target?: string | undefined
  computed?: PlainObject | undefined
  /** A slug said in so many words. */
  slug?: string | undefined
  /** For a page without a file: the name its slug is made of. */
  name?: string | undefined
  fields?: PlainObject | undefined
  unlisted?: boolean | undefined
  children: ArrangedPage[]
}

/** The slug a page's name asks for, among pages that lie in the folder `above`. */
export function derivedSlug(page: Pick<ArrangedPage, 'path' | 'name' | 'title'>, above: string): string {
  if (page.path !== undefined) return slugOfPath(page.path, above)
  return page.name === undefined ? slugify(page.title) || 'page' : slugOfName(page.name)
}

/** The folder in which the pages below this one lie. */
export function folderUnder(
  page: Pick<ArrangedPage, 'path'>,
  { above, slug }: { above: string; slug: string },
): string {
  return page.path === undefined ? within(above, safeName(slug)) : folderBelow(page.path)
}

export interface SummarySource {
  config: RepositoryConfig
  /** The page files. */
  paths: ReadonlySet<string>
  /** The page file that a target names, with its anchor if it has one. */
  find: (target: string) => { path: string; anchor: boolean } | undefined
}

export function arrangeBySummary(parts: readonly SummaryPart[], source: SummarySource): ArrangedPage[] {
  const used = new Set<string>()
  const roots: ArrangedPage[] = []
  for (const { group, entries } of parts) {
    if (!group) {
      roots.push(...entries.flatMap((entry) => arrangeEntry(entry, 1, source, used)))
      continue
    }
    const children = entries.flatMap((entry) => arrangeEntry(entry, 2, source, used))
    roots.push({ type: 'group', isNamed: true, ...group, children })
  }
  const { readme } = source.config
  if (source.paths.has(readme) && !used.has(readme)) {
    used.add(readme)
    roots.unshift({ type: 'document', title: titleOfPath(readme), isNamed: false, path: readme, children: [] })
  }
  addUnlisted(roots, source, used)
  return roots
}

/** The page of an entry, and what cannot stand below it behind it. */
function arrangeEntry(entry: SummaryEntry, depth: number, source: SummarySource, used: Set<string>): ArrangedPage[] {
  const page = pageOf(entry, source, used)
  const holds = page.type === 'document' && depth < maxDepth
  const children = entry.children.flatMap((child) => arrangeEntry(child, holds ? depth + 1 : depth, source, used))
  return holds ? [{ ...page, children }] : [page, ...children]
}

function pageOf(entry: SummaryEntry, source: SummarySource, used: Set<string>): ArrangedPage {
  const base = { title: entry.title, linkTitle: entry.linkTitle, fields: entry.fields, isNamed: true, children: [] }
  if (entry.computed) return { ...base, type: 'computed', computed: entry.computed }
  if (entry.target === undefined) return { ...base, type: 'document' }
  const found = source.find(entry.target)
  if (found && !found.anchor && !used.has(found.path)) {
    used.add(found.path)
    return { ...base, type: 'document', path: found.path }
  }
  // A file that is missing still has a place, if others stand below it.
  const isMissing = !found && entry.children.length > 0 && !/^([a-z][a-z0-9+.-]*:|\/\/)/i.test(entry.target)
  return isMissing ? { ...base, type: 'document' } : { ...base, type: 'link', target: entry.target }
}

interface Owner {
  page: ArrangedPage
  depth: number
}

/** Puts the files that nobody listed below the pages that stand for their folders. */
function addUnlisted(roots: ArrangedPage[], { config, paths }: SummarySource, used: ReadonlySet<string>): void {
  const left = [...paths].filter((path) => !used.has(path))
  if (left.length === 0) return
  const owners = new Map<string, Owner>()
  const own = (page: ArrangedPage, depth: number): void => {
    const folder = page.type === 'group' ? within(config.root, safeName(page.slug ?? slugify(page.title))) : undefined
    const below = page.path === undefined ? folder : folderBelow(page.path)
    const known = below === undefined ? undefined : owners.get(below)?.page
    if (below !== undefined && (!known || known.type === 'group' || isFolderPage(page.path ?? '')))
      owners.set(below, { page, depth })
    for (const child of page.children) own(child, depth + 1)
  }
  for (const page of roots) own(page, 1)
  owners.delete(config.root)
  for (const path of left.sort(byFolder)) {
    const page: ArrangedPage = {
      type: 'document',
      title: titleOfPath(path),
      isNamed: false,
      path,
      unlisted: true,
      children: [],
    }
    const owner = ownerOf(isFolderPage(path) ? folderOf(folderOf(path)) : folderOf(path), owners)
    if (owner) owner.page.children.push(page)
    else roots.push(page)
    const below = folderBelow(path)
    if (below !== config.root && !owners.has(below)) owners.set(below, { page, depth: (owner?.depth ?? 0) + 1 })
  }
}

function ownerOf(folder: string, owners: ReadonlyMap<string, Owner>): Owner | undefined {
  for (let at = folder; at !== ''; at = folderOf(at)) {
    const owner = owners.get(at)
    if (owner && owner.depth < maxDepth) return owner
  }
  return undefined
}

/** Folders before what they hold, and the page of a folder before its others. */
function byFolder(a: string, b: string): number {
  const [left, right] = [sortKey(a), sortKey(b)]
  return left < right ? -1 : left > right ? 1 : 0
}

const sortKey = (path: string): string => {
  const folder = folderOf(path)
  const sortKey = (folder === '' ? [] : folder.split('/')).map((part) => `1${part}\u0000`).join('')
  return `${sortKey}${isFolderPage(path) ? '0' : '0~'}${path.slice(path.lastIndexOf('/') + 1)}`
}

/** A title made of a name: `02-getting_started.md` is `Getting started`. */
export function titleOfPath(path: string): string {
  const folder = folderOf(path)
  const name = isFolderPage(path) && folder !== '' ? folder : path.replace(/\.md$/i, '')
  return titleOfName(name.slice(name.lastIndexOf('/') + 1))
}

export function titleOfName(name: string): string {
  const words = name
    .replace(/^\d+[-_. ]+(?=\S)/, '')
    .replace(/[-_]+/g, ' ')
    .trim()
  return words === '' ? name : words.charAt(0).toUpperCase() + words.slice(1)
}
