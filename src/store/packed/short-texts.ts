/**
 * Short texts that are read many at a time, such as the sections that a search shows: each deflated by itself, in a way that
 * lets many be inflated at once. To set up inflating costs more than to inflate a section; joined, eighty cost 4 µs each.
 *
 * A text is one byte that says how it is packed, then raw deflate of the text and a NUL, ended by a flush and by no last block:
 * so what follows the first byte of each, put side by side, is again raw deflate. No text of the index holds a NUL.
 */
import { constants, deflateRawSync, inflateRawSync } from 'node:zlib'

const joinable = 3
const end = '\0'
/**
 * Bodies have twelve thousand characters at most: a window of eight kilobytes packs them as well as one of 32, in less time.
 * A code table for each would take a seventh of the text less, and half as long again to inflate, because most of that is
 * reading the table.
 */
const options = {
  level: 9,
  windowBits: 13,
  memLevel: 6,
  strategy: constants.Z_FIXED,
  finishFlush: constants.Z_SYNC_FLUSH,
}
/** What closes the joined stream: an empty last block. */
const lastBlock = Uint8Array.of(3, 0)
/** Rather than in the sixteen kilobytes that are usual: most searches show less than this. */
const inflatedAtOnce = 128 * 1024
/** Below this, little is saved. */
export const shortestPacked = 80

/** Undefined where the text is as well stored as it is. */
export function packShort(text: string): Uint8Array | undefined {
  if (text.length < shortestPacked) return undefined
  const deflated = deflateRawSync(text + end, options)
  if (deflated.length >= text.length) return undefined
  const bytes = new Uint8Array(deflated.length + 1)
  bytes[0] = joinable
  bytes.set(deflated, 1)
  return bytes
}

/** The texts, in the order given. */
export function unpackShort(packed: readonly Uint8Array[]): string[] {
  if (packed.length === 0) return []
  const unknown = packed.find((bytes) => bytes[0] !== joinable)
  if (unknown) throw new Error(`A text was stored in the form ${unknown[0]}, which this version cannot read.`)
  const joined = Buffer.concat([...packed.map((bytes) => bytes.subarray(1)), lastBlock])
  const texts = inflateRawSync(joined, { chunkSize: inflatedAtOnce }).toString().split(end)
  if (texts.length !== packed.length + 1) throw new Error('Texts that were packed do not part where they were joined.')
  return texts.slice(0, -1)
}
