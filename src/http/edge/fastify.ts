/** The edge for what Fastify routes: the same headers, limits, errors and encodings, by its hooks. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type ApiError, fail } from '../../core/errors.ts'
import { addVary, compress, encodingFor, isCompressible, weakTag, worthCompressing } from './encoding.ts'
import { answerError, errorOf, isWorthLogging } from './errors.ts'
import type { Exchange, Surface } from './exchange.ts'
import type { Edge } from './index.ts'
import { collectMethods } from './methods.ts'
import type { Prepared } from './prepared.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    surface?: Surface
  }
}

export function addEdge(app: FastifyInstance, edge: Edge): void {
  const methodsAt = collectMethods(app)
  app.addHook('onRequest', (request, reply, done) => {
    const exchange = exchangeOf(edge, request, reply)
    const { url, config } = request.routeOptions
    exchange.surface = config.surface ?? surfaceAt(url ?? request.url)
    exchange.route = url ?? 'none'
    addCommonHeaders(edge, exchange, reply)
    try {
      if (!isAlwaysServed(exchange.surface)) edge.checkLoad()
    } catch (error) {
      return done(error as Error)
    }
    done()
  })
  app.addHook('onSend', encodePayload)
  app.addHook('onClose', async () => edge.stop())
  app.setNotFoundHandler(async (request, reply) => {
    const path = request.url.split('?')[0] ?? ''
    const allowed = methodsAt(path)
    if (!allowed) throw fail('not_found', `There is nothing at ${request.method} ${path}.`)
    reply.header('allow', allowed)
    throw fail('method_not_allowed')
  })
  app.setErrorHandler((error, request, reply) => {
    const known = errorOf(error)
    if (isWorthLogging(known)) request.log.error({ err: error, req: request, reqId: request.id }, 'request failed')
    return replyError(exchangeOf(edge, request, reply), reply, known)
  })
}

/** For requests that no hook has seen, because their path is not well-formed. */
export function replyGarbled(edge: Edge, request: FastifyRequest, reply: FastifyReply, error: ApiError): FastifyReply {
  const exchange = exchangeOf(edge, request, reply)
  exchange.surface = surfaceAt(request.url)
  addCommonHeaders(edge, exchange, reply)
  return replyError(exchange, reply, error)
}

function replyError(exchange: Exchange, reply: FastifyReply, error: ApiError): FastifyReply {
  const { status, headers, body } = answerError(exchange, error)
  return reply.code(status).headers(headers).send(body)
}

function addCommonHeaders(edge: Edge, { surface, id }: Exchange, reply: FastifyReply): void {
  reply.header('x-request-id', id)
  const common = edge.commonHeaders(surface)
  for (let i = 0; i + 1 < common.length; i += 2) reply.header(common[i] as string, common[i + 1])
}

/** Sends what is kept ready, with the headers that the reply has already. */
export function replyPrepared(
  edge: Edge,
  request: FastifyRequest,
  reply: FastifyReply,
  prepared: Prepared,
): FastifyReply {
  const exchange = exchangeOf(edge, request, reply)
  reply.hijack()
  for (const [name, value] of Object.entries(reply.getHeaders()))
    if (value !== undefined) reply.raw.setHeader(name, value)
  edge.send(exchange, prepared)
  return reply
}

/** Requests that came by a socket have begun before Fastify saw them; those that tests hand in begin here. */
const exchangeOf = (edge: Edge, request: FastifyRequest, reply: FastifyReply): Exchange =>
  request.raw.exchange ?? edge.begin(request.raw, reply.raw, request.id)

const surfaces: readonly [RegExp, Surface][] = [
  [/^\/v1\b/, 'api'],
  [/^\/app\b/, 'app'],
  [/^\/(?:signin|signout|join|account|sso)\b/, 'signin'],
  [/^\/(?:files|pdf|exports)\b/, 'files'],
  [/^\/reference\b/, 'reference'],
  [/^\/(?:healthz|readyz|metrics)\b/, 'operations'],
]

const surfaceAt = (path: string): Surface => surfaces.find(([form]) => form.test(path))?.[1] ?? 'other'

/**
 * Whoever watches the process must be able to see that it is busy. And a browser asks for a part of the app once: refused,
 * it takes the part for gone.
 */
const isAlwaysServed = (surface: Surface): boolean => surface === 'operations' || surface === 'app'

type OnSend = (request: FastifyRequest, reply: FastifyReply, payload: unknown, done: Sent) => void
type Sent = (error: Error | null, payload?: unknown) => void

const encodePayload: OnSend = (request, reply, payload, done) => {
  if (!isText(payload) || !mayBeCompressed(reply)) return done(null, payload)
  addEncodingHeaders(reply, undefined)
  const encoding = encodingFor(request.headers['accept-encoding'])
  if (encoding === undefined) return done(null, payload)
  compress(payload, encoding, 'once').then((bytes) => {
    addEncodingHeaders(reply, encoding)
    done(null, bytes)
  }, done)
}

const isText = (payload: unknown): payload is string | Buffer =>
  (typeof payload === 'string' || Buffer.isBuffer(payload)) && payload.length >= worthCompressing

function mayBeCompressed(reply: FastifyReply): boolean {
  const type = reply.getHeader('content-type')
  return typeof type === 'string' && isCompressible(type) && !reply.hasHeader('content-encoding')
}

/** `encoding` of an answer whose body was compressed; undefined for one that might have been. */
function addEncodingHeaders(reply: FastifyReply, encoding: string | undefined): void {
  reply.header('vary', addVary(String(reply.getHeader('vary') ?? ''), 'accept-encoding'))
  if (encoding === undefined) return
  const etag = reply.getHeader('etag')
  if (typeof etag === 'string') reply.header('etag', weakTag(etag))
  reply.header('content-encoding', encoding).removeHeader('content-length')
}
