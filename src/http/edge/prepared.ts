/**
 * An answer made ready to be sent many times: its bytes in each encoding, and its headers as `writeHead` takes them.
 *
 * Text is compressed off the event loop, once, and for who takes it so: by gzip before it is first sent, by brotli when it is
 * asked for again.
 */
import { setImmediate as breath } from 'node:timers/promises'
import { isHeld } from '../etag.ts'
import { addVary, compress, type Effort, isCompressible, takes, worthCompressing } from './encoding.ts'
import type { Exchange } from './exchange.ts'

interface Variant {
  /** Name, value, name, value. */
  headers: string[]
  body: Buffer
}

export interface Prepared {
  readonly status: number
  readonly etag: string | undefined
  readonly effort: Effort
  readonly notModified: string[]
  readonly plain: Variant
  readonly isText: boolean
  gzip: Variant | undefined
  makingGzip: Promise<void> | undefined
  brotli: Variant | undefined
  makingBrotli: Promise<void> | undefined
  /** How often it was sent to who takes brotli: what is sent once is not worth the better compression. */
  sent: number
  /** What it takes in memory, about. */
  readonly bytes: number
}

export interface Preparing {
  status: number
  headers: Readonly<Record<string, string>>
  body?: string | Uint8Array | undefined
  /** Equal for equal content. */
  hash?: string | undefined
  /** The value of Cache-Control. */
  caching: string
  effort?: Effort
}

/** Making bytes of this much text takes some milliseconds, and so did making the text. */
const largeBody = 512 * 1024

export async function prepare({ effort = 'page', ...answer }: Preparing): Promise<Prepared> {
  if (answer.body !== undefined && answer.body.length > largeBody) await breath()
  const body = bytesOf(answer.body)
  const etag = answer.hash === undefined ? undefined : `W/"${answer.hash}"`
  const isText = isCompressible(answer.headers['content-type'] ?? '') && body.length >= worthCompressing
  const { vary: own, ...rest } = answer.headers
  const headers = rest.location === undefined ? rest : { ...rest, location: asciiAddress(rest.location) }
  const vary = isText ? addVary(own, 'accept-encoding') : own
  const validators = [
    ...['cache-control', answer.caching],
    ...(etag === undefined ? [] : ['etag', etag]),
    ...(vary === undefined ? [] : ['vary', vary]),
  ]
  return {
    status: answer.status,
    etag,
    effort,
    notModified: validators,
    plain: { headers: [...Object.entries(headers).flat(), ...validators, 'content-length', String(body.length)], body },
    isText,
    gzip: undefined,
    makingGzip: undefined,
    brotli: undefined,
    makingBrotli: undefined,
    sent: 0,
    bytes: body.length * 2 + 4_000,
  }
}

/** Headers hold no other letters: they are encoded as browsers do it. */
function asciiAddress(address: string): string {
  if (/^[\x21-\x7e]*$/.test(address)) return address
  const ascii = URL.canParse(address) ? new URL(address).href : address.toWellFormed()
  return ascii.replace(/[^\x21-\x7e]/gu, encodeURIComponent)
}

/** What is bytes already is not copied. */
function bytesOf(body: string | Uint8Array | undefined): Buffer {
  if (body === undefined) return Buffer.alloc(0)
  return typeof body === 'string' ? Buffer.from(body) : Buffer.from(body.buffer, body.byteOffset, body.byteLength)
}

function variantOf({ plain }: Prepared, body: Buffer, encoding: string): Variant {
  return {
    headers: [...plain.headers.slice(0, -2), 'content-encoding', encoding, 'content-length', String(body.length)],
    body,
  }
}

/** `common` are the headers that every answer of the edge has. */
export function sendPrepared(exchange: Exchange, prepared: Prepared, common: readonly string[]): void {
  const { headers, response } = exchange
  if (prepared.etag !== undefined && prepared.status === 200 && isHeld(headers['if-none-match'], prepared.etag)) {
    response.writeHead(304, prepared.notModified.concat(common, 'x-request-id', exchange.id))
    response.end()
    return
  }
  const variant = variantFor(prepared.isText ? headers['accept-encoding'] : undefined, prepared)
  if (variant) sendVariant(exchange, prepared.status, variant, common)
  else {
    // Who comes while it is made waits for the same; should it fail, the text goes out as it is.
    prepared.makingGzip ??= addGzip(prepared).catch(() => {})
    void prepared.makingGzip.then(() => sendVariant(exchange, prepared.status, prepared.gzip ?? prepared.plain, common))
  }
}

/** Nothing where the one that the client takes is not made yet. */
function variantFor(accepted: string | undefined, prepared: Prepared): Variant | undefined {
  if (accepted === undefined) return prepared.plain
  if (takes(accepted, 'br')) {
    if (prepared.brotli) return prepared.brotli
    prepared.sent += 1
    if (prepared.sent > 1) prepared.makingBrotli ??= addBrotli(prepared).catch(() => {})
  }
  return takes(accepted, 'gzip') ? prepared.gzip : prepared.plain
}

function sendVariant(
  { request, response, id }: Exchange,
  status: number,
  variant: Variant,
  common: readonly string[],
): void {
  response.writeHead(status, variant.headers.concat(common, 'x-request-id', id))
  response.end(request.method === 'HEAD' ? undefined : variant.body)
}

async function addBrotli(prepared: Prepared): Promise<void> {
  prepared.brotli = variantOf(prepared, await compress(prepared.plain.body, 'br', prepared.effort), 'br')
}

async function addGzip(prepared: Prepared): Promise<void> {
  prepared.gzip = variantOf(prepared, await compress(prepared.plain.body, 'gzip', prepared.effort), 'gzip')
}
