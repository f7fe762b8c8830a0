/**
 * What a file is, by its bytes.
 *
 * The sender's word counts only where the bytes do not tell, and never for what a browser would show: a picture is one
 * because it looks like one. Whatever comes out here, safety does not hang on it: how a type is sent is decided in
 * `delivery.ts`, and no type that runs anything is sent to be shown.
 */
import { mustShow } from './delivery.ts'
import { decodeText, firstTag } from './text-start.ts'

/** How much of the beginning tells a type. */
const magicBytes = 64 * 1024
const markupBytes = 8 * 1024

const unknown = 'application/octet-stream'

export async function typeOf(head: Buffer, { name, claimed }: { name: string; claimed?: string | undefined }) {
  const isWide = isWideText(head)
  const text =
    isWide || !head.subarray(0, markupBytes).includes(0) ? decodeText(head.subarray(0, markupBytes)) : undefined
  const markup = text === undefined ? undefined : markupType(text)
  if (markup !== undefined) return markup
  const known = isWide ? undefined : await magic(head.subarray(0, magicBytes))
  if (known !== undefined && known !== 'application/xml') return known
  const claimedFormat = claimedType(claimed)
  if (claimedFormat !== undefined && claimedFormat !== unknown && !mustShow(claimedFormat)) return claimedFormat
  if (known !== undefined) return known
  return text === undefined ? unknown : (byEnding[name.slice(name.lastIndexOf('.') + 1).toLowerCase()] ?? 'text/plain')
}

async function magic(bytes: Buffer): Promise<string | undefined> {
  try {
    // Loaded on demand: a server that is sent no files does not pay for it at start.
    const { fileTypeFromBuffer } = await import('file-type')
    return (await fileTypeFromBuffer(bytes))?.mime
  } catch {
    return undefined // A beginning that breaks off where its own lengths promise more.
  }
}

/** Only what a browser would take for a document: Markdown may begin with `<p>` too. */
const documentTags = new Set(['!doctype html', 'html', 'head', 'body', 'script', 'iframe', 'object', 'embed'])

function markupType(text: string): string | undefined {
  const tag = firstTag(text)
  if (tag === 'svg') return 'image/svg+xml'
  return tag !== undefined && documentTags.has(tag) ? 'text/html' : undefined
}

/** Type and subtype without parameters; undefined when it is none. */
const claimedType = (claimed: string | undefined): string | undefined =>
  /^\s*([a-z0-9][\w.+-]{0,63}\/[a-z0-9][\w.+-]{0,99})\s*(;|$)/i.exec(claimed ?? '')?.[1]?.toLowerCase()

/** The mark of UTF-16, which is also how a format of sound begins that nobody uses. */
const isWideText = (head: Buffer): boolean =>
  (head[0] === 0xff && head[1] === 0xfe) || (head[0] === 0xfe && head[1] === 0xff)

const byEnding: Record<string, string | undefined> = {
  md: 'text/markdown',
  markdown: 'text/markdown',
  csv: 'text/csv',
  json: 'application/json',
  yaml: 'application/yaml',
  yml: 'application/yaml',
  js: 'text/javascript',
  css: 'text/css',
  html: 'text/html',
  htm: 'text/html',
  svg: 'image/svg+xml',
  xml: 'application/xml',
}
