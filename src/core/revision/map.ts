/**
 * An immutable ordered map from text to JSON values, kept as a tree of nodes that are stored under their hash.
 *
 *                [ … k31 … k77 … ]                 inner nodes: the last key of each child, its hash, its size
 *               /        |        \
 *     [k01 … k31]   [k32 … k77]   [k78 … k99]      leaves: keys and values
 *
 * Where a node ends is decided by keys alone (one whose hash is a multiple of `fanout` ends it, or that fills it), so the same
 * entries make the same nodes whatever the history, and a change of one entry writes one leaf and the nodes above it.
 *
 * 1. Nodes never change. Two maps share every node in which they agree; `diff` never reads what they share.
 * 2. `get`, `getAll`, `entryAt`, `countBefore` read one node for each level and key; `update` costs as much as it changes.
 * 3. No node holds more than `mostEntries`, even for keys that were chosen to avoid boundaries.
 *
 * Here they are read; how they change is in map-update.ts, how two are compared in map-diff.ts.
 */

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
  /** The same of one that is at hand, without waiting; nothing where others should have the event loop first. */
  peek?<V>(hash: string): MapNode<V> | undefined
  /** Fetches several at once, ahead of their loads. */
  loadAll?(hashes: readonly string[]): Promise<void>
}

export const emptyMap = (nodes: NodeStore): MapRef => ({
  hash: nodes.save({ level: 0, keys: [], values: [] }),
  level: 0,
  count: 0,
})

export async function get<V>(nodes: NodeStore, root: MapRef, key: string): Promise<V | undefined> {
  for (let { hash }: { hash: string } = root; ; ) {
    const node = nodes.peek?.<V>(hash) ?? (await nodes.load<V>(hash))
    const index = firstNotBefore(node.keys, key)
    if (isLeaf(node)) return node.keys[index] === key ? node.values[index] : undefined
    const child = node.values[index]
    if (!child) return undefined
    hash = child.hash
  }
}

/** The values of several keys at once: each node above them is read once, those of one level together. */
export async function getAll<V>(nodes: NodeStore, root: MapRef, keys: Iterable<string>): Promise<Map<string, V>> {
  const found = new Map<string, V>()
  for (let level = new Map([[root.hash, [...keys]]]); level.size > 0; ) {
    await nodes.loadAll?.([...level.keys()])
    const below = new Map<string, string[]>()
    for (const [hash, wanted] of level) {
      const node = nodes.peek?.<V>(hash) ?? (await nodes.load<V>(hash))
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
  let hashes = [root.hash]
  for (let level = root.level; level > 0; level--) {
    const below: string[] = []
    let seen = 0
    let isEnough = false
    for await (const node of loaded<V>(nodes, hashes)) {
      if (isLeaf(node)) continue
      for (let i = firstNotBefore(node.keys, from); i < node.keys.length && !isEnough; i++) {
        const child = node.values[i] as Child
        // Of the first, no more than its end may be wanted.
        seen += below.length === 0 ? 0 : child.count
        below.push(child.hash)
        isEnough = seen > limit || (until !== undefined && (node.keys[i] as string) >= until)
      }
      if (isEnough) break
    }
    hashes = below
  }
  for await (const node of loaded<V>(nodes, hashes)) {
    if (!isLeaf(node)) continue
    for (let i = firstNotBefore(node.keys, from); i < node.keys.length; i++) {
      const key = node.keys[i] as string
      if (found.length >= limit || (until !== undefined && key >= until)) return found
      found.push([key, node.values[i] as V])
    }
  }
  return found
}

/** As many as are fetched at once: a large map is not held twice. */
const fetchedAtOnce = 256

async function* loaded<V>(nodes: NodeStore, hashes: readonly string[]): AsyncGenerator<MapNode<V>> {
  for (let from = 0; from < hashes.length; from += fetchedAtOnce) {
    const some = hashes.slice(from, from + fetchedAtOnce)
    await nodes.loadAll?.(some)
    for (const hash of some) yield nodes.peek?.<V>(hash) ?? (await nodes.load<V>(hash))
  }
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

export const isLeaf = <V>(node: MapNode<V>): node is Leaf<V> => node.level === 0

/** The index of the first key that does not sort before `key`. */
export function firstNotBefore(keys: readonly string[], key: string): number {
  let low = 0
  let high = keys.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((keys[middle] as string) < key) low = middle + 1
    else high = middle
  }
  return low
}
