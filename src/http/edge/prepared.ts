/**
 * An answer made ready to be sent many times: its bytes in each encoding, and its headers as `writeHead` takes them.
 *
 * Text is compressed off the event loop, once: by gzip before it is first sent, by brotli when it is asked for again.
 */
import { setImmediate as breath } from 'node:timers/promises'
import { isHeld } from '../etag.ts'
import { addVary, compress, type Effort, encodingFor, isCompressible, takes, worthCompressing } from './encoding.ts'
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
  gzip: Variant | undefined
  brotli: Variant | undefined
  /** How often it was sent: what is sent once is not worth the better compression. */
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
  const body = answer.body === undefined ? Buffer.alloc(0) : Buffer.from(answer.body)
  const etag = answer.hash === undefined ? undefined : `W/"${answer.hash}"`
  const isText = isCompressible(answer.headers['content-type'] ?? '') && body.length >= worthCompressing
  const { vary: own, ...headers } = answer.headers
  const vary = isText ? addVary(own, 'accept-encoding') : own
  const validators = [
    ...['cache-control', answer.caching],
    ...(etag === undefined ? [] : ['etag', etag]),
    ...(vary === undefined ? [] : ['vary', vary]),
  ]
  const prepared: Prepared = {
    status: answer.status,
    etag,
    effort,
    notModified: validators,
    plain: { headers: [...Object.entries(headers).flat(), ...validators, 'content-length', String(body.length)], body },
    gzip: undefined,
    brotli: undefined,
    sent: 0,
    bytes: body.length * 2 + 4_000,
  }
  if (isText) prepared.gzip = variantOf(prepared, await compress(body, 'gzip', effort), 'gzip')
  return prepared
}

function variantOf({ plain }: Prepared, body: Buffer, encoding: string): Variant {
  return {
    headers: [...plain.headers.slice(0, -2), 'content-encoding', encoding, 'content-length', String(body.length)],
    body,
  }
}

/** `common` are the headers that every answer of the edge has. */
export function sendPrepared(exchange: Exchange, prepared: Prepared, common: readonly string[]): void {
  const { request, headers, response } = exchange
  if (prepared.etag !== undefined && prepared.status === 200 && isHeld(headers['if-none-match'], prepared.etag)) {
    response.writeHead(304, prepared.notModified.concat(common, 'x-request-id', exchange.id))
    response.end()
    return
  }
  const variant = prepared.gzip === undefined ? prepared.plain : variantFor(headers['accept-encoding'], prepared)
  prepared.sent += 1
  if (prepared.sent === 2 && prepared.gzip !== undefined) void addBrotli(prepared).catch(() => {})
  response.writeHead(prepared.status, variant.headers.concat(common, 'x-request-id', exchange.id))
  response.end(request.method === 'HEAD' ? undefined : variant.body)
}

async function addBrotli(prepared: Prepared): Promise<void> {
  prepared.brotli = variantOf(prepared, await compress(prepared.plain.body, 'br', prepared.effort), 'br')
}

function variantFor(accepted: string | undefined, prepared: Prepared): Variant {
  const encoding = encodingFor(accepted)
  if (encoding === undefined || accepted === undefined) return prepared.plain
  if (encoding === 'br' && prepared.brotli) return prepared.brotli
  return (takes(accepted, 'gzip') ? prepared.gzip : undefined) ?? prepared.plain
}
