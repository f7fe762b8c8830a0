/**
 * How large an image is shown, read off the beginning of its bytes.
 *
 * The bytes come from anyone, and they are read on the thread that answers everybody: each reader below walks forward
 * through them once, whatever they claim, and gives up at their end. A size that stands further back is not found, and the
 * file is then one without dimensions.
 */
import { decodeText } from './text-start.ts'

export interface Dimensions {
  width: number
  height: number
}

/** More pixels than any viewer shows: a claim of more is a broken or a hostile file. */
const maxSide = 1_000_000

export function dimensionsOf(type: string, head: Buffer): Dimensions | undefined {
  const read = readers[type]
  if (!read) return undefined
  let found: Dimensions | undefined
  try {
    found = read(head)
  } catch (error) {
    // Reading past the end is how a cut or wrong file shows.
    if (!(error instanceof RangeError)) throw error
  }
  return found && isSide(found.width) && isSide(found.height) ? found : undefined
}

const isSide = (pixels: number): boolean => Number.isInteger(pixels) && pixels >= 1 && pixels <= maxSide

const png = (b: Buffer): Dimensions | undefined =>
  b.toString('latin1', 12, 16) === 'IHDR' ? { width: b.readUInt32BE(16), height: b.readUInt32BE(20) } : undefined

const gif = (b: Buffer): Dimensions => ({ width: b.readUInt16LE(6), height: b.readUInt16LE(8) })

const bmp = (b: Buffer): Dimensions => ({ width: b.readInt32LE(18), height: Math.abs(b.readInt32LE(22)) })

/** The first picture of an icon; 0 stands for 256. */
const ico = (b: Buffer): Dimensions => ({ width: b.readUInt8(6) || 256, height: b.readUInt8(7) || 256 })

function webp(b: Buffer): Dimensions | undefined {
  const kind = b.toString('latin1', 12, 16)
  if (kind === 'VP8X') return { width: b.readUIntLE(24, 3) + 1, height: b.readUIntLE(27, 3) + 1 }
  if (kind === 'VP8 ') return { width: b.readUInt16LE(26) & 0x3fff, height: b.readUInt16LE(28) & 0x3fff }
  if (kind !== 'VP8L' || b.readUInt8(20) !== 0x2f) return undefined
  const bits = b.readUInt32LE(21)
  return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 }
}

/** Goes from segment to segment until the one that starts the picture. */
function jpeg(b: Buffer): Dimensions | undefined {
  let sideways = false
  for (let at = 2; ; ) {
    if (b.readUInt8(at) !== 0xff) return undefined
    const marker = b.readUInt8(at + 1)
    // Fill bytes and markers without a length.
    if (marker === 0xff || marker === 0x01 || (marker >= 0xd0 && marker <= 0xd8)) {
      at += marker === 0xff ? 1 : 2
      continue
    }
    const length = b.readUInt16BE(at + 2)
    if (length < 2 || marker === 0xd9 || marker === 0xda) return undefined
    // Huffman tables, arithmetic conditioning and a reserved one share the row of the start markers.
    if (marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc) {
      const [height, width] = [b.readUInt16BE(at + 5), b.readUInt16BE(at + 7)]
      return sideways ? { width: height, height: width } : { width, height }
    }
    if (marker === 0xe1) sideways ||= isSideways(b.subarray(at + 4, at + 2 + length))
    at += 2 + length
  }
}

/** Whether a camera noted that the picture is to be turned by a quarter. */
function isSideways(segment: Buffer): boolean {
  if (segment.toString('latin1', 0, 6) !== 'Exif\0\0' || segment.length < 14) return false
  const tiff = segment.subarray(6)
  const little = tiff.toString('latin1', 0, 2) === 'II'
  const u16 = (at: number) => (little ? tiff.readUInt16LE(at) : tiff.readUInt16BE(at))
  const start = little ? tiff.readUInt32LE(4) : tiff.readUInt32BE(4)
  if (start + 2 > tiff.length) return false
  const last = Math.min(u16(start), Math.floor((tiff.length - start - 2) / 12))
  for (let entry = 0; entry < last; entry++) {
    const at = start + 2 + entry * 12
    if (u16(at) === 0x0112) return u16(at + 8) >= 5 && u16(at + 8) <= 8
  }
  return false
}

/** AVIF and HEIF: meta › iprp › ipco › ispe. The largest of the pictures is the picture; the others are its tiles. */
function heif(b: Buffer): Dimensions | undefined {
  const meta = boxes(b).get('meta')?.[0]
  // `meta` starts with a version and flags; the boxes inside it do not.
  const iprp = meta && boxes(meta.subarray(4)).get('iprp')?.[0]
  const ipco = iprp && boxes(iprp).get('ipco')?.[0]
  let largest: Dimensions | undefined
  for (const ispe of (ipco && boxes(ipco).get('ispe')) ?? []) {
    const found = { width: ispe.readUInt32BE(4), height: ispe.readUInt32BE(8) }
    if (!largest || found.width * found.height > largest.width * largest.height) largest = found
  }
  return largest
}

/** The boxes that follow each other in these bytes, by name. */
function boxes(b: Buffer): Map<string, Buffer[]> {
  const found = new Map<string, Buffer[]>()
  for (let at = 0; at + 8 <= b.length; ) {
    const size = b.readUInt32BE(at)
    if (size < 8) break
    const name = b.toString('latin1', at + 4, at + 8)
    const known = found.get(name)
    const content = b.subarray(at + 8, at + size)
    if (known) known.push(content)
    else found.set(name, [content])
    at += size
  }
  return found
}

/** How much of an SVG is searched for its first tag, and how long that tag may be. */
const svgStart = 16 * 1024

function svg(b: Buffer): Dimensions | undefined {
  const text = decodeText(b.subarray(0, svgStart))
  const start = text.search(/<(?:\w{1,20}:)?svg[\s>]/)
  const end = start < 0 ? -1 : text.indexOf('>', start)
  if (end < 0) return undefined
  const attributes = new Map<string, string>()
  for (const [, name = '', quoted = ''] of text
    .slice(start, end)
    .matchAll(/\s(width|height|viewBox)\s{0,9}=\s{0,9}("[^"]{0,99}"|'[^']{0,99}')/g))
    if (!attributes.has(name)) attributes.set(name, quoted.slice(1, -1).trim())
  const [, , boxWidth = 0, boxHeight = 0] = (attributes.get('viewBox') ?? '').split(/[\s,]+/).map(Number)
  const width = pixels(attributes.get('width'))
  const height = pixels(attributes.get('height'))
  const ratio = boxWidth / boxHeight
  return {
    width: Math.round(width ?? (height === undefined ? boxWidth : height * ratio)),
    height: Math.round(height ?? (width === undefined ? boxHeight : width / ratio)),
  }
}

const units: Record<string, number> = {
  px: 1,
  in: 96,
  cm: 96 / 2.54,
  mm: 96 / 25.4,
  pt: 96 / 72,
  pc: 16,
  em: 16,
  ex: 8,
}

/** A length as pixels; percentages say nothing about the picture itself. */
function pixels(length: string | undefined): number | undefined {
  const match = /^(\d{1,9}(?:\.\d{0,9})?|\.\d{1,9})(px|in|cm|mm|pt|pc|em|ex)?$/.exec(length ?? '')
  return match ? Number(match[1]) * (units[match[2] ?? 'px'] ?? 1) : undefined
}

const readers: Record<string, ((head: Buffer) => Dimensions | undefined) | undefined> = {
  'image/png': png,
  'image/apng': png,
  'image/gif': gif,
  'image/jpeg': jpeg,
  'image/webp': webp,
  'image/bmp': bmp,
  'image/x-icon': ico,
  'image/avif': heif,
  'image/heic': heif,
  'image/heif': heif,
  'image/svg+xml': svg,
}
