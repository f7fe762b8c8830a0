/** What differs between two maps. */
import { same } from '../diff/equal.ts'
import type { Child, Inner, Leaf, MapRef, NodeStore } from './map.ts'

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
