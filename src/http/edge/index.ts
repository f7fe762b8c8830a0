/**
 * The edge: what every request has, whoever answers it (API, streams, sites, app, sign-in, files).
 *
 * 1. An id, which is in the answer and in the log; a log line (at level `debug`) and a place in the metrics when the
 *    answer is out.
 * 2. The same headers on every answer, the same errors (errors.ts) and the same encodings (encoding.ts).
 * 3. A limit: newcomers are refused while the process cannot keep up (overload.ts).
 * 4. A stop that cuts nobody off (draining.ts).
 *
 * Answers from memory are written here at once; the rest comes through Fastify, whose hooks (fastify.ts) do the same.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { type Duplex, pipeline, type Readable } from 'node:stream'
import type { ApiError } from '../../core/errors.ts'
import { fail } from '../../core/errors.ts'
import type { Urls } from '../../core/urls.ts'
import { hideSecrets, type Log } from '../../platform/log.ts'
import type { Database } from '../../store/database.ts'
import { Arrivals } from './arrivals.ts'
import { Draining } from './draining.ts'
import { answerError } from './errors.ts'
import { Exchange, type Surface } from './exchange.ts'
import { type Metrics, makeMetrics } from './metrics.ts'
import { WriteQueue, watchLoop } from './overload.ts'
import { type Prepared, sendPrepared } from './prepared.ts'
import { hasTwoHosts } from './request-headers.ts'

export interface Edge {
  readonly draining: Draining
  readonly metrics: Metrics
  readonly writes: WriteQueue
  begin(request: IncomingMessage, response: ServerResponse, id?: string): Exchange
  /** Refuses what is no honest request; undefined when it did. */
  admit(request: IncomingMessage, response: ServerResponse): Exchange | undefined
  /** Throws `overloaded` while the process cannot keep up. */
  checkLoad(): void
  /** The database's, since the request arrived; undefined where to know it takes a round trip. */
  commitVersionOf(exchange: Exchange): number | undefined
  /** The headers that every answer of a surface has: name, value, name, value. */
  commonHeaders(surface: Surface): readonly string[]
  send(exchange: Exchange, prepared: Prepared): void
  /** Writes an answer that is made once. Its headers are name, value, name, value. */
  answer(exchange: Exchange, answer: { status: number; headers: string[]; body?: string | Buffer }): void
  /** The same with a body that is made while it is sent; its headers say how long it is, where that is known. */
  stream(exchange: Exchange, answer: { status: number; headers: string[]; body: [Readable, ...Duplex[]] }): void
  sendError(exchange: Exchange, error: ApiError, headers?: readonly string[]): void
  stop(): void
}

export interface EdgeParts {
  db: Database
  urls: Urls
  log: Log
  /** How far behind the event loop may be, in milliseconds; 0 for no limit. */
  delayLimit?: number | undefined
}

export function makeEdge({ db, urls, log, delayLimit }: EdgeParts): Edge {
  const draining = new Draining()
  const arrivals = new Arrivals()
  const loop = watchLoop(delayLimit)
  const writes: WriteQueue = new WriteQueue({ onRefuse: () => metrics.refused('writes') })
  const metrics = makeMetrics(db, { inProgress: () => draining.inProgress, waitingWrites: () => writes.size })
  const ofApp = headersAt(urls.app)
  const ofSites = headersAt(urls.sites)
  const commonHeaders = (surface: Surface): readonly string[] => (surface === 'site' ? ofSites : ofApp)

  /** Shared by all answers, which know their request. */
  function finish(this: ServerResponse): void {
    const { exchange } = this.req
    draining.end(this)
    if (!exchange) return
    metrics.observe(exchange)
    if (log.isLevelEnabled('debug')) log.debug(lineOf(exchange), 'request')
  }

  const begin: Edge['begin'] = (request, response, id) => {
    const exchange = new Exchange(request, response, { arrival: arrivals.join(), id })
    request.exchange = exchange
    draining.begin(response)
    response.on('close', finish)
    return exchange
  }

  const answer: Edge['answer'] = ({ request, response, surface, id }, { status, headers, body }) => {
    const all = headers.concat(commonHeaders(surface), 'x-request-id', id)
    const length = body === undefined ? 0 : Buffer.byteLength(body)
    if (length > 0 || (status !== 204 && status !== 304)) all.push('content-length', String(length))
    response.writeHead(status, all)
    // Text that has as many bytes as characters is ASCII, which goes out faster as what it is.
    if (request.method === 'HEAD') response.end()
    else response.end(body, length === body?.length ? 'latin1' : 'utf8')
  }

  const stream: Edge['stream'] = ({ request, response, surface, id }, { status, headers, body }) => {
    response.writeHead(status, headers.concat(commonHeaders(surface), 'x-request-id', id))
    if (request.method === 'HEAD') {
      for (const one of body) one.destroy()
      response.end()
      return
    }
    response.setTimeout(stallMilliseconds, () => response.destroy())
    pipeline([...body, response], (error) => {
      // Who goes away in the middle is no error; that a body cannot be read to its end is one.
      if (error && !isGone(error)) log.error({ err: error, reqId: id }, 'answer broken off')
    })
  }

  const sendError: Edge['sendError'] = (exchange, error, more = []) => {
    const { status, headers, body } = answerError(exchange, error)
    const { request, response } = exchange
    // While there is too much to do, nobody reads on what was sent with a request that is refused.
    if (status === 503 && !request.complete && hasBody(exchange)) response.shouldKeepAlive = false
    answer(exchange, { status, headers: [...Object.entries(headers).flat(), ...more], body })
  }

  return {
    draining,
    metrics,
    writes,
    begin,
    admit: (request, response) => {
      const exchange = begin(request, response)
      if (!hasTwoHosts(request)) return exchange
      sendError(exchange, fail('invalid_input', 'The request has two Host headers.'), ['connection', 'close'])
      return undefined
    },
    checkLoad: () => {
      if (!loop.isLate(() => draining.countWork())) return
      metrics.refused('loop')
      throw fail('overloaded')
    },
    commonHeaders,
    commitVersionOf: ({ arrival }) => {
      arrival.commitVersion ??= db.commitVersion()
      return arrival.commitVersion
    },
    send: (exchange, prepared) => sendPrepared(exchange, prepared, commonHeaders(exchange.surface)),
    answer,
    stream,
    sendError,
    stop: loop.stop,
  }
}

/** A reader that takes nothing for this long is cut off. */
const stallMilliseconds = 30_000

const isGone = ({ code }: NodeJS.ErrnoException): boolean =>
  code !== undefined && /^(ERR_STREAM_\w+|ECONNRESET|EPIPE)$/.test(code)

/** Whoever was here by TLS once comes back by TLS. */
const headersAt = (url: string): readonly string[] => [
  ...['x-content-type-options', 'nosniff'],
  ...(url.startsWith('https:') ? ['strict-transport-security', 'max-age=31536000'] : []),
]

const hasBody = ({ headers }: Exchange): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0

const lineOf = ({ id, request, response, surface, route, started }: Exchange) => ({
  requestId: id,
  method: request.method,
  url: hideSecrets(request.url ?? ''),
  surface,
  route,
  status: response.statusCode,
  milliseconds: Math.round((performance.now() - started) * 10) / 10,
})
