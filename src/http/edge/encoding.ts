/**
 * Content encoding: what a client takes, what is worth compressing, and compressing it. All of it happens on Node's thread
 * pool, so that a large answer does not hold the event loop.
 */

import type { Transform } from 'node:stream'
import { promisify } from 'node:util'
import { brotliCompress, constants, createBrotliCompress, createGzip, gzip } from 'node:zlib'

const compressGzip = promisify(gzip)
const compressBrotli = promisify(brotliCompress)

export type Encoding = 'br' | 'gzip'

/** Below this a packet is a packet. */
export const worthCompressing = 1_000

/** Text by its type. Pictures, fonts and archives are compressed already; event streams are sent piece by piece. */
export const isCompressible = (type: string): boolean =>
  /^text\/(?!event-stream)|[/+]json\b|javascript|[/+]xml\b|^image\/svg/.test(type)

/** The best of our encodings that the client takes. */
export function encodingFor(accepted: string | undefined): Encoding | undefined {
  if (accepted === undefined) return undefined
  return takes(accepted, 'br') ? 'br' : takes(accepted, 'gzip') ? 'gzip' : undefined
}

/** As a name of its own, not as a part of another. */
const named = { br: /(?:^|[\s,])br(?:$|[\s,;])/i, gzip: /(?:^|[\s,])gzip(?:$|[\s,;])/i }

export function takes(accepted: string, encoding: Encoding): boolean {
  if (!named[encoding].test(accepted)) return false
  // Nearly all say what they take and not what they do not.
  if (!accepted.includes('q=0')) return true
  return accepted
    .toLowerCase()
    .split(',')
    .some((part) => {
      const [name = '', ...parameters] = part.split(';').map((piece) => piece.trim())
      return name === encoding && !parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter))
    })
}

/** `once` is for answers that are sent once; `page` for what is sent again; `file` for what never changes. */
export type Effort = 'once' | 'page' | 'file'

const smallWindow = 64 * 1024
const qualities = { once: 4, page: 9, file: 11 }
const largePageQuality = 7

export function compress(body: Uint8Array | string, encoding: Encoding, effort: Effort): Promise<Buffer> {
  if (encoding === 'gzip') return compressGzip(body, { level: effort === 'once' ? 5 : 6 })
  const length = Buffer.byteLength(body)
  const isSmall = length <= smallWindow
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: effort === 'page' && !isSmall ? largePageQuality : qualities[effort],
    // The size of the window decides the time more than the quality does: 64 KB take a sixth of what 256 KB take.
    [constants.BROTLI_PARAM_LGWIN]: isSmall ? 16 : 18,
    [constants.BROTLI_PARAM_SIZE_HINT]: length,
    [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
  }
  return compressBrotli(body, { params })
}

/** The same for what is sent once and piece by piece. */
export function compressor(encoding: Encoding): Transform {
  if (encoding === 'gzip') return createGzip({ level: 5 })
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: qualities.once,
    [constants.BROTLI_PARAM_LGWIN]: 18,
    [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
  }
  return createBrotliCompress({ params })
}

/** `Vary` with one name more. */
export function addVary(present: string | undefined, name: string): string {
  if (present === undefined || present === '') return name
  return new RegExp(`(?:^|[\\s,])(?:${name}|\\*)(?:$|[\\s,])`, 'i').test(present) ? present : `${present}, ${name}`
}

/** The same content in another encoding is equal in meaning, not byte for byte. */
export const weakTag = (etag: string): string => (etag.startsWith('W/') ? etag : `W/${etag}`)
