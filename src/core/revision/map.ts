/**
 * An immutable ordered map from text to JSON values, kept as a tree of nodes that are stored under their hash.
 *
 *                [ … k31 … k77 … ]                 inner nodes: the last key of each child, its hash, its size
 *               /        |        \
 *     [k01 … k31]   [k32 … k77]   [k78 … k99]      leaves: keys and values
 *
 * Where a node ends is decided by its keys alone (a key whose hash is a multiple of `fanout` ends a node), so the same
 * entries make the same nodes whatever the history, and a change of one entry writes one leaf and the nodes above it.
 *
 * 1. Nodes never change. Two maps share every node in which they agree; `diff` never reads what they share.
 * 2. `get`, `getAll`, `entryAt`, `countBefore` read one node for each level and key; `update` costs as much as it changes.
 * 3. No node holds more than `mostEntries`, even for keys that were chosen to avoid boundaries.
 */
import { same } from '../diff/equal.ts'
import { hash32 } from '../hash.ts'

const fanout = 32
const mostEntries = 256

/** The root of a map. */
export interface MapRef {
  hash: string
  level: number
  count: number
}

export interface Child {
  hash: string
  count: number
}

export interface Leaf<V> {
  level: 0
  keys: string[]
  values: V[]
}

export interface Inner {
  level: number
  /** The last key of each child. */
  keys: string[]
  values: Child[]
}

export type MapNode<V> = Leaf<V> | Inner

/** Where nodes lie. `save` answers with the hash under which `load` will find the node. */
export interface NodeStore {
  load<V>(hash: string): Promise<MapNode<V>>
  save<V>(node: MapNode<V>): string
  /** Fetches several at once, ahead of their loads. */
  loadAll?(hashes: readonly string[]): Promise<void>
}

export const emptyMap = (nodes: NodeStore): MapRef => ({
  hash: nodes.save({ level: 0, keys: [], values: [] }),
  level: 0,
  count: 0,
})

export async function get<V>(nodes: NodeStore, root: MapRef, key: string): Promise<V | undefined> {
  let node = await nodes.load<V>(root.hash)
  for (;;) {
    const index = firstNotBefore(node.keys, key)
    if (isLeaf(node)) return node.keys[index] === key ? node.values[index] : undefined
    const child = node.values[index]
    if (!child) return undefined
    node = await nodes.load<V>(child.hash)
  }
}

/** The values of several keys at once: each node above them is read once, those of one level together. */
export async function getAll<V>(nodes: NodeStore, root: MapRef, keys: Iterable<string>): Promise<Map<string, V>> {
  const found = new Map<string, V>()
  for (let level = new Map([[root.hash, [...keys]]]); level.size > 0; ) {
    await nodes.loadAll?.([...level.keys()])
    const below = new Map<string, string[]>()
    for (const [hash, wanted] of level) {
      const node = await nodes.load<V>(hash)
      for (const key of wanted) {
        const index = firstNotBefore(node.keys, key)
        if (isLeaf(node)) {
          if (node.keys[index] === key) found.set(key, node.values[index] as V)
          continue
        }
        const child = node.values[index]
        if (!child) continue
        const others = below.get(child.hash)
        if (others) others.push(key)
        else below.set(child.hash, [key])
      }
    }
    level = below
  }
  return found
}

/** How many keys sort before this one. */
export async function countBefore(nodes: NodeStore, root: MapRef, key: string): Promise<number> {
  let node = await nodes.load(root.hash)
  let before = 0
  for (;;) {
    const index = firstNotBefore(node.keys, key)
    if (isLeaf(node)) return before + index
    for (const child of node.values.slice(0, index)) before += child.count
    const child = node.values[index]
    if (!child) return before
    node = await nodes.load(child.hash)
  }
}

/** Up to `limit` entries in order, from the first key that does not sort before `from` to the last that sorts before `until`. */
export async function entries<V>(
  nodes: NodeStore,
  root: MapRef,
  { from = '', until, limit = Number.POSITIVE_INFINITY }: { from?: string; until?: string; limit?: number } = {},
): Promise<[key: string, value: V][]> {
  const found: [string, V][] = []
  const visit = async (hash: string): Promise<boolean> => {
    const node = await nodes.load<V>(hash)
    const start = firstNotBefore(node.keys, from)
    if (!isLeaf(node) && nodes.loadAll) await nodes.loadAll(wanted(node, start, until, limit - found.length))
    for (let i = start; i < node.keys.length; i++) {
      if (found.length >= limit) return false
      const key = node.keys[i] as string
      if (isLeaf(node)) {
        if (until !== undefined && key >= until) return false
        found.push([key, node.values[i] as V])
      } else if (!(await visit((node.values[i] as Child).hash))) return false
    }
    return true
  }
  await visit(root.hash)
  return found
}

/** The children that a walk from `start` will surely come to. */
function wanted(node: Inner, start: number, until: string | undefined, limit: number): string[] {
  const hashes: string[] = []
  let seen = 0
  for (let i = start; i < node.keys.length && seen <= limit; i++) {
    const child = node.values[i] as Child
    hashes.push(child.hash)
    seen += i === start ? 0 : child.count
    if (until !== undefined && (node.keys[i] as string) >= until) break
  }
  return hashes
}

/** The entry at a place in the order. */
export async function entryAt<V>(nodes: NodeStore, root: MapRef, index: number): Promise<[string, V] | undefined> {
  let node = await nodes.load<V>(root.hash)
  let rest = index
  while (!isLeaf(node)) {
    let index = 0
    while (index < node.values.length && rest >= (node.values[index] as Child).count) {
      rest -= (node.values[index] as Child).count
      index++
    }
    const child = node.values[index]
    if (!child) return undefined
    node = await nodes.load<V>(child.hash)
  }
  const key = node.keys[rest]
  return key === undefined ? undefined : [key, node.values[rest] as V]
}

export interface Difference<V> {
  key: string
  before?: V
  after?: V
}

/** What differs between two maps, in the order of keys. Reads only nodes that the two do not share. */
export async function diff<V>(nodes: NodeStore, before: MapRef, after: MapRef): Promise<Difference<V>[]> {
  let left: Child[] = [before]
  let right: Child[] = [after]
  let [leftLevel, rightLevel] = [before.level, after.level]
  for (;;) {
    if (leftLevel === rightLevel) {
      const shared = new Set(left.map((child) => child.hash))
      const both = new Set(right.map((child) => child.hash).filter((hash) => shared.has(hash)))
      left = left.filter((child) => !both.has(child.hash))
      right = right.filter((child) => !both.has(child.hash))
      if (leftLevel === 0) return differences(await leaves<V>(nodes, left), await leaves<V>(nodes, right))
    }
    const expandLeft = leftLevel >= rightLevel
    if (rightLevel >= leftLevel) {
      right = await children(nodes, right)
      rightLevel--
    }
    if (expandLeft) {
      left = await children(nodes, left)
      leftLevel--
    }
  }
}

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
  const { added } = await rewrite(nodes, root, root.level, edits)
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
      if (located.key !== undefined) removed.push({ key: located.key, hash: located.hash, count: 0 })
      const until = located.isLast ? undefined : located.key
      next = splice(located.node, edits, next, until, keys, values)
      const whole = located.isLast ? keys.length : lastBoundary(keys, level)
      for (const [from, to] of cuts(keys.slice(0, whole), level)) {
        added.push(make(nodes, level, keys.slice(from, to), values.slice(from, to)))
      }
      keys = keys.slice(whole)
      values = values.slice(whole)
      if (located.isLast || keys.length === 0) break
      located = await nodeFor(nodes, root, level, `${located.key}\0`)
    }
  }
  return { removed, added }
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

/** How many entries belong to nodes that are surely complete: those up to the last boundary. */
function lastBoundary(keys: readonly string[], level: number): number {
  for (let i = keys.length; i > 0; i--) if (isBoundary(keys[i - 1] as string, level)) return i
  return 0
}

/** Where entries are cut into nodes. */
function* cuts(keys: readonly string[], level: number): Generator<[from: number, to: number]> {
  let from = 0
  for (let i = 0; i < keys.length; i++) {
    if (isBoundary(keys[i] as string, level) || i + 1 - from === mostEntries || i + 1 === keys.length) {
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
    current = [...cuts(keys, height)].map(([from, to]) =>
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

const isLeaf = <V>(node: MapNode<V>): node is Leaf<V> => node.level === 0

/** The index of the first key that does not sort before `key`. */
function firstNotBefore(keys: readonly string[], key: string): number {
  let low = 0
  let high = keys.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((keys[middle] as string) < key) low = middle + 1
    else high = middle
  }
  return low
}

async function children(nodes: NodeStore, parents: readonly Child[]): Promise<Child[]> {
  await nodes.loadAll?.(parents.map((parent) => parent.hash))
  const loaded = await Promise.all(parents.map((parent) => nodes.load(parent.hash)))
  return loaded.flatMap((node) => (node as Inner).values)
}

async function leaves<V>(nodes: NodeStore, found: readonly Child[]): Promise<Map<string, V>> {
  await nodes.loadAll?.(found.map((child) => child.hash))
  const map = new Map<string, V>()
  for (const child of found) {
    const node = (await nodes.load<V>(child.hash)) as Leaf<V>
    for (let i = 0; i < node.keys.length; i++) map.set(node.keys[i] as string, node.values[i] as V)
  }
  return map
}

function differences<V>(before: Map<string, V>, after: Map<string, V>): Difference<V>[] {
  const keys = [...new Set([...before.keys(), ...after.keys()])].sort()
  return keys.flatMap((key) => {
    const [old, now] = [before.get(key), after.get(key)]
    // Nodes made from others share their values, so that most are known to be equal at a glance.
    if (old !== undefined && now !== undefined && same(old, now)) return []
    return [{ key, ...(old === undefined ? {} : { before: old }), ...(now === undefined ? {} : { after: now }) }]
  })
}
