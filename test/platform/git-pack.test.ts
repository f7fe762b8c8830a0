/** Packs that say one thing and hold another, or too much: refused before anything of them is unpacked whole. */
import { randomBytes } from 'node:crypto'
import { deflateSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { guardedFs, judgePack } from '../../src/platform/git/pack.ts'

const most = 1000

/** Numbers as packs have them, seven bits in each byte. */
const number = (value: number): number[] =>
  value < 128 ? [value] : [(value % 128) + 128, ...number(Math.floor(value / 128))]
const header = (type: number, size: number): Buffer =>
  Buffer.from(size < 16 ? [type * 16 + size] : [128 + type * 16 + (size % 16), ...number(Math.floor(size / 16))])
const object = (type: number, content: Uint8Array, { size = content.length, before = Buffer.alloc(0) } = {}): Buffer =>
  Buffer.concat([header(type, size), before, deflateSync(content)])
const pack = (...objects: Buffer[]): Buffer => {
  const start = Buffer.from('PACK\0\0\0\u0002\0\0\0\0')
  start.writeUInt32BE(objects.length, 8)
  return Buffer.concat([start, ...objects, Buffer.alloc(20)])
}
const delta = (size: number): Buffer => Buffer.from([...number(5), ...number(size), 0x90, 5])

test('of objects that are no larger than they may be is taken', () => {
  const name = { before: randomBytes(20) }
  const back = { before: Buffer.from([0x81, 5]) }
  judgePack(
    pack(
      object(3, Buffer.alloc(0)),
      object(3, randomBytes(most)),
      object(7, delta(most), name),
      object(6, delta(5), back),
      object(1, Buffer.from('words')),
    ),
    most,
  )
})

describe('is refused', () => {
  const refused: [string, Buffer, RegExp][] = [
    ['with a large object', pack(object(3, Buffer.alloc(most + 1))), /larger than/],
    [
      'with a large object behind others',
      pack(object(3, randomBytes(most)), object(3, Buffer.alloc(most + 1))),
      /larger/,
    ],
    ['with a delta that makes a large object', pack(object(7, delta(most + 1), { before: randomBytes(20) })), /larger/],
    ['with more in an object than it says', pack(object(3, Buffer.alloc(most * 100), { size: most })), /damaged/],
    ['with less in an object than it says', pack(object(3, Buffer.alloc(1), { size: most })), /damaged/],
    ['with fewer objects than it says', pack(object(3, Buffer.alloc(1))).fill(9, 11, 12), /damaged/],
  ]
  test.each(refused)('%s', (_, bytes, message) => {
    expect(() => judgePack(bytes, most)).toThrow(message)
  })

  test('before it is written', async () => {
    const huge = pack(Buffer.concat([header(3, 1024 ** 3), deflateSync(Buffer.alloc(0))]))
    await expect(guardedFs.promises.writeFile('/nowhere/objects/pack/pack-1.pack', huge)).rejects.toThrow(/100 MiB/)
  })
})
