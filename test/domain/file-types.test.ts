/** Types, sizes and names of files whose bytes come from anyone: right for real ones, quick for hostile ones. */
import { randomBytes } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { cleanFileName, deliveryOf } from '../../src/domain/files/delivery.ts'
import { dimensionsOf } from '../../src/domain/files/dimensions.ts'
import { typeOf } from '../../src/domain/files/sniff.ts'
import { dispositionOf } from '../../src/http/disposition.ts'
import { samples } from '../kit/tiny-files.ts'

const KiB = 1024
const images = [
  'image/png',
  'image/gif',
  'image/jpeg',
  'image/webp',
  'image/bmp',
  'image/x-icon',
  'image/avif',
  'image/svg+xml',
]
/** Generous, for a busy machine: what walks over the bytes more than once takes many seconds. */
const milliseconds = 1000

const repeated = (unit: Buffer, size = 256 * KiB): Buffer => Buffer.alloc(size, unit)

/** Boxes in boxes whose lengths promise the whole file, full of small ones. */
function crowdedAvif(): Buffer {
  const bytes = Buffer.alloc(256 * KiB)
  let at = 0
  const box = (size: number, name: string, skip = 0) => {
    bytes.writeUInt32BE(size, at)
    bytes.write(name, at + 4, 'latin1')
    at += 8 + skip
  }
  box(20, 'ftyp', 12)
  box(bytes.length - at, 'meta', 4)
  box(bytes.length - at, 'iprp')
  box(bytes.length - at, 'ipco')
  while (at + 20 <= bytes.length) box(20, 'ispe', 12)
  return bytes
}

describe('dimensions', () => {
  const hostile: Record<string, Buffer> = {
    zeros: Buffer.alloc(256 * KiB),
    'all ones': Buffer.alloc(256 * KiB, 0xff),
    noise: randomBytes(256 * KiB),
    'short segments of a JPEG': Buffer.concat([Buffer.from('ffd8', 'hex'), repeated(Buffer.from('ffe10002', 'hex'))]),
    'fill bytes of a JPEG': Buffer.concat([Buffer.from('ffd8', 'hex'), Buffer.alloc(256 * KiB, 0xff)]),
    'many camera notes': Buffer.concat([
      Buffer.from('ffd8', 'hex'),
      repeated(
        Buffer.concat([Buffer.from('ffe1fffe', 'hex'), Buffer.from('Exif\0\0II*\0\x08\0\0\0\xff\xff', 'latin1')]),
      ),
    ]),
    'boxes without length': repeated(Buffer.from('0000000069737065', 'hex')),
    'crowded boxes': crowdedAvif(),
    'unclosed tags': repeated(Buffer.from('<svg ')),
    'unclosed attributes': Buffer.concat([Buffer.from('<svg'), repeated(Buffer.from(' viewBox="0'))]),
    'spaces in a tag': Buffer.concat([Buffer.from('<svg'), repeated(Buffer.from(' ')), Buffer.from('>')]),
    comments: repeated(Buffer.from('<!-- --><?x ?><!x>')),
    'open declarations': repeated(Buffer.from('<!x [')),
  }
  for (const [title, bytes] of Object.entries(hostile)) {
    test(`of ${title} take no time`, async () => {
      const began = performance.now()
      for (const type of images) dimensionsOf(type, bytes)
      await typeOf(bytes, { name: 'x', claimed: 'image/png' })
      expect(performance.now() - began).toBeLessThan(milliseconds)
    })
  }

  test('are absent, never wrong, when a file is cut anywhere', () => {
    for (const { name, bytes, is, dimensions } of samples.all) {
      for (let length = 0; length < bytes.length; length++) {
        const found = dimensionsOf(is, bytes.subarray(0, length))
        if (found && dimensions) expect(found, `${name} cut to ${length}`).toEqual(dimensions)
      }
    }
  })

  test('are whole numbers a screen could have, whatever the bytes', () => {
    const sample = fc.constantFrom(...samples.all.filter(({ dimensions }) => dimensions))
    const edits = fc.array(fc.tuple(fc.nat(200), fc.nat(255)), { maxLength: 12 })
    fc.assert(
      fc.property(sample, edits, ({ bytes, is }, changes) => {
        const altered = Buffer.from(bytes)
        for (const [at, value] of changes) altered[at % altered.length] = value
        const found = dimensionsOf(is, altered)
        for (const side of found ? [found.width, found.height] : []) {
          expect(Number.isInteger(side) && side >= 1 && side <= 1_000_000).toBe(true)
        }
      }),
      { numRuns: 3000 },
    )
  })
})

describe('types', () => {
  test('never throw, and never make something of nothing that would be shown', async () => {
    const claims = fc.constantFrom(
      'image/png',
      'text/html',
      'video/mp4',
      'x',
      '',
      'text/plain; charset=x',
      'a/b\r\nc: d',
    )
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 400 }), claims, async (bytes, claimed) => {
        const type = await typeOf(Buffer.from(bytes), { name: 'x', claimed })
        expect(type).toMatch(/^[\w.+-]+\/[\w.+-]+$/)
      }),
      { numRuns: 2000 },
    )
  })

  test('that run something are never shown', () => {
    for (const type of [
      'text/html',
      'application/xhtml+xml',
      'image/svg+xml',
      'text/xml',
      'application/xml',
      'text/javascript',
      'application/javascript',
      'text/css',
      'application/pdf',
      'application/x-shockwave-flash',
      'multipart/related',
      'message/rfc822',
      'text/vtt',
      'TEXT/HTML',
      'image/png\r\nx: y',
      '',
    ])
      expect(deliveryOf(type).inline, type).toBe(false)
    for (const type of ['text/html', 'text/javascript', 'text/css', 'application/xml', 'text/cache-manifest'])
      expect(deliveryOf(type).contentType).toBe('application/octet-stream')
  })
})

describe('names', () => {
  const text = fc.oneof(fc.string({ unit: 'binary', maxLength: 300 }), fc.string({ maxLength: 300 }))

  test('come out short, whole and without folders', () => {
    fc.assert(
      fc.property(text, (name) => {
        const clean = cleanFileName(name)
        expect(Buffer.byteLength(clean)).toBeLessThanOrEqual(255)
        expect(clean).not.toMatch(/[/\\\x00-\x1f"]|^\.{0,2}$/)
        expect(clean.isWellFormed()).toBe(true)
        expect(cleanFileName(clean)).toBe(clean)
      }),
      { numRuns: 3000 },
    )
  })

  test('stay inside their header', () => {
    fc.assert(
      fc.property(text, (name) => {
        expect(dispositionOf(name, { inline: false })).toMatch(
          /^attachment; filename="[A-Za-z0-9 ._()-]*"; filename\*=UTF-8''[A-Za-z0-9!#$&+.^_`|~%-]*$/,
        )
      }),
      { numRuns: 3000 },
    )
    expect(dispositionOf('é"; filename="x.exe', { inline: true })).toBe(
      `inline; filename="___ filename__x.exe"; filename*=UTF-8''%C3%A9%22%3B%20filename%3D%22x.exe`,
    )
  })
})
