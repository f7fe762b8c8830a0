/**
 * The one way out: every fetch of an address that somebody gave us goes through here.
 *
 * Promises:
 * 1. http and https only, to public addresses only. The address is judged where the name is resolved for the very
 *    connection that uses it, and once more on the connected socket: no second look-up can slip another one in.
 * 2. Redirects are followed by hand, at most five, each judged like the first; credentials never travel.
 * 3. One deadline for everything (30 s), one limit for the bytes after decompression (25 MiB, and 100 times what came
 *    over the wire), so that a hostile server costs a bounded amount of time and memory.
 *
 * `allowPrivate` opens loopback and private networks; link-local addresses, where clouds keep credentials, stay closed.
 */

import type { LookupAddress, LookupOptions } from 'node:dns'
import { lookup as systemLookup } from 'node:dns'
import { Agent as HttpAgent, type IncomingMessage, request as requestHttp } from 'node:http'
import { Agent as HttpsAgent, request as requestHttps } from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import { pipeline, type Readable } from 'node:stream'
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'
import { reachOf } from './addresses.ts'
import { version } from './version.ts'

export const fetchLimits = {
  redirects: 5,
  milliseconds: 30_000,
  bytes: 25 * 1024 * 1024,
  /** Decompressed bytes for each byte received, once there is a megabyte of them. */
  ratio: 100,
  /** Where web servers listen; a private installation may use any. */
  ports: [80, 443, 8080, 8443],
} as const

export type FetchErrorCode = 'FETCH_BLOCKED' | 'FETCH_TIMEOUT' | 'TOO_LARGE' | 'FETCH_ERROR'

export class FetchError extends Error {
  override name = 'FetchError'
  readonly code: FetchErrorCode
  /** The answer's status, when there was an answer. */
  readonly status: number | undefined

  constructor(code: FetchErrorCode, message: string, status?: number) {
    super(message)
    this.code = code
    this.status = status
  }
}

export interface FetchRequest {
  method?: 'GET' | 'HEAD' | 'POST' | undefined
  /** Sent to the first origin only: a redirect to another one does not see them. */
  headers?: Record<string, string> | undefined
  body?: string | Uint8Array | undefined
  /** Return whatever status came; otherwise all but 2xx are errors. */
  anyStatus?: boolean | undefined
  /** Lower than the limits above, never higher. */
  milliseconds?: number | undefined
  bytes?: number | undefined
  signal?: AbortSignal | undefined
  /** Higher limits, for what is taken in piece by piece. */
  raised?: { bytes: number; milliseconds: number } | undefined
  /** Takes the bytes as they come; the answer then has none. */
  into?: ((part: Uint8Array) => Promise<void>) | undefined
}

export interface Fetched {
  /** Where the last redirect led. */
  url: string
  status: number
  contentType: string | undefined
  headers: Record<string, string>
  bytes: Uint8Array
}

export type GuardedFetch = (url: string, request?: FetchRequest) => Promise<Fetched>

type AddressesOf = (hostname: string, done: (error: Error | null, addresses: LookupAddress[]) => void) => void

export interface FetchOptions {
  allowPrivate: boolean
  /** The deadline for everything, where it is another than the usual one. */
  milliseconds?: number
  /** Resolves names; the system's resolver unless a test brings its own. */
  addressesOf?: AddressesOf
}

const resolve: AddressesOf = (hostname, done) => systemLookup(hostname, { all: true, order: 'verbatim' }, done)

export function makeFetch({
  allowPrivate,
  milliseconds = fetchLimits.milliseconds,
  addressesOf = resolve,
}: FetchOptions): GuardedFetch {
  const guard: Guard = { allowPrivate, addressesOf }
  return async (url, request = {}) => {
    const most = request.raised?.milliseconds ?? milliseconds
    const deadline = AbortSignal.timeout(Math.min(request.milliseconds ?? Number.POSITIVE_INFINITY, most))
    const signal = request.signal ? AbortSignal.any([deadline, request.signal]) : deadline
    try {
      return await follow(guard, url, request, signal)
    } catch (error) {
      if (error instanceof FetchError) throw error
      if (deadline.aborted) throw new FetchError('FETCH_TIMEOUT', `${hostOf(url)} did not answer in time.`)
      throw new FetchError('FETCH_ERROR', `${hostOf(url)} could not be fetched: ${reasonOf(error)}.`)
    }
  }
}

interface Guard {
  allowPrivate: boolean
  addressesOf: AddressesOf
}

async function follow(guard: Guard, first: string, request: FetchRequest, signal: AbortSignal): Promise<Fetched> {
  let url = checkedUrl(first, undefined, guard)
  let headers = request.headers ?? {}
  for (let hop = 0; hop <= fetchLimits.redirects; hop++) {
    const answer = await ask(guard, url, { ...request, headers, signal })
    // What nobody reads any more may still fail, and an error without a listener ends the process.
    answer.on('error', () => {})
    try {
      const { location } = answer.headers
      if (!isRedirect(answer.statusCode) || location === undefined) return await receive(answer, url, request)
      if (request.method === 'POST')
        throw new FetchError('FETCH_ERROR', `${url.host} answered with a redirect.`, answer.statusCode)
      const next = checkedUrl(location, url, guard)
      if (next.origin !== url.origin) headers = {}
      url = next
    } finally {
      answer.destroy()
    }
  }
  throw new FetchError('FETCH_ERROR', `${hostOf(first)} redirects more than ${fetchLimits.redirects} times.`)
}

const isRedirect = (status = 0): boolean => [301, 302, 303, 307, 308].includes(status)

/** On a connection of its own, which is judged before anything is sent. */
function ask(
  guard: Guard,
  url: URL,
  { method = 'GET', body, headers, signal }: FetchRequest,
): Promise<IncomingMessage> {
  // A literal address is never looked up, so it is judged here.
  const literal = url.hostname.replace(/^\[|\]$/g, '')
  if (isIP(literal) !== 0 && !isAllowed(literal, guard)) throw blocked(`${url.hostname} is not a public address.`)
  return new Promise((resolve, reject) => {
    const isSecure = url.protocol === 'https:'
    const sent = (isSecure ? requestHttps : requestHttp)(url, {
      method,
      headers: {
        'user-agent': `Lectern/${version}`,
        accept: '*/*',
        ...headers,
        'accept-encoding': 'gzip, br, deflate',
      },
      agent: isSecure ? new HttpsAgent(connection) : new HttpAgent(connection),
      lookup: lookupWithin(guard),
      ...(signal ? { signal } : {}),
    })
    const late = setTimeout(() => sent.destroy(new Error('The connection took too long.')), connectMilliseconds)
    sent.once('socket', (socket) =>
      socket.once('connect', () => {
        clearTimeout(late)
        if (!isAllowed(socket.remoteAddress ?? '', guard))
          sent.destroy(blocked(`${url.hostname} is not a public address.`))
      }),
    )
    sent.once('response', resolve)
    sent.on('error', reject)
    sent.once('close', () => clearTimeout(late))
    sent.end(body)
  })
}

const connectMilliseconds = 10_000
/** A name may have several addresses: when one does not answer for so long, the next is tried. */
const connection = { keepAlive: false, maxCachedSessions: 0, autoSelectFamilyAttemptTimeout: 2_000 }

/** The address with everything refused that can be refused before connecting. */
function checkedUrl(text: string, base: URL | undefined, { allowPrivate }: Guard): URL {
  if (!URL.canParse(text, base?.href)) throw blocked('It is not a web address.')
  const url = new URL(text, base)
  if (url.protocol !== 'http:' && url.protocol !== 'https:') throw blocked('Only http and https addresses are fetched.')
  if (url.username !== '' || url.password !== '') throw blocked('An address must not carry a user name or password.')
  const port = Number(url.port || (url.protocol === 'http:' ? 80 : 443))
  if (!allowPrivate && !fetchLimits.ports.some((known) => known === port))
    throw blocked(`Port ${port} is not one of the web's.`)
  // Some resolvers know these names and some do not: the answer must not depend on it.
  if (!allowPrivate && /(^|\.)localhost\.?$/.test(url.hostname))
    throw blocked(`${url.hostname} is not a public address.`)
  url.hash = ''
  return url
}

const lookupWithin =
  (guard: Guard): LookupFunction =>
  (hostname: string, options: LookupOptions, done: LookupDone) =>
    guard.addressesOf(hostname, (error, addresses) => {
      if (error) return done(error, [])
      const refused = addresses.find(({ address }) => !isAllowed(address, guard))
      if (refused || addresses.length === 0) return done(blocked(`${hostname} is not a public address.`), [])
      const [one] = addresses
      if (options.all || !one) return done(null, addresses)
      done(null, one.address, one.family)
    })

type LookupDone = (error: Error | null, address: string | LookupAddress[], family?: number) => void

function isAllowed(address: string, { allowPrivate }: Guard): boolean {
  const reach = reachOf(address)
  return reach === 'public' || (allowPrivate && reach === 'private')
}

async function receive(answer: IncomingMessage, url: URL, request: FetchRequest): Promise<Fetched> {
  const { statusCode: status = 0 } = answer
  if (!request.anyStatus && (status < 200 || status > 299))
    throw new FetchError('FETCH_ERROR', `${url.host} answered ${status}.`, status)
  const headers = Object.fromEntries(
    Object.entries(answer.headers).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]])),
  )
  const limit = Math.min(request.bytes ?? Number.POSITIVE_INFINITY, request.raised?.bytes ?? fetchLimits.bytes)
  const isEmpty = request.method === 'HEAD' || status === 204 || status === 304
  if (!isEmpty && Number(headers['content-length'] ?? 0) > limit) throw tooLarge(url, limit)
  // An answer without a body may still name the encoding that a body would have had.
  const bytes = await readAll(answer, {
    encoding: isEmpty ? undefined : headers['content-encoding'],
    url,
    limit,
    into: request.into,
  })
  return { url: url.href, status, contentType: headers['content-type'], headers, bytes }
}

async function readAll(
  body: Readable,
  { encoding, url, limit, into }: { encoding: string | undefined; url: URL; limit: number; into: FetchRequest['into'] },
): Promise<Uint8Array> {
  const decoder = decoderOf(encoding, url)
  const stream: Readable = decoder ? pipeline(body, decoder, () => {}) : body
  const parts: Uint8Array[] = []
  let size = 0
  for await (const part of stream) {
    size += part.length
    const received = decoder?.bytesWritten ?? size
    // Leaving the loop by an error destroys the stream, and with it the connection.
    if (size > limit) throw tooLarge(url, limit)
    if (size > 1024 * 1024 && size > received * fetchLimits.ratio) {
      throw new FetchError(
        'TOO_LARGE',
        `What ${url.host} sent grows more than ${fetchLimits.ratio} times when unpacked.`,
      )
    }
    if (into) await into(part)
    else parts.push(part)
  }
  return Buffer.concat(parts)
}

function decoderOf(encoding: string | undefined, url: URL) {
  switch ((encoding ?? '').trim().toLowerCase()) {
    case '':
    case 'identity':
      return undefined
    case 'gzip':
    case 'x-gzip':
      return createGunzip()
    case 'deflate':
      return createInflate()
    case 'br':
      return createBrotliDecompress()
    default:
      throw new FetchError('FETCH_ERROR', `${url.host} answered in an encoding that was not asked for.`)
  }
}

const blocked = (message: string): FetchError => new FetchError('FETCH_BLOCKED', message)

const tooLarge = (url: URL, limit: number): FetchError =>
  new FetchError('TOO_LARGE', `What ${url.host} sent is larger than ${limit} bytes.`)

const hostOf = (url: string): string => (URL.canParse(url) ? new URL(url).host : 'The address')

/** The system's short code, never its message: that may name addresses inside our network. */
const reasonOf = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : 'the connection failed'
