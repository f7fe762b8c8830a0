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

const form = 1
const options = { level: 6, dictionary }

export function pack(text: string): Uint8Array {
  return marked(deflateRawSync(text, options))
}

/** Off the event loop, for what is large. */
export async function packAside(text: string): Promise<Uint8Array> {
  return marked(await deflateAside(text, options))
}

const deflateAside = promisify<string, typeof options, Buffer>(deflateRaw)

/** A larger one is no text of ours. */
const mostBytes = 512 * 1024 * 1024

export function unpack(packed: Uint8Array): string {
  if (packed[0] !== form)
    throw new Error(`Content was stored in the form ${packed[0]}, which this version cannot read.`)
  return inflateRawSync(packed.subarray(1), { dictionary, maxOutputLength: mostBytes }).toString()
}

/** The text of a row, packed or as older versions wrote it. */
export const textIn = ({ value, packed }: { value: string; packed: Uint8Array | null }): string =>
  packed === null ? value : unpack(packed)

function marked(deflated: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(deflated.length + 1)
  bytes[0] = form
  bytes.set(deflated, 1)
  return bytes
}
