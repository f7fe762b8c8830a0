/**
 * The part of a page tree that one page carries.
 *
 * A site of ten thousand pages must not put its whole tree into each of them. The slice holds the way to the current
 * page, then as much around it as fits a budget of bytes: its siblings and children, the root, the levels between, and
 * last, while there is room, what lies in branches that are still closed. What is left out is fetched when a reader
 * opens it; without a script its link leads to a page whose slice shows it.
 *
 * The cost does not grow with the site: items know their parent, and only what is taken is looked at.
 */
export interface TreeItem {
  id: string
  kind: 'page' | 'group' | 'link'
  title: string
  /** Groups have none. */
  href?: string
  icon?: string
  emoji?: string
  parent?: TreeItem
  children: readonly TreeItem[]
  /** It has pages below it that were not read: it can stand in the tree only as a closed branch. */
  isUnread?: boolean
}

const isBranch = (item: TreeItem): boolean => item.isUnread === true || item.children.length > 0

export interface TreeNode {
  item: TreeItem
  current: boolean
  open: boolean
  /** Absent when it has none; without `nodes` when they are left out. */
  below?: { nodes?: TreeSlice }
}

/** One level: the nodes taken, and how many of their siblings were not. */
export interface TreeSlice {
  nodes: readonly TreeNode[]
  /** Siblings left out at the start and at the end. */
  before: number
  after: number
  /** The item whose level it is; absent at the root. */
  parent?: string
}

export const treeBudget = 9_000

/** `opened` names the closed branches that may come along; without it all may. */
export function sliceTree(
  roots: readonly TreeItem[],
  current: TreeItem | undefined,
  budget = treeBudget,
  opened?: ReadonlySet<TreeItem>,
): TreeSlice {
  const path: TreeItem[] = []
  for (let item = current; item !== undefined; item = item.parent) path.unshift(item)
  const taken = new Map<TreeItem | undefined, Window>()
  let left = budget
  const levels: (TreeItem | undefined)[] = [undefined, ...path]
  for (const parent of levels) {
    const siblings = parent === undefined ? roots : parent.children
    const on = path.find((item) => item.parent === parent)
    const from = on === undefined ? 0 : Math.max(0, siblings.indexOf(on))
    const window = { from, to: on === undefined ? from : from + 1, siblings }
    taken.set(parent, window)
    if (on !== undefined) left -= costOf(on)
  }
  // Nearest first: beside the page, below it, the root, then the levels between. Each leaves half for those after it.
  const order = [...new Set([current?.parent, current, undefined, ...path.toReversed()])]
  for (const share of [0.5, 1]) {
    for (const parent of order) {
      const window = taken.get(parent)
      if (window !== undefined) left -= widen(window, left * share)
    }
  }
  openBranches(taken, left, opened)
  return levelOf(undefined, taken, { path: new Set(path), current })
}

/** Everything directly under an item, for the fetch of a closed branch; deeper branches stay closed. */
export function treeLevel(siblings: readonly TreeItem[], parent?: TreeItem): TreeSlice {
  const nodes = siblings.map((item) => ({
    item,
    current: false,
    open: false,
    ...(isBranch(item) ? { below: {} } : {}),
  }))
  return { nodes, before: 0, after: 0, ...(parent === undefined ? {} : { parent: parent.id }) }
}

interface Window {
  from: number
  to: number
  siblings: readonly TreeItem[]
}

/** Takes siblings on both sides in turn while they fit, and says what they cost. */
function widen(window: Window, most: number): number {
  let spent = 0
  let blocked = false
  for (let down = true; !blocked; down = !down) {
    const next = down ? window.siblings[window.to] : window.siblings[window.from - 1]
    const other = down ? window.siblings[window.from - 1] : window.siblings[window.to]
    if (next === undefined && other === undefined) break
    if (next === undefined) continue
    const cost = costOf(next)
    blocked = spent + cost > most
    if (blocked) break
    spent += cost
    if (down) window.to += 1
    else window.from -= 1
  }
  return spent
}

/** Takes whole closed branches while they fit: groups first, then level by level. */
function openBranches(
  taken: Map<TreeItem | undefined, Window>,
  budget: number,
  opened: ReadonlySet<TreeItem> | undefined,
): void {
  let left = budget
  const queue = [...taken.values()].flatMap(({ siblings, from, to }) => siblings.slice(from, to))
  queue.sort((a, b) => Number(b.kind === 'group') - Number(a.kind === 'group'))
  for (let at = 0; at < queue.length; at += 1) {
    const item = queue[at]
    if (item === undefined || item.children.length === 0 || taken.has(item) || opened?.has(item) === false) continue
    // A branch that is longer than the room left is not worth counting to its end.
    if (item.children.length * 60 > left) continue
    const cost = item.children.reduce((sum, child) => sum + costOf(child), 20)
    if (cost > left) continue
    left -= cost
    taken.set(item, { from: 0, to: item.children.length, siblings: item.children })
    queue.push(...item.children)
  }
}

type On = { path: ReadonlySet<TreeItem>; current: TreeItem | undefined }

function levelOf(parent: TreeItem | undefined, taken: ReadonlyMap<TreeItem | undefined, Window>, on: On): TreeSlice {
  const window = taken.get(parent) ?? { from: 0, to: 0, siblings: [] }
  const nodes = window.siblings.slice(window.from, window.to).map((item): TreeNode => {
    const loaded = taken.has(item)
    const current = item === on.current
    if (!isBranch(item)) return { item, current, open: false }
    if (!loaded || item.children.length === 0) return { item, current, open: false, below: {} }
    const open = on.path.has(item) || item.kind === 'group'
    return { item, current, open, below: { nodes: levelOf(item, taken, on) } }
  })
  return {
    nodes,
    before: window.from,
    after: window.siblings.length - window.to,
    ...(parent === undefined ? {} : { parent: parent.id }),
  }
}

const encoder = new TextEncoder()
const bytes = (text: string | undefined): number => {
  if (text === undefined || isAscii.test(text)) return text?.length ?? 0
  return encoder.encode(text).length
}
const isAscii = /^[\0-\x7f]*$/

/** About what a row takes in HTML. */
function costOf(item: TreeItem): number {
  const escapes = item.title.length - item.title.replace(/[&<>"']/g, '').length
  const lead = item.icon !== undefined ? 62 + item.icon.length : item.emoji !== undefined ? 55 : 0
  const branch = isBranch(item) ? 45 + bytes(item.id) : 0
  return 26 + bytes(item.title) + escapes * 5 + bytes(item.href) + lead + branch
}
