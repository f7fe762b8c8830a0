/**
 * The contract over HTTP. Walks the rows once at start and mounts each; nothing here is about a single operation.
 *
 * Conventions kept here for all of them: ETag and 304, rate-limit headers and 429, CORS, 413, 415, body limits; what holds
 * for every request is in edge/. The order of a request: authenticate → rate limit → read the body → dispatch → answer.
 */

import { createHash, timingSafeEqual } from 'node:crypto'
import { createServer } from 'node:http'
import fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
  type RouteOptions,
} from 'fastify'
import { contract, operations } from '../contract/index.ts'
import type { Operation } from '../contract/operation.ts'
import { fail } from '../core/errors.ts'
import type { Urls } from '../core/urls.ts'
import { handlers } from '../domain/index.ts'
import { type Actor, type Environment, keyOfCredential } from '../domain/scope.ts'
import type { MetricsAccess } from '../platform/config.ts'
import type { Log } from '../platform/log.ts'
import { newId } from '../platform/random.ts'
import type { Database } from '../store/database.ts'
import { type Answers, makeAnswers, type Printed } from './answers.ts'
import { addApp } from './app.ts'
import { type Authenticator, makeAuthenticator } from './authenticate.ts'
import { acceptOnlyForms, addBodyClock, partsOf, uploadMilliseconds } from './bodies.ts'
import { compressedPrint } from './compressed-print.ts'
import { type Parts, type Plan, planOf, type Reply } from './dispatch.ts'
import { makeAddressOf } from './edge/address.ts'
import { encodingFor } from './edge/encoding.ts'
import { bodyLimit, errorJson } from './edge/errors.ts'
import { addEdge, addEncodingHeaders, replyGarbled } from './edge/fastify.ts'
import { type Edge, makeEdge } from './edge/index.ts'
import { RateLimit } from './edge/rate-limit.ts'
import { requestIdOf } from './edge/request-id.ts'
import { isHeld } from './etag.ts'
import { addFiles } from './files.ts'
import { parseJson, parseLargeJson } from './input.ts'
import { withoutMount } from './mount.ts'
import { addPdf } from './pdf.ts'
import { printed } from './print.ts'
import { makePublished, type Published } from './published/index.ts'
import { addReference } from './reference.ts'
import { sessionCookie } from './signin/cookies.ts'
import { addSignIn, clientOf } from './signin/index.ts'
import { rotateWhenDue } from './signin/rotate.ts'
import { makeShownReader, type ShownReader } from './signin/shown.ts'
import { makeStreams, type Streams } from './streams.ts'
import { addWelcome } from './welcome.ts'

/** Whoever has not sent all headers by then is cut off; looked at every so often. */
const headersMilliseconds = 30_000
const checkingMilliseconds = 5000

declare module 'fastify' {
  interface FastifyRequest {
    actor: Actor | undefined
    /** The database's mark before anything was read for this request. */
    mark: number | undefined
  }
}

export interface ServerOptions {
  db: Database
  env: Environment
  log: Log
  rateLimit: number
  /** Addresses of proxies whose X-Forwarded-For is believed. */
  trustProxy?: string | undefined
  clock?: () => Date
  /**
   * Who may see the metrics: whoever shows this token; those of an address of its own are not served here. Nothing: programs on
   * this machine, while the installation is of this machine alone.
   */
  metrics?: MetricsAccess | undefined
  /** How far behind the event loop may be, in milliseconds, before answers are 503; 0 for no limit. */
  delayLimit?: number
  /** Checks each answer against its row; for tests and development. */
  onReply?: (plan: Plan, reply: Reply) => void
}

export interface Server {
  app: FastifyInstance
  edge: Edge
  plans: ReadonlyMap<string, Plan>
  published: Published
  /** Throws when the process cannot serve. */
  checkReady: () => Promise<void>
  /** Finishes what was accepted, and refuses the rest. */
  stop: () => Promise<void>
}

export async function makeServer(options: ServerOptions): Promise<Server> {
  let answers: Answers | undefined
  let published: Published | undefined
  const edge = makeEdge({ ...options, urls: options.env.urls })
  const app: FastifyInstance = fastify({
    loggerInstance: options.log as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true }),
    // One log for all: the few lines that are written of a request name it themselves.
    childLoggerFactory: (logger) => logger,
    bodyLimit,
    trustProxy: options.trustProxy ?? false,
    forceCloseConnections: 'idle',
    // Rows are checked by the contract: no validator is loaded, and none is missed.
    schemaController: { compilersFactory: { buildValidator: noSchemas, buildSerializer: noSchemas } },
    serverFactory: (handler) => {
      const server = createServer(
        { connectionsCheckingInterval: checkingMilliseconds },
        withoutMount(options.env.urls, (request, response) => {
          const exchange = edge.admit(request, response)
          if (!exchange || published?.take(exchange, handler)) return
          if (!answers?.answer(exchange)) handler(request, response)
        }),
      )
      server.requestTimeout = uploadMilliseconds
      server.headersTimeout = headersMilliseconds
      server.keepAliveTimeout = 72_000
      edge.draining.watch(server)
      return server
    },
    routerOptions: { maxParamLength: 4096, ignoreTrailingSlash: true },
    genReqId: (request) => request.exchange?.id ?? requestIdOf(request.headers['x-request-id']),
    // Requests on open connections are still answered while the server stops; only new connections are refused.
    return503OnClosing: false,
    frameworkErrors: (_error, request, reply) => {
      const garbled = fail('invalid_input', 'The path is not well-formed: a % must be followed by two digits of UTF-8.')
      // The router asks before there is a route, so the reply's type knows no statuses yet.
      return replyGarbled(edge, request, reply as FastifyReply, garbled)
    },
    // What is no HTTP never reaches a handler; it is answered in the same shape.
    clientErrorHandler: (_error, socket) => {
      if (!socket.writable) return
      const body = errorJson(fail('invalid_input', 'The request is not valid HTTP.'), newId())
      socket.end(
        `HTTP/1.1 400 Bad Request\r\nConnection: close\r\nContent-Type: application/json; charset=utf-8\r\nX-Content-Type-Options: nosniff\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
      )
    },
  })
  const clock = options.clock ?? (() => new Date())
  const parts: Parts = { db: options.db, env: options.env, clock, writes: edge.writes }
  const plans = makePlans(parts)

  acceptOnlyJson(app)
  addEdge(app, edge)
  addCors(app)
  addBodyClock(app)
  const limit = new RateLimit(options.rateLimit)
  const shownBy = makeShownReader(options.env.urls)
  const authenticate = makeAuthenticator(parts)
  answers = makeAnswers({ db: options.db, limit, shownBy })
  app.decorateRequest('actor', undefined)
  app.decorateRequest('mark', undefined)
  const streams = makeStreams()
  edge.draining.onStop(streams.end)
  const stopping = new AbortController()
  options.env.stopping = stopping.signal
  edge.draining.onStop(() => stopping.abort())
  const streaming: Streaming = {
    streams,
    isStillGood: async (request) =>
      (await authenticate(shownBy(request.method, request.headers), options.db.mark())) !== undefined,
  }
  mount(app, plans, {
    admit: makeDoor({ ...parts, limit, shownBy, authenticate }),
    answer: makeAnswerer(options, answers, streaming),
  })
  const checkReady = async (): Promise<void> => {
    if (edge.draining.isDraining) throw fail('overloaded', 'The server is stopping.')
    await options.db.check()
  }
  addHealth(app, checkReady)
  const checkMetricsReader = metricsReaders(options.metrics, options.env.urls.app)
  if (checkMetricsReader) addMetrics(app, edge, checkMetricsReader)
  addReference(app, { db: options.db, urls: options.env.urls, edge })
  addWelcome(app, parts)
  addSignIn(app, { ...parts, log: options.log, authenticate, plans })
  addApp(app, options.env.urls)
  addFiles(app, { env: options.env, clock })
  addPdf(app, { ...parts, log: options.log })
  published = makePublished({
    ...parts,
    plans,
    log: options.log,
    edge,
    addressOf: makeAddressOf(options.trustProxy),
  })
  app.addHook('onClose', published.stop)
  const stop = async (): Promise<void> => {
    await edge.draining.stop(app.server)
    await app.close()
  }
  return { app, edge, plans, published, checkReady, stop }
}

function makePlans(parts: Parts): Map<string, Plan> {
  const plans = new Map<string, Plan>()
  const rows = Object.entries(contract) as [string, Operation][]
  const readers = new Map(rows.filter(([, row]) => row.method === 'GET').map(([name, row]) => [row.path, name]))
  for (const [name, row] of rows) {
    const original = row.twinOf ? (rows.find(([, other]) => other === row.twinOf)?.[0] ?? name) : name
    const handler = (handlers as Record<string, unknown>)[original] as ((call: unknown) => Promise<unknown>) | undefined
    if (!handler) throw new Error(`The operation ${name} has no handler.`)
    plans.set(
      name,
      planOf(name, row, handler, parts, () => plans.get(readers.get(row.path) ?? '')),
    )
  }
  return plans
}

interface Steps {
  /** Who calls, and how often: before a byte of the body is read. */
  admit: (plan: Plan, request: FastifyRequest, reply: FastifyReply) => Promise<void>
  answer: (plan: Plan, request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>
}

function makeDoor(
  parts: Parts & { limit: RateLimit; shownBy: ShownReader; authenticate: Authenticator },
): Steps['admit'] {
  const { db, limit, shownBy, authenticate } = parts
  return async (plan, request, reply) => {
    request.mark = db.mark()
    const actor = await authenticate(shownBy(request.method, request.headers), request.mark)
    if (actor?.session) await rotateWhenDue(parts, actor, reply)
    request.actor = actor
    if (!limit.isOff) {
      const standing = actor ? limit.take(keyOfCredential(actor.credential)) : limit.guess(request.ip)
      reply.header('x-ratelimit-limit', standing.limit)
      reply.header('x-ratelimit-remaining', standing.remaining)
      reply.header('x-ratelimit-reset', standing.reset)
      if (standing.exceeded) {
        reply.header('retry-after', limit.secondsLeft)
        throw fail('rate_limited')
      }
    }
    if (!actor && plan.operation.needs !== 'anyone') throw fail('unauthenticated')
  }
}

const makeAnswerer =
  (options: ServerOptions, answers: Answers, streaming: Streaming): Steps['answer'] =>
  async (plan, request, reply) => {
    if (plan.operation.fields.stream) return stream(plan, request, reply, streaming)
    const answer = await plan.run({
      actor: request.actor,
      address: request.ip,
      client: clientOf(request, options.env.urls),
      params: paramsOf(request),
      query: request.query as Record<string, unknown>,
      body: plan.operation.fields.upload ? partsOf(request) : request.body,
      ifMatch: request.headers['if-match'],
      idempotencyKey: headerOf(request.headers['idempotency-key']),
    })
    options.onReply?.(plan, answer)
    return send(request, reply, answer, { answers, urls: options.env.urls })
  }

interface Streaming {
  streams: Streams
  /** Whether what the request shows still is somebody's. */
  isStillGood: (request: FastifyRequest) => Promise<boolean>
}

/** An answer that goes on. A browser that lost its connection says by a header where it was. */
async function stream(
  plan: Plan,
  request: FastifyRequest,
  reply: FastifyReply,
  { streams, isStillGood }: Streaming,
): Promise<FastifyReply> {
  const last = headerOf(request.headers['last-event-id'])
  const query = request.query as Record<string, unknown>
  const abort = streams.open(request)
  try {
    const { body } = await plan.run({
      actor: request.actor,
      address: request.ip,
      signal: abort.signal,
      params: paramsOf(request),
      query: last === undefined || last === '' ? query : { ...query, after: last },
      body: undefined,
    })
    const events = body as AsyncIterable<{ event: string; data: unknown }>
    await streams.send(reply, events, { abort, isStillGood: () => isStillGood(request) })
  } finally {
    abort.abort()
  }
  return reply
}

async function send(
  request: FastifyRequest,
  reply: FastifyReply,
  answer: Reply,
  { answers, urls }: { answers: Answers; urls: Urls },
): Promise<FastifyReply> {
  const { status, body, headers } = answer
  for (const name in headers) reply.header(name, headers[name])
  if (answer.session !== undefined) reply.header('set-cookie', sessionCookie(urls, answer.session))
  if (body === undefined) return reply.code(status).send()
  reply.header('content-type', 'application/json; charset=utf-8')
  if (request.method === 'GET' || request.method === 'HEAD') {
    const print = await printed(body as object)
    reply.header('etag', print.etag)
    if (headers['cache-control'] === undefined) reply.header('cache-control', 'private, no-cache')
    const accepted = request.headers['accept-encoding']
    const held = isHeld(request.headers['if-none-match'], print.etag)
    // Nobody waits for the compression of what is not sent.
    const { bytes, encoding, mayVary } = await compressedPrint(print, held ? undefined : accepted)
    if (mayVary) addEncodingHeaders(reply, encoding)
    if (status === 200 && (!held || !mayVary || encodingFor(accepted) === undefined))
      keep(request, reply, { etag: print.etag, bytes }, answers)
    if (held) return reply.code(304).send()
    if (request.method === 'HEAD') return reply.code(status).send(bytes)
    return sendWhole(reply, status, bytes)
  }
  return reply.code(status).send(JSON.stringify(body))
}

/** Writes what has all its headers and its encoding already: no hook has anything to add. */
function sendWhole(reply: FastifyReply, status: number, bytes: string | Buffer): FastifyReply {
  reply.header('content-length', Buffer.byteLength(bytes))
  reply.hijack()
  const headers = Object.entries(reply.getHeaders()).flatMap(([name, value]) =>
    value === undefined ? [] : [name, value],
  )
  reply.raw.writeHead(status, headers)
  reply.raw.end(bytes)
  return reply
}

/** What of an answer is the request's own, and not of what was asked for. */
const ownHeaders = /^(x-request-id|x-ratelimit-.*|content-length)$/

function keep(
  { actor, mark, raw, routeOptions }: FastifyRequest,
  reply: FastifyReply,
  print: Printed,
  to: Answers,
): void {
  if (mark === undefined || !actor || reply.getHeader('cache-control') !== 'private, no-cache') return
  if (!to.isAskedAgain(raw)) return
  // A secret that has just changed is for one browser, once.
  if (reply.hasHeader('set-cookie')) return
  const headers = Object.entries(reply.getHeaders()).flatMap(([name, value]) =>
    ownHeaders.test(name) ? [] : [name, String(value)],
  )
  to.keep(raw, { ...print, mark, credential: keyOfCredential(actor.credential), route: routeOptions.url, headers })
}

function mount(app: FastifyInstance, plans: Map<string, Plan>, { admit, answer }: Steps): void {
  const uploads: RouteOptions[] = []
  for (const [name, row] of operations) {
    const plan = plans.get(name)
    if (!plan) throw new Error(`The operation ${name} has no plan.`)
    const url = urlOf(row.path)
    const route: RouteOptions = {
      method: row.method,
      url,
      onRequest: (request, reply) => admit(plan, request, reply),
      handler: (request, reply) => answer(plan, request, reply),
      config: row.fields.stream ? { surface: 'stream' } : {},
    }
    if (row.fields.upload) uploads.push(route)
    else app.route(route)
  }
  app.register(async (forms) => {
    acceptOnlyForms(forms)
    for (const route of uploads) forms.route(route)
  })
}

const noSchemas = () => () => {
  throw new Error('Routes have no schemas of their own: rows do.')
}

/** `/v1/spaces/{spaceId}` as the router writes it; a path of pages may hold slashes. */
const urlOf = (path: string): string => path.replace(/\{pagePath\}$/, '*').replace(/\{(\w+)\}/g, ':$1')

function paramsOf(request: FastifyRequest): Record<string, string> {
  const params = request.params as Record<string, string>
  if (params['*'] !== undefined) params.pagePath = params['*']
  return params
}

const headerOf = (value: string | string[] | undefined): string | undefined => (Array.isArray(value) ? value[0] : value)

/** Reading this takes some milliseconds. */
const largeJson = 256 * 1024

function acceptOnlyJson(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (_request, text, done) => {
    if (text === '') return done(null, undefined)
    if (text.length > largeJson) {
      parseLargeJson(text as string).then((value) => done(null, value), done)
      return
    }
    try {
      done(null, parseJson(text as string))
    } catch (error) {
      done(error as Error)
    }
  })
}

function addCors(app: FastifyInstance): void {
  app.addHook('onRequest', (request, reply, done) => {
    if (!request.url.startsWith('/v1/')) return done()
    // Anyone may call from a browser with a token. Cookies count only for our own pages (`signin/own-origin.ts`), and the
    // header with which those write is never allowed to others.
    reply.header('access-control-allow-origin', '*')
    reply.header(
      'access-control-expose-headers',
      'ETag, Location, Retry-After, X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset, X-Request-Id',
    )
    done()
  })
  app.options('/v1/*', (_request, reply) =>
    reply
      .header('access-control-allow-methods', 'GET, POST, PUT, PATCH, DELETE, OPTIONS')
      .header(
        'access-control-allow-headers',
        'Authorization, Content-Type, Accept, If-Match, If-None-Match, Idempotency-Key, Last-Event-ID, X-Request-Id',
      )
      .header('access-control-max-age', '86400')
      .code(204)
      .send(),
  )
}

function addHealth(app: FastifyInstance, checkReady: () => Promise<void>): void {
  app.get('/healthz', async () => ({ status: 'ok' }))
  app.get('/readyz', async () => {
    await checkReady()
    return { status: 'ready' }
  })
}

/** Throws for a request that may not see the metrics; undefined where nobody may, or where they have an address of their own. */
function metricsReaders(
  access: MetricsAccess | undefined,
  url: string,
): ((request: FastifyRequest) => void) | undefined {
  if (access && !('token' in access)) return undefined
  if (access) {
    const wanted = digestOf(`Bearer ${access.token}`)
    return ({ headers }) => {
      if (!timingSafeEqual(wanted, digestOf(headers.authorization ?? '')))
        throw fail('unauthenticated', 'Show the token of LECTERN_METRICS: `Authorization: Bearer <token>`.')
    }
  }
  // An installation that nobody reaches from elsewhere shows them to programs beside it.
  if (!/^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(new URL(url).hostname)) return undefined
  return ({ raw: { socket, headers } }) => {
    const isForwarded = headers['x-forwarded-for'] !== undefined || headers.forwarded !== undefined
    if (isForwarded || !/^(?:127\.|::1$|::ffff:127\.)/.test(socket.remoteAddress ?? '')) throw fail('not_found')
  }
}

function addMetrics(
  app: FastifyInstance,
  { metrics: { registry } }: Edge,
  checkReader: (request: FastifyRequest) => void,
): void {
  app.get('/metrics', async (request, reply) => {
    checkReader(request)
    return reply.header('content-type', registry.contentType).send(await registry.metrics())
  })
}

const digestOf = (text: string): Buffer => createHash('sha256').update(text).digest()
