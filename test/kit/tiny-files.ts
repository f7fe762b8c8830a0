/** Small real files of many kinds, and what Lectern makes of them. */
import { deflateSync } from 'node:zlib'

const chunk = (name: string, data: Buffer): Buffer => {
  const body = Buffer.concat([Buffer.from(name, 'latin1'), data])
  const frame = Buffer.alloc(body.length + 8)
  frame.writeUInt32BE(data.length, 0)
  body.copy(frame, 4)
  frame.writeUInt32BE(crc(body), body.length + 4)
  return frame
}

function crc(bytes: Buffer): number {
  let value = 0xffffffff
  for (const byte of bytes) {
    value ^= byte
    for (let bit = 0; bit < 8; bit++) value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1
  }
  return (value ^ 0xffffffff) >>> 0
}

/** 3 × 2, red. */
const png = Buffer.concat([
  Buffer.from('89504e470d0a1a0a', 'hex'),
  chunk('IHDR', Buffer.from('00000003000000020802000000', 'hex')),
  chunk('IDAT', deflateSync(Buffer.from('00ff0000ff0000ff000000ff0000ff0000ff0000', 'hex'))),
  chunk('IEND', Buffer.alloc(0)),
])
const base64 = (text: string): Buffer => Buffer.from(text, 'base64')
const gif = base64('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7')
const jpeg = base64(
  '/9j/4AAQSkZJRgABAQEASABIAAD/2wBDAP//////////////////////////////////////////////////////////////////////////////////////wgALCAABAAEBAREA/8QAFBABAAAAAAAAAAAAAAAAAAAAAP/aAAgBAQABPxA=',
)
/** The same with a note that it is to be turned by a quarter, and 2 × 1 in size. */
const turned = Buffer.concat([
  Buffer.from('ffd8ffe1002245786966000049492a00080000000100120103000100000006000000000000', 'hex'),
  Buffer.from('00ffc0000b080001000201011100ffd9', 'hex'),
])
const webp = base64('UklGRiIAAABXRUJQVlA4IBYAAAAwAQCdASoBAAEADsD+JaQAA3AAAAAA')
const webpLossless = base64('UklGRhoAAABXRUJQVlA4TA0AAAAvAAAAEAcQERGIiP4HAA==')
const box = (name: string, ...content: Buffer[]): Buffer => {
  const body = Buffer.concat(content)
  const head = Buffer.alloc(8)
  head.writeUInt32BE(body.length + 8)
  head.write(name, 4, 'latin1')
  return Buffer.concat([head, body])
}
const avif = Buffer.concat([
  box('ftyp', Buffer.from('avif\0\0\0\0avifmif1', 'latin1')),
  box('meta', Buffer.alloc(4), box('iprp', box('ipco', box('ispe', Buffer.from('000000000000000700000005', 'hex'))))),
  box('mdat', Buffer.alloc(8)),
])
const mp4 = Buffer.concat([box('ftyp', Buffer.from('isom\0\0\x02\0isomiso2avc1mp41', 'latin1')), box('moov')])
const pdf = Buffer.from(
  '%PDF-1.4\n1 0 obj<</Type/Catalog/OpenAction<</S/JavaScript/JS(app.alert(1))>>>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF',
)
const zip = Buffer.from('504b0506000000000000000000000000000000000000', 'hex')
const svg = Buffer.from(
  '<?xml version="1.0"?>\n<!-- drawn -->\n<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 20" width="20"><script>document.title="ran"</script><rect width="40" height="20" fill="red"/></svg>',
)
const html = Buffer.from('<!DOCTYPE html><title>still</title><script>document.title="ran"</script>')
/** A picture for one reader, a page for another. */
const polyglot = Buffer.concat([
  Buffer.from('GIF89a/*'),
  Buffer.alloc(4),
  Buffer.from('*/=1;<html><script>alert(1)</script>'),
])

export interface Sample {
  name: string
  /** What the sender says it is; every test also lies where this is left out. */
  type?: string
  bytes: Buffer
  is: string
  dimensions?: { width: number; height: number }
  inline: boolean
  sentAs: string
}

const octets = 'application/octet-stream'
const shown = (name: string, bytes: Buffer, is: string, dimensions?: Sample['dimensions'], sentAs = is): Sample => ({
  name,
  bytes,
  is,
  ...(dimensions ? { dimensions } : {}),
  inline: true,
  sentAs,
})
const saved = (name: string, bytes: Buffer, is: string, sentAs = octets, type?: string): Sample => ({
  name,
  bytes,
  is,
  inline: false,
  sentAs,
  ...(type === undefined ? {} : { type }),
})

const all: Sample[] = [
  shown('a.png', png, 'image/png', { width: 3, height: 2 }),
  shown('picture.html', png, 'image/png', { width: 3, height: 2 }),
  shown('a.gif', gif, 'image/gif', { width: 1, height: 1 }),
  shown('a.jpg', jpeg, 'image/jpeg', { width: 1, height: 1 }),
  shown('turned.jpg', turned, 'image/jpeg', { width: 1, height: 2 }),
  shown('a.webp', webp, 'image/webp', { width: 1, height: 1 }),
  shown('b.webp', webpLossless, 'image/webp', { width: 1, height: 1 }),
  shown('a.avif', avif, 'image/avif', { width: 7, height: 5 }),
  shown('a.mp4', mp4, 'video/mp4'),
  { ...shown('a.txt', Buffer.from('words'), 'text/plain', undefined, 'text/plain; charset=utf-8'), type: 'text/plain' },
  { ...shown('a.log', Buffer.from('words'), 'text/plain', undefined, 'text/plain; charset=utf-8'), type: octets },
  shown('polyglot.gif', polyglot, 'image/gif', { width: 10799, height: 0 }),
  { ...saved('a.svg', svg, 'image/svg+xml', 'image/svg+xml'), dimensions: { width: 20, height: 10 } },
  { ...saved('svg.png', svg, 'image/svg+xml', 'image/svg+xml', 'image/png'), dimensions: { width: 20, height: 10 } },
  saved('a.html', html, 'text/html'),
  saved('html.png', html, 'text/html', octets, 'image/png'),
  saved('html.txt', html, 'text/html', octets, 'text/plain'),
  saved('bom.txt', Buffer.concat([Buffer.from('\ufeff \n<!-- x --><HTML>')]), 'text/html', octets, 'text/plain'),
  saved('wide.txt', Buffer.from('\ufeff<html>', 'utf16le'), 'text/html', octets, 'text/plain'),
  saved('a.pdf', pdf, 'application/pdf', 'application/pdf'),
  saved('a.zip', zip, 'application/zip', 'application/zip'),
  saved('a.js', Buffer.from('alert(1)'), 'text/javascript', octets, 'text/javascript'),
  saved('a.css', Buffer.from('a{}'), 'text/css', octets, 'text/css'),
  saved(
    'a.xml',
    Buffer.from('<?xml version="1.0"?><x xmlns:h="http://www.w3.org/1999/xhtml"/>'),
    'application/xml',
    octets,
    'image/png',
  ),
  saved('not-a.png', Buffer.from([1, 2, 0, 4]), octets, octets, 'image/png'),
  saved('strange', Buffer.from([1, 2, 0, 4]), octets, octets, 'text/html\r\nx: y'),
  saved('a.md', Buffer.from('<p align="center">Read me</p>'), 'text/markdown', 'text/markdown; charset=utf-8', octets),
]
for (const sample of all) if (sample.dimensions?.height === 0) delete sample.dimensions

export const samples = { png, gif, jpeg, webp, avif, mp4, pdf, zip, svg, html, all }
