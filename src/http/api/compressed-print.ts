/** A printed answer in the encoding that its reader takes. What is printed once is compressed once for each encoding. */

import { compress, type Encoding, encodingFor, worthCompressing } from '../edge/encoding.ts'
import type { Printed } from './answers.ts'

const compressed = new WeakMap<Printed, Map<Encoding, Promise<Buffer>>>()

export interface CompressedPrint {
  bytes: string | Buffer
  /** Undefined when the bytes are as they were printed. */
  encoding: Encoding | undefined
  /** Whether others may get it in another encoding. */
  mayVary: boolean
}

/** Not always a promise: what goes out as it was printed is at hand. */
export function compressedPrint(
  print: Printed,
  accepted: string | undefined,
): CompressedPrint | Promise<CompressedPrint> {
  const mayVary = print.bytes.length >= worthCompressing
  const encoding = mayVary ? encodingFor(accepted) : undefined
  if (encoding === undefined) return { bytes: print.bytes, encoding, mayVary }
  const known = compressed.get(print) ?? new Map<Encoding, Promise<Buffer>>()
  compressed.set(print, known)
  const making = known.get(encoding) ?? compress(print.bytes, encoding, 'once')
  known.set(encoding, making)
  return making.then((bytes) => ({ bytes, encoding, mayVary }))
}
