/**
 * The tree of a repository without a table of contents: folders are pages, in the order that people meant by numbers in
 * front matter or before names, and of titles otherwise.
 */
import { splitFrontMatter } from '../document/syntax/front-matter.ts'
import { maxDepth } from '../revision/content.ts'
import { type ArrangedPage, titleOfName, titleOfPath } from './arrange.ts'
import type { RepositoryConfig } from './config.ts'
import { folderOf, isFolderPage, isWithin, nameOf, within } from './paths.ts'

/** What can be told of a page without reading all of it. */
export interface Skimmed {
  title?: string | undefined
  order?: number | undefined
  /** What it is called in a table of contents, where that is something else. */
  label?: string | undefined
}

const orderKeys = ['order', 'sidebar_position', 'nav_order', 'weight', 'position']
const labelKeys = ['sidebar_label', 'sidebarTitle', 'nav_title', 'linkTitle']

export function skim(markdown: string): Skimmed {
  const { frontMatter, body } = splitFrontMatter(markdown)
  const sidebar = asObject(frontMatter.other.sidebar)
  const given = [...orderKeys.map((key) => frontMatter.other[key]), sidebar.order]
  const order = given.find((value) => typeof value === 'number')
  const label = [...labelKeys.map((key) => frontMatter.other[key]), sidebar.label].find(isText)
  const heading = /^#[ \t]+(.*?)[ \t]*#*[ \t]*$/m.exec(body.slice(0, 5000))?.[1]
  const { title } = frontMatter.other
  return {
    order: typeof order === 'number' ? order : undefined,
    title: typeof title === 'string' && title !== '' ? title : heading,
    label: isText(label) ? label : undefined,
  }
}

const asObject = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {}

const isText = (value: unknown): value is string => typeof value === 'string' && value !== ''

interface Folder {
  path: string
  pages: string[]
  folders: Map<string, Folder>
}

export function arrangeByFolders(
  paths: Iterable<string>,
  {
    config,
    skimmed,
    category = () => undefined,
  }: {
    config: RepositoryConfig
    skimmed: (path: string) => Skimmed
    /** What a file of its own says of a folder. */
    category?: (folder: string) => Skimmed | undefined
  },
): ArrangedPage[] {
  const root: Folder = { path: config.root, pages: [], folders: new Map() }
  for (const path of paths) folderFor(root, folderOf(path)).pages.push(path)
  const arranged = arrangeFolder(root, undefined, 1, { skimmed, category })
  const front = arranged.findIndex(({ path }) => path === config.readme || (path && isOwn(path, config.root)))
  return front > 0 ? [...arranged.splice(front, 1), ...arranged] : arranged
}

const isOwn = (path: string, folder: string): boolean => isFolderPage(path) && folderOf(path) === folder

function folderFor(root: Folder, path: string): Folder {
  let folder = root
  const inside = isWithin(root.path, path) ? path.slice(root.path === '' ? 0 : root.path.length + 1) : ''
  for (const name of inside === '' ? [] : inside.split('/')) {
    let next = folder.folders.get(name)
    if (!next) {
      next = { path: within(folder.path, name), pages: [], folders: new Map() }
      folder.folders.set(name, next)
    }
    folder = next
  }
  return folder
}

/** The pages in a folder but `self`, which stands for it. */
function arrangeFolder(
  folder: Folder,
  self: string | undefined,
  depth: number,
  known: { skimmed: (path: string) => Skimmed; category: (folder: string) => Skimmed | undefined },
): ArrangedPage[] {
  const { skimmed, category } = known
  const arranged = new Map<string, Sorted>()
  for (const path of folder.pages) {
    if (path === self) continue
    const { order, title, label } = skimmed(path)
    const page = { ...documentAt(path), ...(label === undefined ? {} : { linkTitle: label }), children: [] }
    arranged.set(path, { page, order: order ?? numberOf(nameOf(path)), title: title ?? page.title })
  }
  const flat: ArrangedPage[] = []
  for (const [name, inner] of folder.folders) {
    const own = pageOfFolder(inner)
    const beside = arranged.get(`${inner.path}.md`)
    if (depth >= maxDepth) flat.push(...arrangeFolder(inner, undefined, depth, known))
    else if (!own && beside) beside.page.children.push(...arrangeFolder(inner, undefined, depth + 1, known))
    else {
      const file = own === undefined ? undefined : skimmed(own)
      const named = category(inner.path)
      const type = own === undefined && depth === 1 ? 'group' : 'document'
      const made = own === undefined ? madeUp(type, name) : documentAt(own)
      const label = named?.title ?? file?.label
      const page: ArrangedPage = {
        ...made,
        ...(label === undefined ? {} : own === undefined ? { title: label } : { linkTitle: label }),
        children: arrangeFolder(inner, own, depth + 1, known),
      }
      const order = named?.order ?? file?.order ?? numberOf(name)
      arranged.set(`${inner.path}/`, { page, order, title: label ?? file?.title ?? page.title })
    }
  }
  return [...[...arranged.values()].sort(byOrder).map(({ page }) => page), ...flat]
}

const pageOfFolder = ({ pages }: Folder): string | undefined =>
  pages.filter(isFolderPage).sort((a, b) => Number(/index\.md$/i.test(a)) - Number(/index\.md$/i.test(b)))[0]

const documentAt = (path: string): Omit<ArrangedPage, 'children'> => ({
  type: 'document',
  title: titleOfPath(path),
  isNamed: false,
  path,
})

const madeUp = (type: 'group' | 'document', name: string): Omit<ArrangedPage, 'children'> => ({
  type,
  title: titleOfName(name),
  isNamed: false,
  name,
})

interface Sorted {
  page: ArrangedPage
  order: number | undefined
  title: string
}

const numberOf = (name: string): number | undefined => {
  const match = /^(\d{1,9})[-_. ]/.exec(name)
  return match ? Number(match[1]) : undefined
}

const collator = new Intl.Collator('en', { numeric: true, sensitivity: 'base' })

function byOrder(a: Sorted, b: Sorted): number {
  const [left, right] = [a.order ?? Number.POSITIVE_INFINITY, b.order ?? Number.POSITIVE_INFINITY]
  if (left !== right) return left < right ? -1 : 1
  const byTitle = collator.compare(a.title, b.title)
  if (byTitle !== 0) return byTitle
  const [one, other] = [a.page.path ?? '', b.page.path ?? '']
  return one < other ? -1 : one > other ? 1 : 0
}
