/**
 * Packs from anyone, gone through before they are indexed: the library unpacks each object whole, and memory outside of the heap
 * has no limit in a thread. Every object says how large it is before its bytes; none may be larger than a file may be, nor hold
 * more than it says. What a delta makes of another object is said at the beginning of the delta.
 */
import * as fs from 'node:fs'
import { inflateSync } from 'node:zlib'
import { GitRefusal } from './refusal.ts'

/** As large as hosts of repositories let files be. */
const mostBytes = 100 * 1024 * 1024

/** The file system for the library: a pack that would grow too large is not written. */
export const guardedFs = {
  ...fs,
  promises: {
    ...fs.promises,
    async writeFile(...given: Parameters<typeof fs.promises.writeFile>): Promise<void> {
      const [path, bytes] = given
      if (String(path).endsWith('.pack') && bytes instanceof Uint8Array) judgePack(bytes)
      await fs.promises.writeFile(...given)
    },
  },
}

const ofsDelta = 6
const refDelta = 7

/** Throws a refusal; what is no pack at all is left to the library. */
export function judgePack(pack: Uint8Array, most = mostBytes): void {
  const bytes = Buffer.from(pack.buffer, pack.byteOffset, pack.byteLength)
  if (bytes.length < 12 || bytes.toString('latin1', 0, 4) !== 'PACK') return
  let at = 12
  for (let left = bytes.readUInt32BE(8); left > 0; left--) {
    const header = readHeader(bytes, at)
    refuseAbove(header.size, most)
    at = header.end
    if (header.type === refDelta) at += 20
    if (header.type === ofsDelta) at = readNumber(bytes, at).end
    const { data, length } = inflate(bytes.subarray(at), header.size)
    if (header.type === ofsDelta || header.type === refDelta)
      refuseAbove(readNumber(data, readNumber(data, 0).end).value, most)
    at += length
  }
}

function refuseAbove(size: number, most: number): void {
  if (size > most)
    throw new GitRefusal('too_large', `A file in the repository is larger than ${Math.round(most / 1024 / 1024)} MiB.`)
}

/** Its type stands in the first byte, before the lowest bits of its size. */
function readHeader(bytes: Uint8Array, at: number): { type: number; size: number; end: number } {
  const first = byteAt(bytes, at)
  if (first < 0x80) return { type: (first >> 4) & 7, size: first & 15, end: at + 1 }
  const { value, end } = readNumber(bytes, at + 1)
  return { type: (first >> 4) & 7, size: (first & 15) + 16 * value, end }
}

/** Seven bits in each byte, the lowest first; the last has no eighth. */
function readNumber(bytes: Uint8Array, from: number): { value: number; end: number } {
  let value = 0
  for (let at = from, unit = 1; ; at++, unit *= 128) {
    const byte = byteAt(bytes, at)
    value += (byte & 0x7f) * unit
    if (byte < 0x80) return { value, end: at + 1 }
    if (at - from > 9) throw damaged()
  }
}

function byteAt(bytes: Uint8Array, at: number): number {
  const byte = bytes[at]
  if (byte === undefined) throw damaged()
  return byte
}

/** What the stream at the beginning of the bytes holds, and how long it is. */
function inflate(bytes: Uint8Array, size: number): { data: Uint8Array; length: number } {
  try {
    const { buffer, engine } = inflateWithInfo(bytes, size)
    if (buffer.length !== size) throw damaged()
    return { data: buffer, length: engine.bytesWritten }
  } catch {
    throw damaged()
  }
}

/** The types of Node know nothing of `info`, by which it tells how much it has read. */
function inflateWithInfo(bytes: Uint8Array, size: number): { buffer: Uint8Array; engine: { bytesWritten: number } } {
  const found: unknown = inflateSync(bytes, { info: true, maxOutputLength: Math.max(1, size) })
  return found as { buffer: Uint8Array; engine: { bytesWritten: number } }
}

const damaged = (): GitRefusal => new GitRefusal('invalid_input', 'The repository cannot be read: its pack is damaged.')
