/** The page tree as rows, and where a page goes when it is moved. Pure, so that ten thousand pages can be tried in a test. */
export interface TreePage {
  id: string
  title: string
  type: string
  pages?: TreePage[] | undefined
}

export interface Row<P extends TreePage = TreePage> {
  page: P
  depth: number
  /** The page above; none at the top. */
  parent: P | undefined
  /** Its place among its siblings, from 0, and how many there are. */
  index: number
  siblings: number
  hasPages: boolean
  isOpen: boolean
}

/** Where a page would stand: below `into` (null is the top), at `at` among the others there. */
export interface Target {
  into: string | null
  at: number
}

const childrenOf = <P extends TreePage>(page: P): P[] => (page.pages ?? []) as P[]

/** The rows that are seen: all pages whose pages above are open. */
export function rowsOf<P extends TreePage>(pages: readonly P[], isOpen: (id: string) => boolean): Row<P>[] {
  const rows: Row<P>[] = []
  const visit = (siblings: readonly P[], depth: number, parent: P | undefined): void => {
    siblings.forEach((page, index) => {
      const below = childrenOf(page)
      const open = below.length > 0 && isOpen(page.id)
      rows.push({ page, depth, parent, index, siblings: siblings.length, hasPages: below.length > 0, isOpen: open })
      if (open) visit(below, depth + 1, page)
    })
  }
  visit(pages, 0, undefined)
  return rows
}

/** The pages from the top down to this one, with it. */
export function trailOf<P extends TreePage>(pages: readonly P[], id: string): P[] {
  for (const page of pages) {
    if (page.id === id) return [page]
    const below = trailOf(childrenOf(page), id)
    if (below.length > 0) return [page, ...below]
  }
  return []
}

export function countBelow(page: TreePage): number {
  return (page.pages ?? []).reduce((sum, child) => sum + 1 + countBelow(child), 0)
}

/** One step by keyboard or menu; undefined where there is no such step. */
export function stepOf<P extends TreePage>(
  pages: readonly P[],
  id: string,
  direction: 'up' | 'down' | 'in' | 'out',
): Target | undefined {
  const trail = trailOf(pages, id)
  const parent = trail.at(-2)
  const siblings = parent ? childrenOf(parent) : pages
  const index = siblings.findIndex((page) => page.id === id)
  if (index === -1) return undefined
  const into = parent?.id ?? null
  if (direction === 'up') return index === 0 ? undefined : { into, at: index - 1 }
  if (direction === 'down') return index === siblings.length - 1 ? undefined : { into, at: index + 1 }
  if (direction === 'in') {
    const before = siblings[index - 1]
    return before && canHold(before) ? { into: before.id, at: childrenOf(before).length } : undefined
  }
  if (!parent) return undefined
  const above = trail.at(-3)
  const aunts = above ? childrenOf(above) : pages
  return { into: above?.id ?? null, at: aunts.findIndex((page) => page.id === parent.id) + 1 }
}

/** Where a page dropped on another goes; undefined when that is inside itself, or where it stands already. */
export function dropOf<P extends TreePage>(
  pages: readonly P[],
  { dragged, onto, side }: { dragged: string; onto: string; side: 'before' | 'after' | 'inside' },
): Target | undefined {
  const trail = trailOf(pages, onto)
  if (dragged === onto || trail.some((page) => page.id === dragged)) return undefined
  const target = trail.at(-1)
  if (!target) return undefined
  if (side === 'inside') {
    if (!canHold(target)) return undefined
    return { into: target.id, at: childrenOf(target).filter((page) => page.id !== dragged).length }
  }
  const parent = trail.at(-2)
  const others = (parent ? childrenOf(parent) : pages).filter((page) => page.id !== dragged)
  const at = others.findIndex((page) => page.id === onto)
  return { into: parent?.id ?? null, at: side === 'before' ? at : at + 1 }
}

export const canHold = (page: TreePage): boolean => page.type !== 'link'

/** The tree with one page somewhere else, shown before the server has answered. */
export function movePage<P extends TreePage>(pages: readonly P[], id: string, { into, at }: Target): P[] {
  const moved = trailOf(pages, id).at(-1)
  if (!moved) return [...pages]
  const insert = (siblings: readonly P[]): P[] => [...siblings.slice(0, at), moved, ...siblings.slice(at)]
  const visit = (siblings: readonly P[], parent: string | null): P[] => {
    const kept = siblings
      .filter((page) => page.id !== id)
      .map((page) => {
        const below = childrenOf(page)
        if (below.length === 0 && page.id !== into) return page
        return { ...page, pages: visit(below, page.id) }
      })
    return parent === into ? insert(kept) : kept
  }
  return visit(pages, null)
}

export function withoutPage<P extends TreePage>(pages: readonly P[], id: string): P[] {
  return pages
    .filter((page) => page.id !== id)
    .map((page) => (page.pages ? { ...page, pages: withoutPage(childrenOf(page), id) } : page))
}

export function changePage<P extends TreePage>(pages: readonly P[], id: string, change: Partial<P>): P[] {
  return pages.map((page) => {
    if (page.id === id) return { ...page, ...change }
    return page.pages ? { ...page, pages: changePage(childrenOf(page), id, change) } : page
  })
}

/** Only pages whose titles have these words, with those above them. */
export function filterPages<P extends TreePage>(pages: readonly P[], words: string): P[] {
  const wanted = words.toLocaleLowerCase()
  return pages.flatMap((page) => {
    const below = filterPages(childrenOf(page), words)
    if (below.length > 0) return [{ ...page, pages: below }]
    return page.title.toLocaleLowerCase().includes(wanted) ? [{ ...page, pages: [] }] : []
  })
}
