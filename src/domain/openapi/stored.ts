/** JSON that lies in the store of files, as an answer: with what stands before and after it. */
import { createHash } from 'node:crypto'
import type { Environment } from '../environment.ts'
import { StoredJson } from '../handler.ts'

export async function storedBlob(
  { blobs }: Pick<Environment, 'blobs'>,
  blob: string,
  { before = '', after = '' }: { before?: string; after?: string } = {},
): Promise<StoredJson> {
  const size = await blobs.size(blob)
  if (size === undefined) throw gone(blob)
  return new StoredJson({
    bytes: Buffer.byteLength(before) + size + Buffer.byteLength(after),
    hash: createHash('sha1').update(`${before}\n${blob}\n${after}`).digest('base64url'),
    open: async () => {
      const stored = await blobs.open(blob)
      if (!stored) throw gone(blob)
      return (async function* () {
        if (before !== '') yield Buffer.from(before)
        yield* stored
        if (after !== '') yield Buffer.from(after)
      })()
    },
  })
}

const gone = (blob: string): Error => new Error(`The file ${blob} of a spec is gone.`)
