/** Finds entries of a map by what they hold. What a node was found to hold is remembered, since nodes never change. */
import { type Child, isLeaf, type MapRef, type NodeStore } from './map.ts'

export interface Memo {
  get(hash: string): readonly string[] | undefined
  set(hash: string, keys: readonly string[]): unknown
}

/** The keys of the entries that the test holds for, in order. */
export async function findKeys<V>(
  nodes: NodeStore,
  root: MapRef,
  holds: (value: V) => boolean,
  memo: Memo,
): Promise<readonly string[]> {
  const visit = async (hash: string): Promise<readonly string[]> => {
    const known = memo.get(hash)
    if (known) return known
    const node = await nodes.load<V>(hash)
    const found = isLeaf(node) ? node.keys.filter((_, i) => holds(node.values[i] as V)) : await below(node.values)
    memo.set(hash, found)
    return found
  }
  const below = async (children: readonly Child[]): Promise<readonly string[]> => {
    await nodes.loadAll?.(children.flatMap(({ hash }) => (memo.get(hash) ? [] : [hash])))
    const found: string[] = []
    for (const { hash } of children) found.push(...(await visit(hash)))
    return found
  }
  return visit(root.hash)
}
