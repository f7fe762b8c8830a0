/** The conflicts that stand in a document: versions of one block carry the same id and the side they are of. */
import type { Node } from '../document/blocks.tsx'

export interface FoundConflict {
  id: string
  ours: Node[]
  theirs: Node[]
}

export function conflictsIn(nodes: readonly Node[]): FoundConflict[] {
  const found = new Map<string, FoundConflict>()
  const visit = (node: Node): void => {
    const marker = node.data?.conflict as { id?: unknown; side?: unknown } | undefined
    if (typeof marker?.id === 'string') {
      const conflict = found.get(marker.id) ?? { id: marker.id, ours: [], theirs: [] }
      conflict[marker.side === 'theirs' ? 'theirs' : 'ours'].push(node)
      found.set(marker.id, conflict)
      return
    }
    for (const child of node.nodes ?? []) visit(child)
    for (const fragment of node.fragments ?? []) for (const child of fragment.nodes ?? []) visit(child)
  }
  for (const node of nodes) visit(node)
  return [...found.values()]
}
