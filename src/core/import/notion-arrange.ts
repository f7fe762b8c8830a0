/** The tree of a Notion export: pages lie in folders of the name of the page above them, with or without its id. */

import type { ArrangedPage } from '../repository/arrange.ts'
import { folderOf, nameOf } from '../repository/paths.ts'
import { slugOfName } from '../repository/slugs.ts'
import { maxDepth } from '../revision/content.ts'

/** `Roadmap 0f3c…(32).md`: the name without the id. */
export const plainName = (name: string): string =>
  name
    .replace(/\.(md|csv|html)$/i, '')
    .replace(/[ -]?\b[0-9a-f]{32}(_all)?$/i, '')
    .trim()

/** `orders` says where a page stands among its siblings, by path: Notion has no order but that of the links to them. */
export function arrangeByNames(
  pages: readonly { path: string; title: string }[],
  orders: ReadonlyMap<string, number>,
): ArrangedPage[] {
  const byFolder = new Map<string, { path: string; title: string }[]>()
  for (const page of pages) {
    const folder = folderOf(page.path)
    const same = byFolder.get(folder)
    if (same) same.push(page)
    else byFolder.set(folder, [page])
  }
  const folders = new Set(byFolder.keys())
  const used = new Set<string>()
  const arrangeFolder = (folder: string, depth: number): ArrangedPage[] => {
    used.add(folder)
    const here = [...(byFolder.get(folder) ?? [])].sort(
      (a, b) => orderOf(a, orders) - orderOf(b, orders) || compare(a, b),
    )
    return here.flatMap(({ path, title }) => {
      const stem = path.replace(/\.(md|csv|html)$/i, '')
      const below = [stem, `${folderOf(path) === '' ? '' : `${folderOf(path)}/`}${plainName(nameOf(path))}`]
        .filter((name) => folders.has(name) && !used.has(name))
        .flatMap((name) => arrangeFolder(name, depth < maxDepth ? depth + 1 : depth))
      const slug = slugOfName(plainName(nameOf(path)))
      const page: ArrangedPage = { type: 'document', title, isNamed: false, path, slug, children: [] }
      return depth < maxDepth ? [{ ...page, children: below }] : [page, ...below]
    })
  }
  const roots = arrangeFolder('', 1)
  // Folders of pages that are not in the export stand by themselves.
  const left = [...folders].sort().filter((folder) => !used.has(folder))
  return [...roots, ...left.flatMap((folder) => (used.has(folder) ? [] : arrangeFolder(folder, 1)))]
}

const orderOf = ({ path }: { path: string }, orders: ReadonlyMap<string, number>): number =>
  orders.get(path) ?? Number.MAX_SAFE_INTEGER

const compare = (a: { title: string }, b: { title: string }): number =>
  a.title < b.title ? -1 : a.title > b.title ? 1 : 0
