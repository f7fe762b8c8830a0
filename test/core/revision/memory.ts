/** A node store in memory that counts what is read and written. */
import { createHash } from 'node:crypto'
import type { MapNode, NodeStore } from '../../../src/core/revision/map.ts'

export function memoryNodes() {
  const stored = new Map<string, string>()
  const counts = { loads: 0, saves: 0, bytes: 0 }
  const loaded: string[] = []
  const nodes: NodeStore = {
    async load<V>(hash: string): Promise<MapNode<V>> {
      counts.loads++
      loaded.push(hash)
      const text = stored.get(hash)
      if (text === undefined) throw new Error(`No node ${hash}.`)
      return JSON.parse(text)
    },
    save(node) {
      const text = JSON.stringify(node)
      const hash = createHash('sha1').update(text).digest('base64url')
      counts.saves++
      counts.bytes += text.length
      stored.set(hash, text)
      return hash
    },
  }
  return { nodes, counts, loaded, stored }
}
