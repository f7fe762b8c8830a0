/**
 * Where everything of a space lies in the repository that an export writes.
 *
 * 1. What came from a repository goes back to the path it came from, whatever happened to it since, unless another thing
 *    has that path now.
 * 2. A new page lies where the tree says: `dir/name.md`, or `dir/name/README.md` when it has pages below it. New files go
 *    to `.gitbook/assets`, new reusable contents to `.gitbook/includes`.
 * 3. Reading the layout back (`arrangement.ts`) gives every thing the path it has here.
 */
import { bySiblingOrder } from '../revision/content.ts'
import type { FileRecord, GitBlob, PageRecord, ReusableRecord } from '../revision/records.ts'
import { slugify } from '../text.ts'
import { derivedSlug, folderUnder } from './arrange.ts'
import { Claims } from './claims.ts'
import { assetsFolder, type FileKind, includesFolder, kindOf, type RepositoryConfig, variablesPath } from './config.ts'
import { bytesOf, isSafePath, safeName, within } from './paths.ts'
import { isSlug, slugsToSay } from './slugs.ts'
import { lineOf } from './summary.ts'

export type PageTree = ReadonlyMap<string | undefined, readonly PageRecord[]>

export interface LayoutInput {
  config: RepositoryConfig
  tree: PageTree
  files: readonly FileRecord[]
  reusable: readonly ReusableRecord[]
  hasVariables: boolean
}

export interface Layout {
  /** Paths by id. */
  pages: Map<string, string>
  files: Map<string, string>
  reusable: Map<string, string>
  /** Slugs that the names of files do not tell, by id. */
  slugs: Map<string, string>
  /** Pages that the table of contents leaves out, as it did when they were imported. */
  unlisted: Set<string>
}

export function layOut(input: LayoutInput): Layout {
  const { config, tree } = input
  const claims = new Claims()
  claims.take(config.summary)
  if (input.hasVariables) claims.take(variablesPath(config))
  const layout: Layout = {
    pages: new Map(),
    files: new Map(),
    reusable: new Map(),
    slugs: new Map(),
    unlisted: new Set(),
  }
  const remember = (into: Map<string, string>, thing: { id: string; git?: GitBlob }, kinds: readonly FileKind[]) => {
    const path = thing.git?.path
    if (path === undefined || !isSafePath(path) || !kinds.includes(kindOf(path, config) ?? 'summary')) return
    if (claims.take(path)) into.set(thing.id, path)
  }
  const ordered = inOrder(tree)
  for (const page of ordered) if (page.type === 'document') remember(layout.pages, page, ['page'])
  for (const record of input.reusable) remember(layout.reusable, record, ['include'])
  for (const file of input.files) remember(layout.files, file, ['file', 'config', 'variables'])
  for (const page of [...ordered].reverse()) if (isUnlisted(page, input, layout)) layout.unlisted.add(page.id)
  placePages(layout, claims, input)
  for (const record of [...input.reusable].sort(byTitle)) {
    if (layout.reusable.has(record.id)) continue
    const name = safeName(slugify(record.title) || 'include')
    layout.reusable.set(record.id, claims.takeFree(numbered(within(includesFolder(config), name), '.md')))
  }
  for (const file of [...input.files].sort(byName)) {
    if (layout.files.has(file.id)) continue
    const { stem, extension } = splitName(safeName(file.name))
    layout.files.set(
      file.id,
      claims.takeFree((n) => within(assetsFolder(config), `${n === undefined ? stem : `${stem} (${n})`}${extension}`)),
    )
  }
  return layout
}

/** All pages, parents before children, as a reader meets them. */
export function inOrder(tree: PageTree): PageRecord[] {
  const found: PageRecord[] = []
  const visit = (parent: string | undefined): void => {
    for (const page of [...(tree.get(parent) ?? [])].sort(bySiblingOrder)) {
      found.push(page)
      visit(page.id)
    }
  }
  visit(undefined)
  return found
}

/** Gives new pages their paths, level by level, and finds the slugs that must be said. */
function placePages(layout: Layout, claims: Claims, { config, tree }: LayoutInput): void {
  const visit = (parent: string | undefined, above: string): void => {
    const pages = [...(tree.get(parent) ?? [])].sort(bySiblingOrder)
    // A page called `node_modules.md` has a folder below it in which no import would look.
    const folder = kindOf(within(above, 'page.md'), config) === 'page' ? above : config.root
    for (const page of pages) {
      if (page.type !== 'document' || layout.pages.has(page.id)) continue
      const name = within(folder, safeName(page.slug ?? (slugify(page.title) || 'page')))
      const hasPages = (tree.get(page.id) ?? []).length > 0
      layout.pages.set(page.id, claims.takeFree(numbered(name, hasPages ? '/README.md' : '.md')))
    }
    const addressed = pages.filter((page) => page.type !== 'link')
    // Unlisted pages take what the others leave.
    const listed = addressed.filter((page) => !layout.unlisted.has(page.id))
    const named = listed.map((page) => ({
      slug: page.slug ?? '',
      derived: derivedSlug({ path: layout.pages.get(page.id), title: lineOf(page.title) }, above),
    }))
    const explicit = slugsToSay(named)
    for (const [at, page] of listed.entries())
      if (explicit[at] && page.slug !== undefined && isSlug(page.slug)) layout.slugs.set(page.id, page.slug)
    for (const page of addressed) {
      visit(page.id, folderUnder({ path: layout.pages.get(page.id) }, { above, slug: page.slug ?? 'page' }))
    }
  }
  visit(undefined, config.root)
}

/** A computed page is called after what computes it, unless it has a title: `builtin:openapi` is `openapi`. */
export const computedTitle = (type: string): string => lineOf(type.slice(type.lastIndexOf(':') + 1))

const numbered =
  (name: string, end: string) =>
  (n: number | undefined): string =>
    `${name}${n === undefined ? '' : `-${n}`}${end}`

function splitName(name: string): { stem: string; extension: string } {
  const dot = name.lastIndexOf('.')
  const extension = dot > 0 && bytesOf(name.slice(dot)) <= 20 ? name.slice(dot) : ''
  return { stem: name.slice(0, name.length - extension.length), extension }
}

/** A page that nobody listed stays so while it is hidden, and holds nothing that must be listed. The front page is listed. */
function isUnlisted(page: PageRecord, { tree, config }: LayoutInput, { pages, unlisted }: Layout): boolean {
  if (pages.get(page.id) === config.readme) return false
  if (page.type !== 'document' || page.hidden !== true || page.unlisted === undefined) return false
  return (tree.get(page.id) ?? []).every((child) => unlisted.has(child.id))
}

const byTitle = (a: ReusableRecord, b: ReusableRecord): number => compare(`${a.title}\0${a.id}`, `${b.title}\0${b.id}`)
const byName = (a: FileRecord, b: FileRecord): number => compare(`${a.name}\0${a.id}`, `${b.name}\0${b.id}`)
const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)
