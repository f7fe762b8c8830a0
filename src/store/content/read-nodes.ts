/** Nodes of revisions, read for all who ask for them at the same time. */
import { sql } from 'kysely'
import { decodedBytes, defineCache } from '../../core/caches.ts'
import type { MapNode } from '../../core/revision/map.ts'
import type { Connection } from '../database.ts'
import { textIn } from '../packed/pack.ts'
import { all, first, oneOf } from '../query.ts'

export const nodesIn = defineCache<MapNode<unknown>>('nodes', { share: 0.15 })

const nodeByHash = first((b, p: { hash: string }) =>
  b.selectFrom('treeNode').select(['value', 'packed']).where('hash', '=', p.hash),
)

const nodesByHash = all((b, p: { hashes: string }, engine) =>
  b
    .selectFrom('treeNode')
    .select(['hash', 'value', 'packed'])
    .where(oneOf(sql.ref('hash'), p.hashes, engine)),
)

type Nodes = ReadonlyMap<string, MapNode<unknown>>

/** Those that will be read when this turn of the event loop ends, by connection. */
const waiting = new WeakMap<Connection, { hashes: Set<string>; reading: Promise<Nodes> }>()

/** Whoever asks for nodes in the same turn shares a statement: many who go through a map at once read it level by level. */
export async function readNode(db: Connection, hash: string): Promise<MapNode<unknown> | undefined> {
  let batch = waiting.get(db)
  if (!batch) {
    const hashes = new Set<string>()
    const begin = async (): Promise<Nodes> => {
      await new Promise<void>((resolve) => process.nextTick(resolve))
      waiting.delete(db)
      return readNodes(db, [...hashes])
    }
    batch = { hashes, reading: begin() }
    waiting.set(db, batch)
  }
  batch.hashes.add(hash)
  return (await batch.reading).get(hash)
}

async function readNodes(db: Connection, hashes: readonly string[]): Promise<Nodes> {
  const cache = nodesIn(db.caches)
  const [only = ''] = hashes
  const row = hashes.length === 1 ? await nodeByHash(db, { hash: only }) : undefined
  const rows = row ? [{ ...row, hash: only }] : await nodesByHash(db, { hashes: JSON.stringify(hashes) })
  const nodes = new Map<string, MapNode<unknown>>()
  for (const { hash, ...stored } of rows) {
    const text = textIn(stored)
    const node: MapNode<unknown> = JSON.parse(text)
    cache.set(hash, node, decodedBytes(text.length))
    nodes.set(hash, node)
  }
  return nodes
}
