/** The parts of a version of a spec, read when something shows them. */
import { type Caches, decodedBytes, defineCache } from '../../core/caches.ts'
import type { OpenSpec } from '../../core/openapi/collect.ts'
import type { Environment } from '../environment.ts'

/** How many digits the length of the index has: see jobs/openapi/openapi-thread.ts. */
const headLength = 12

const specsIn = defineCache<OpenSpec>('specs', { share: 0.07 })

export async function openSpec(caches: Caches, { blobs }: Pick<Environment, 'blobs'>, hash: string): Promise<OpenSpec> {
  const opened = specsIn(caches)
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
  // The index beside its bytes.
  opened.set(hash, spec, bytes.length + decodedBytes(from))
  return spec
}
