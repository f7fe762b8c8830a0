/**
 * Texts that lie under a hash, as they are stored: deflated, beginning with a byte that says how. Reading one costs a
 * tenth of a millisecond for a page of six kilobytes, and it takes a sixth of its JSON. The reasons and the numbers are in
 * docs/decisions/0060-stored-form.md.
 *
 * What a form has written can be read for ever: neither its dictionary nor its options change. Another is another number.
 */
import { promisify } from 'node:util'
import { deflateRaw, deflateRawSync, inflateRawSync } from 'node:zlib'

/** What JSON of documents and of page records is made of, the commonest last, where it is found in the fewest bits. */
const dictionary = Buffer.from(
  [
    '{"level":0,"keys":["","values":[{"id":"","type":"document","parent":"","rank":"a0","title":"","slug":"",',
    '"description":"","layout":{"hash":"","count":"createdAt":"2026-01-01T00:00:00.000Z","updatedAt":"2026-',
    '"git":{"oid":"","path":"","document":"',
    '{"object":"block","type":"table","isVoid":false,"data":{"view":{"type":"grid"},"columns":[{"id":"","title":"","type":"text"',
    '"records":{"":{"orderIndex":"","values":{"":"","fragments":[{"object":"fragment","type":"","fragment":"","nodes":[',
    '{"object":"block","type":"tabs","isVoid":false,"data":{},"nodes":[{"object":"block","type":"tabs-item"',
    '{"object":"block","type":"stepper","isVoid":false,"data":{},"nodes":[{"object":"block","type":"stepper-step"',
    '{"object":"block","type":"expandable","data":{"caption":"","width":{"ref":{"kind":"file","file":"","kind":"anchor","anchor":"',
    '{"object":"block","type":"images","isVoid":false,"data":{},"nodes":[{"object":"block","type":"image","isVoid":true,',
    '{"object":"block","type":"content-ref","isVoid":true,"data":{"ref":{"kind":"page","page":"',
    '{"object":"block","type":"hint","isVoid":false,"data":{"style":"info"},"nodes":[',
    '{"object":"block","type":"code","isVoid":false,"data":{"syntax":"js"},"nodes":[{"object":"block","type":"code-line"',
    '{"object":"block","type":"list-ordered","isVoid":false,"data":{},"nodes":[',
    '{"object":"block","type":"list-unordered","isVoid":false,"data":{},"nodes":[{"object":"block","type":"list-item",',
    '{"object":"block","type":"heading-2","isVoid":false,"data":{},"nodes":[',
    '{"object":"document","data":{"schemaVersion":8},"nodes":[{"object":"block","type":"heading-1","isVoid":false,"data":{},',
    '"marks":[{"object":"mark","type":"italic"}]},"marks":[{"object":"mark","type":"code"}]},"marks":[{"object":"mark","type":"bold"}]},',
    '{"object":"inline","type":"link","isVoid":false,"data":{"ref":{"kind":"page","page":"","kind":"url","url":"https://www.',
    '"}},"nodes":[{"object":"text","leaves":[{"object":"leaf","text":"","marks":[]}]}],"key":"',
    '{"object":"block","type":"paragraph","isVoid":false,"data":{},"nodes":[{"object":"text","leaves":[{"object":"leaf","text":"',
  ].join(''),
)

const whole = 1
/** What stands between the beginning and the end that a text shares with another: a depth, two lengths, and the rest. */
const changed = 2
const options = { level: 6, dictionary }

export function pack(text: string): Uint8Array {
  return addForm(deflateRawSync(text, options))
}

/** Off the event loop, for what is large. */
export async function packAside(text: string): Promise<Uint8Array> {
  return addForm(await deflateAside(text, options))
}

const deflateAside = promisify<string, typeof options, Buffer>(deflateRaw)

/** A larger one is no text of ours. */
const mostBytes = 512 * 1024 * 1024

export function unpack(packed: Uint8Array): string {
  if (packed[0] !== whole) throw unknownForm(packed)
  return inflate(packed.subarray(1))
}

const unknownForm = (packed: Uint8Array): Error =>
  new Error(`Content was stored in the form ${packed[0]}, which this version cannot read.`)

const inflate = (bytes: Uint8Array): string =>
  inflateRawSync(bytes, { dictionary, maxOutputLength: mostBytes }).toString()

/** So many texts stand on each other at most: each is read in 20 µs when the last is. */
const deepest = 16
/** Below this, and with more than a quarter changed, a text is stored whole. */
const smallest = 2048

/** A text as what it changed in another, which `base` is and is stored as; nothing where that saves little. */
export function packOn(text: string, base: { text: string; packed: Uint8Array | null }): Uint8Array | undefined {
  const depth = base.packed?.[0] === changed ? (base.packed[1] ?? deepest) + 1 : 1
  if (depth > deepest || text.length < smallest) return undefined
  const { start, end } = sharedEnds(base.text, text)
  if (text.length - start - end > text.length / 4) return undefined
  const middle = deflateRawSync(text.slice(start, text.length - end), options)
  const bytes = Buffer.alloc(head + middle.length)
  bytes[0] = changed
  bytes[1] = depth
  bytes.writeUInt32LE(start, 2)
  bytes.writeUInt32LE(end, 6)
  bytes.set(middle, head)
  return bytes
}

export function unpackOn(packed: Uint8Array, base: string): string {
  if (packed[0] !== changed) throw unknownForm(packed)
  const bytes = Buffer.from(packed.buffer, packed.byteOffset, packed.length)
  const [start, end] = [bytes.readUInt32LE(2), bytes.readUInt32LE(6)]
  return base.slice(0, start) + inflate(packed.subarray(head)) + base.slice(base.length - end)
}

const head = 10

function sharedEnds(one: string, other: string): { start: number; end: number } {
  const most = Math.min(one.length, other.length)
  let start = 0
  // By strides first, which the engine compares much faster than we do by characters.
  while (start + stride < most && one.slice(start, start + stride) === other.slice(start, start + stride))
    start += stride
  while (start < most && one.charCodeAt(start) === other.charCodeAt(start)) start++
  // A pair of surrogates stays together: half of one is no text.
  if (start > 0 && isHigh(other.charCodeAt(start - 1))) start--
  let end = 0
  while (
    end + stride < most - start &&
    one.slice(one.length - end - stride, one.length - end) ===
      other.slice(other.length - end - stride, other.length - end)
  )
    end += stride
  while (end < most - start && one.charCodeAt(one.length - 1 - end) === other.charCodeAt(other.length - 1 - end)) end++
  if (end > 0 && isLow(other.charCodeAt(other.length - end))) end--
  return { start, end }
}

const stride = 4096

const isHigh = (code: number): boolean => code >= 0xd800 && code <= 0xdbff
const isLow = (code: number): boolean => code >= 0xdc00 && code <= 0xdfff

export interface StoredText {
  value: string
  packed: Uint8Array | null
}

/** The text of a row, packed or as older versions wrote it. */
export const textIn = ({ value, packed }: StoredText): string => (packed === null ? value : unpack(packed))

function addForm(deflated: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(deflated.length + 1)
  bytes[0] = whole
  bytes.set(deflated, 1)
  return bytes
}
