/** The pages in the order of a table of contents of another generator; what it leaves out follows by folders. */

import { type ArrangedPage, titleOfPath } from '../../repository/arrange.ts'
import { foldPath, resolvePath, within } from '../../repository/paths.ts'
import { maxDepth } from '../../revision/content.ts'
import type { ImportProblem } from '../tree.ts'
import type { NavItem, Navigation } from './navigation.ts'

export function arrangeByNavigation(
  navigation: Navigation,
  {
    paths,
    byFolders,
    onProblem,
  }: {
    paths: ReadonlySet<string>
    /** The pages of a folder, or those of this list, in their own order. */
    byFolders: (paths: readonly string[]) => ArrangedPage[]
    onProblem: (problem: ImportProblem) => void
  },
): ArrangedPage[] {
  const find = finder(paths, navigation.root)
  const used = new Set<string>()
  const arrangeItems = (items: readonly NavItem[], depth: number): ArrangedPage[] =>
    items.flatMap((item) => arrangeItem(item, depth))
  const arrangeItem = (item: NavItem, depth: number): ArrangedPage[] => {
    const { title, target, url } = item
    if (url !== undefined) return [{ type: 'link', title: title ?? url, isNamed: true, target: url, children: [] }]
    if (target?.endsWith('/*')) {
      const folder = within(navigation.root, target.slice(0, -2))
      const inside = [...paths].filter((path) => path.startsWith(`${folder}/`) && !used.has(path))
      for (const path of inside) used.add(path)
      return flattened(unwrapped(byFolders(inside)))
    }
    const path = target === undefined ? undefined : find(target)
    if (target !== undefined && path === undefined)
      onProblem({ path: navigation.path, message: `It names ${target}, which is not there.` })
    const isNew = path !== undefined && !used.has(path)
    if (isNew) used.add(path)
    const below = arrangeItems(item.items, depth < maxDepth ? depth + 1 : depth)
    if (!isNew && (below.length === 0 || title === undefined)) return below
    const page: ArrangedPage = isNew
      ? { type: 'document', title: title ?? titleOfPath(path), isNamed: title !== undefined, path, children: [] }
      : { type: depth === 1 ? 'group' : 'document', title: title ?? '', isNamed: true, children: [] }
    return depth < maxDepth ? [{ ...page, children: below }] : [page, ...below]
  }
  const arranged = arrangeItems(navigation.items, 1)
  const left = [...paths].filter((path) => !used.has(path))
  const rest = byFolders(left)
  const front = rest.findIndex(
    ({ path }) => path !== undefined && /^(?:.*\/)?(?:readme|index)\.md$/i.test(path) && path === find('index'),
  )
  return front === -1 ? [...arranged, ...rest] : [...rest.splice(front, 1), ...arranged, ...rest]
}

/** The pages of a folder without the folder itself, which the list has named already. */
function unwrapped(pages: ArrangedPage[]): ArrangedPage[] {
  const [one, ...others] = pages
  return one && others.length === 0 && one.path === undefined ? unwrapped(one.children) : pages
}

/** Groups are for the top; below it they are pages without words. */
const flattened = (pages: readonly ArrangedPage[]): ArrangedPage[] =>
  pages.map((page) => (page.type === 'group' ? { ...page, type: 'document' as const } : page))

/** The page that a path without an ending, of a folder, or with numbers left out before its names, means. */
function finder(paths: ReadonlySet<string>, root: string): (target: string) => string | undefined {
  const known = new Map<string, string>()
  for (const path of paths) {
    for (const key of [path, path.replace(/(^|\/)\d+[-_. ]+/g, '$1')]) {
      const folded = foldPath(key).replace(/\.md$/, '')
      if (!known.has(folded)) known.set(folded, path)
    }
  }
  return (target) => {
    const plain = target
      .replace(/[?#].*$/s, '')
      .replace(/\.(mdx?|html)$/i, '')
      .replace(/^\.?\//, '')
      .replace(/\/$/, '')
    for (const base of new Set([root, ''])) {
      const path = foldPath(resolvePath(base, plain) ?? '')
      for (const name of [path, within(path, 'index'), within(path, 'readme')]) {
        const found = known.get(name)
        if (found !== undefined) return found
      }
    }
    return undefined
  }
}
