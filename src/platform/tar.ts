/** Tar archives as streams, written and read entry by entry: enough of the format (ustar) for what we write ourselves. */
import type { Bytes } from '../core/blobs.ts'

const block = 512

export interface TarEntry {
  name: string
  size: number
  body: Bytes
}

/** The bytes of one entry; the body must have exactly `size` bytes. */
export async function* tarEntry({ name, size, body }: TarEntry): AsyncGenerator<Uint8Array> {
  yield headerOf(name, size)
  let written = 0
  for await (const bytes of body) {
    written += bytes.length
    yield bytes
  }
  if (written !== size) throw new Error(`${name} has ${written} bytes, not ${size}.`)
  yield Buffer.alloc(paddingOf(size))
}

/** What ends an archive. */
export const tarEnd = (): Uint8Array => Buffer.alloc(2 * block)

class TarError extends Error {
  override name = 'TarError'
}

/** The entries of an archive, one after the other; what is left of a body when the next is asked for is skipped. */
export async function* readTar(source: Bytes): AsyncGenerator<TarEntry> {
  const reader = new ByteReader(source)
  for (;;) {
    const header = await reader.take(block)
    if (header.length === 0) throw new TarError('The archive ends without its end mark: it was cut off.')
    if (header.every((byte) => byte === 0)) return
    const { name, size } = readHeader(header)
    const until = reader.position + size
    yield { name, size, body: reader.stream(size) }
    for await (const _ of reader.stream(until + paddingOf(size) - reader.position));
  }
}

const paddingOf = (size: number): number => (block - (size % block)) % block

function headerOf(name: string, size: number): Buffer {
  const header = Buffer.alloc(block)
  if (Buffer.byteLength(name) > 100) throw new Error(`${name} is too long for an archive.`)
  header.write(name, 0)
  header.write('0000644\0', 100)
  header.write('0000000\0', 108)
  header.write('0000000\0', 116)
  header.write(`${size.toString(8).padStart(11, '0')}\0`, 124)
  header.write('00000000000\0', 136)
  header.write('0', 156)
  header.write('ustar\u000000', 257, 'latin1')
  header.write(`${checksumOf(header).toString(8).padStart(6, '0')}\0 `, 148)
  return header
}

function readHeader(header: Buffer): { name: string; size: number } {
  const field = (start: number, length: number): string =>
    header
      .toString('utf8', start, start + length)
      .replace(/\0.*$/s, '')
      .trim()
  const size = Number.parseInt(field(124, 12) || '0', 8)
  if (Number.parseInt(field(148, 8), 8) !== checksumOf(header) || !Number.isSafeInteger(size) || size < 0) {
    throw new TarError('The archive is damaged, or is no backup.')
  }
  return { name: field(0, 100), size }
}

/** The sum of the header's bytes with its own field read as spaces. */
const checksumOf = (header: Buffer): number =>
  header.reduce((sum, byte, index) => sum + (index >= 148 && index < 156 ? 32 : byte), 0)

class ByteReader {
  readonly #source: AsyncIterator<Uint8Array>
  #rest: Buffer = Buffer.alloc(0)
  position = 0

  constructor(source: Bytes) {
    this.#source = source[Symbol.asyncIterator]()
  }

  /** Exactly so many bytes; none at the end of the source. */
  async take(count: number): Promise<Buffer> {
    const parts: Buffer[] = []
    for await (const part of this.stream(count, true)) parts.push(part)
    return Buffer.concat(parts)
  }

  async *stream(count: number, mayEnd = false): AsyncGenerator<Buffer> {
    for (let left = count; left > 0; ) {
      if (this.#rest.length === 0) {
        const next = await this.#source.next()
        if (next.done) {
          if (mayEnd && left === count) return
          throw new TarError('The archive ends too early: it was cut off.')
        }
        this.#rest = Buffer.from(next.value.buffer, next.value.byteOffset, next.value.length)
      }
      const part = this.#rest.subarray(0, left)
      this.#rest = this.#rest.subarray(part.length)
      left -= part.length
      this.position += part.length
      yield part
    }
  }
}
