/**
 * An answer made ready to be sent many times: its bytes in each encoding, and its headers as `writeHead` takes them.
 *
 * Text is compressed off the event loop, once: by gzip before it is first sent, by brotli when it is asked for again.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { Answered } from '../../site/serve/visiting.ts'
import type { Said } from '../said.ts'

const compressGzip = promisify(gzip)
const compressBrotli = promisify(brotliCompress)

/** Below this a packet is a packet. */
const worthCompressing = 1_000
const smallWindow = 64 * 1024
const pageQuality = 9
const largePageQuality = 7
const fileQuality = 11

interface Variant {
  /** Name, value, name, value. */
  headers: string[]
  body: Buffer
}

export interface Kept {
  status: number
  etag: string | undefined
  notModified: string[]
  plain: Variant
  gzip: Variant | undefined
  brotli: Variant | undefined
  viewed: Answered['viewed']
  /** How often it was sent: what is sent once is not worth the better compression. */
  sent: number
  readonly lasts: Answered['lasts']
  readonly bytes: number
}

/** `caching` is the value of Cache-Control. */
export async function makeKept(answer: Answered, caching: string): Promise<Kept> {
  const body = answer.body === undefined ? Buffer.alloc(0) : Buffer.from(answer.body)
  const etag = answer.hash === undefined ? undefined : `W/"${answer.hash}"`
  const type = answer.headers['content-type'] ?? ''
  const isText = /^text\/|json|javascript|svg|xml/.test(type) && body.length >= worthCompressing
  const { vary: own, ...headers } = answer.headers
  const differing = [own, isText ? 'accept-encoding' : undefined].filter((name) => name !== undefined).join(', ')
  const vary = differing === '' ? [] : ['vary', differing]
  const common = [
    ...Object.entries(headers).flat(),
    ...['cache-control', caching],
    ...(etag === undefined ? [] : ['etag', etag]),
    ...vary,
  ]
  const kept: Kept = {
    status: answer.status,
    etag,
    notModified: ['cache-control', caching, ...(etag === undefined ? [] : ['etag', etag]), ...vary],
    plain: { headers: [...common, 'content-length', String(body.length)], body },
    gzip: undefined,
    brotli: undefined,
    viewed: answer.viewed,
    sent: 0,
    lasts: answer.lasts,
    bytes: body.length * 2 + 4_000,
  }
  if (isText) kept.gzip = variantOf(kept, await compressGzip(body, { level: 6 }), 'gzip')
  return kept
}

function variantOf({ plain }: Kept, body: Buffer, encoding: string): Variant {
  return {
    headers: [...plain.headers.slice(0, -2), 'content-encoding', encoding, 'content-length', String(body.length)],
    body,
  }
}

async function addBrotli(kept: Kept): Promise<void> {
  const { body } = kept.plain
  const isSmall = body.length <= smallWindow
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: kept.lasts === 'forever' ? fileQuality : isSmall ? pageQuality : largePageQuality,
    // The size of the window decides the time more than the quality does: 64 KB take a sixth of what 256 KB take.
    [constants.BROTLI_PARAM_LGWIN]: isSmall ? 16 : 18,
    [constants.BROTLI_PARAM_SIZE_HINT]: body.length,
    [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
  }
  kept.brotli = variantOf(kept, await compressBrotli(body, { params }), 'br')
}

/** What is sent, to whom. */
export interface Sending {
  request: IncomingMessage
  said: Said
  response: ServerResponse
}

export function send({ request, said, response }: Sending, kept: Kept, isDraining: boolean): void {
  // Answers that carry nothing of the request can be sent as they are; this is the one thing that may come on top.
  if (isDraining) response.shouldKeepAlive = false
  const held = said['if-none-match']
  if (held !== undefined && kept.etag !== undefined && kept.status === 200 && isHeldWeakly(held, kept.etag)) {
    response.writeHead(304, kept.notModified)
    response.end()
    return
  }
  const variant = kept.gzip === undefined ? kept.plain : chosen(said['accept-encoding'], kept)
  kept.sent += 1
  if (kept.sent === 2 && kept.gzip !== undefined) void addBrotli(kept).catch(() => {})
  response.writeHead(kept.status, variant.headers)
  if (request.method === 'HEAD') response.end()
  else response.end(variant.body)
}

const isHeldWeakly = (header: string, etag: string): boolean =>
  header === etag || header === '*' || header.split(',').some((tag) => plainTag(tag.trim()) === plainTag(etag))

const plainTag = (tag: string): string => (tag.startsWith('W/') ? tag.slice(2) : tag)

type Encoding = 'br' | 'gzip' | ''
/** Browsers say the same few things, so that each is read once. */
const understood = new Map<string, Encoding>()

function chosen(accepted: string | undefined, kept: Kept): Variant {
  if (accepted === undefined) return kept.plain
  let encoding = understood.get(accepted)
  if (encoding === undefined) {
    encoding = takes(accepted, 'br') ? 'br' : takes(accepted, 'gzip') ? 'gzip' : ''
    if (understood.size > 200) understood.clear()
    understood.set(accepted, encoding)
  }
  if (encoding === 'br') return kept.brotli ?? (takes(accepted, 'gzip') ? kept.gzip : undefined) ?? kept.plain
  return (encoding === 'gzip' ? kept.gzip : undefined) ?? kept.plain
}

function takes(accepted: string, encoding: string): boolean {
  return accepted
    .toLowerCase()
    .split(',')
    .some((part) => {
      const [name = '', ...parameters] = part.split(';').map((piece) => piece.trim())
      return name === encoding && !parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter))
    })
}
