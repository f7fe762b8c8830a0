/** The parts of a version of a spec, read when something shows them. */
import { LRUCache } from 'lru-cache'
import type { OpenSpec } from '../../core/openapi/collect.ts'
import type { Environment } from '../scope.ts'

/** How many digits the length of the index has: see jobs/openapi/openapi-thread.ts. */
const headLength = 12

const opened = new LRUCache<string, OpenSpec>({ maxSize: 96 * 1024 * 1024 })

export async function openSpec({ blobs }: Pick<Environment, 'blobs'>, hash: string): Promise<OpenSpec> {
  const known = opened.get(hash)
  if (known) return known
  const pieces: Uint8Array[] = []
  const source = await blobs.open(hash)
  if (!source) throw new Error(`The file ${hash} of a spec is gone.`)
  for await (const piece of source) pieces.push(piece)
  const bytes = Buffer.concat(pieces)
  const from = headLength + Number(bytes.toString('latin1', 0, headLength))
  const spec: OpenSpec = {
    index: JSON.parse(bytes.toString('utf8', headLength, from)),
    read: ([start, length]) => JSON.parse(bytes.toString('utf8', from + start, from + start + length)),
  }
  opened.set(hash, spec, { size: Math.max(1, bytes.length) })
  return spec
}
