/** A map with some entries changed: the nodes that they stand in are written anew, and those above them. */
import { identical } from '../diff/equal.ts'
import { hash32 } from '../hash.ts'
import { type Child, emptyMap, firstNotBefore, type Inner, type MapNode, type MapRef, type NodeStore } from './map.ts'

/**
 * Every so many keys a node ends, on average. An edit writes a leaf and a node of each level above it: with 8 that is a third
 * of what it is with 32, of which some maps still have nodes. Those end where nodes of 8 may end too, and are cut when
 * something in them changes.
 */
const fanout = 8
/**
 * A node ends here at the latest. Where ends lie is a matter of luck: without this, a page would stand in a leaf of 15 on
 * average, one in eight in one of more than 30.
 */
const mostEntries = 8

/** The map with these entries put in or (where the value is undefined) taken out. */
export async function update<V>(
  nodes: NodeStore,
  root: MapRef,
  changes: ReadonlyMap<string, V | undefined>,
): Promise<MapRef> {
  if (changes.size === 0) return root
  let edits: Edit<unknown>[] = [...changes].map(([key, value]) => ({ key, value }))
  edits.sort((a, b) => (a.key < b.key ? -1 : 1))
  for (let level = 0; level < root.level; level++) {
    const { removed, added } = await rewrite(nodes, root, level, edits)
    edits = editsAbove(removed, added)
    if (edits.length === 0) return root
  }
  const { removed, added } = await rewrite(nodes, root, root.level, edits)
  if (removed.length + added.length === 0) return root
  return collapse(nodes, grow(nodes, added, root.level))
}

interface Edit<V> {
  key: string
  value: V | undefined
}

interface Made extends Child {
  key: string
}

/** Rewrites the nodes of one level that the edits touch, up to where the old boundaries fit again. */
async function rewrite(nodes: NodeStore, root: MapRef, level: number, edits: readonly Edit<unknown>[]) {
  const removed: Made[] = []
  const added: Made[] = []
  let next = 0
  while (next < edits.length) {
    let located = await nodeFor(nodes, root, level, (edits[next] as Edit<unknown>).key)
    let keys: string[] = []
    let values: unknown[] = []
    for (;;) {
      const until = located.isLast ? undefined : located.key
      const begun = next
      next = splice(located.node, edits, next, until, keys, values)
      if (
        keys.length === located.node.keys.length &&
        edits.slice(begun, next).every((edit) => holds(located.node, edit))
      )
        break
      if (located.key !== undefined) removed.push({ key: located.key, hash: located.hash, count: 0 })
      let whole = 0
      for (const [from, to] of cuts(keys, level, { isEnd: located.isLast })) {
        added.push(make(nodes, level, keys.slice(from, to), values.slice(from, to)))
        whole = to
      }
      keys = keys.slice(whole)
      values = values.slice(whole)
      if (located.isLast || keys.length === 0) break
      located = await nodeFor(nodes, root, level, `${located.key}\0`)
    }
  }
  return { removed, added }
}

/** Whether the node has the entry already, so that nothing changes. */
function holds({ keys, values }: MapNode<unknown>, { key, value }: Edit<unknown>): boolean {
  const index = firstNotBefore(keys, key)
  return keys[index] === key ? value !== undefined && identical(values[index], value) : value === undefined
}

interface LocatedNode {
  node: MapNode<unknown>
  hash: string
  /** Its last key; undefined when it is empty. */
  key: string | undefined
  isLast: boolean
}

/** The node of a level in whose range a key falls. */
async function nodeFor(nodes: NodeStore, root: MapRef, level: number, key: string): Promise<LocatedNode> {
  let hash = root.hash
  let node = await nodes.load<unknown>(hash)
  let isLast = true
  while (node.level > level) {
    const { keys, values } = node as Inner
    const index = Math.min(firstNotBefore(keys, key), keys.length - 1)
    isLast = isLast && index === keys.length - 1
    hash = (values[index] as Child).hash
    node = await nodes.load<unknown>(hash)
  }
  return { node, hash, key: node.keys.at(-1), isLast }
}

/** Appends a node's entries to `keys` and `values` with the edits up to `until` carried out; the next edit to do. */
function splice(
  node: MapNode<unknown>,
  edits: readonly Edit<unknown>[],
  from: number,
  until: string | undefined,
  keys: string[],
  values: unknown[],
): number {
  let next = from
  const take = (): Edit<unknown> | undefined => {
    const edit = edits[next]
    return edit && (until === undefined || edit.key <= until) ? edit : undefined
  }
  const put = (edit: Edit<unknown>) => {
    if (edit.value !== undefined) {
      keys.push(edit.key)
      values.push(edit.value)
    }
    next++
  }
  for (let i = 0; i < node.keys.length; i++) {
    const key = node.keys[i] as string
    let edit = take()
    while (edit && edit.key < key) {
      put(edit)
      edit = take()
    }
    if (edit?.key === key) put(edit)
    else {
      keys.push(key)
      values.push(node.values[i])
    }
  }
  for (let edit = take(); edit; edit = take()) put(edit)
  return next
}

/** Where entries are cut into nodes. Unless the map ends with them, what is left at their end may go on. */
function* cuts(
  keys: readonly string[],
  level: number,
  { isEnd }: { isEnd: boolean },
): Generator<[from: number, to: number]> {
  let from = 0
  for (let i = 0; i < keys.length; i++) {
    const isLast = isEnd && i + 1 === keys.length
    if (isBoundary(keys[i] as string, level) || i + 1 - from === mostEntries || isLast) {
      yield [from, i + 1]
      from = i + 1
    }
  }
}

const isBoundary = (key: string, level: number): boolean => hash32(`${level} ${key}`) % fanout === 0

function make(nodes: NodeStore, level: number, keys: string[], values: unknown[]): Made {
  const count = level === 0 ? keys.length : (values as Child[]).reduce((sum, child) => sum + child.count, 0)
  const hash = nodes.save(level === 0 ? { level: 0, keys, values } : { level, keys, values: values as Child[] })
  return { key: keys.at(-1) ?? '', hash, count }
}

function editsAbove(removed: readonly Made[], added: readonly Made[]): Edit<unknown>[] {
  const before = new Map(removed.map((made) => [made.key, made.hash]))
  const edits = new Map<string, Edit<unknown>>()
  for (const { key } of removed) edits.set(key, { key, value: undefined })
  for (const { key, hash, count } of added) {
    if (before.get(key) === hash) edits.delete(key)
    else edits.set(key, { key, value: { hash, count } })
  }
  return [...edits.values()].sort((a, b) => (a.key < b.key ? -1 : 1))
}

/** Levels on top of nodes until there is one. */
function grow(nodes: NodeStore, made: readonly Made[], level: number): MapRef {
  let current = made
  let height = level
  while (current.length > 1) {
    height++
    const keys = current.map((node) => node.key)
    const values = current.map(({ hash, count }) => ({ hash, count }))
    current = [...cuts(keys, height, { isEnd: true })].map(([from, to]) =>
      make(nodes, height, keys.slice(from, to), values.slice(from, to)),
    )
  }
  const top = current[0]
  return top ? { hash: top.hash, level: height, count: top.count } : emptyMap(nodes)
}

/** A root with one child is that child: the same entries have the same root whatever the map held before. */
async function collapse(nodes: NodeStore, root: MapRef): Promise<MapRef> {
  let top = root
  while (top.level > 0) {
    const node = (await nodes.load(top.hash)) as Inner
    const only = node.values[0]
    if (node.values.length !== 1 || !only) break
    top = { hash: only.hash, level: top.level - 1, count: only.count }
  }
  return top
}
