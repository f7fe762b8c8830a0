/**
 * The HTTP server: joins what answers requests (api/, published/, signin/, openapi/, operations/, the app, files) behind the
 * one edge (edge/).
 */

import { createServer, STATUS_CODES } from 'node:http'
import fastify, { type FastifyBaseLogger, type FastifyInstance, type FastifyReply, LogController } from 'fastify'
import { type ApiError, fail } from '../core/errors.ts'
import type { Environment } from '../domain/environment.ts'
import type { MetricsAccess } from '../platform/config.ts'
import type { Log } from '../platform/log.ts'
import { newId } from '../platform/random.ts'
import type { Database } from '../store/database.ts'
import { type Answers, makeAnswers } from './api/answers.ts'
import { makeAuthenticator } from './api/authenticate.ts'
import { addBodyClock, uploadMilliseconds } from './api/bodies.ts'
import type { Parts, Reply, Runner } from './api/dispatch.ts'
import { acceptOnlyJson } from './api/json-body.ts'
import { addApi, type Take } from './api/routes.ts'
import { makeRunners } from './api/runners.ts'
import { makeStreams } from './api/streams.ts'
import { addApp } from './app.ts'
import { makeAddressOf } from './edge/address.ts'
import { addCors } from './edge/cors.ts'
import { bodyLimit, errorJson } from './edge/errors.ts'
import { addEdge, replyGarbled } from './edge/fastify.ts'
import { type Edge, makeEdge } from './edge/index.ts'
import { routerOptions } from './edge/methods.ts'
import { RateLimit } from './edge/rate-limit.ts'
import { requestIdOf } from './edge/request-id.ts'
import { addExports } from './export.ts'
import { addFiles } from './files.ts'
import { withoutMount } from './mount.ts'
import { addReference } from './openapi/reference.ts'
import { addHealth, addMetrics, metricsReaders } from './operations/routes.ts'
import { addPdf } from './pdf.ts'
import { makePublished, type Published } from './published/index.ts'
import { addSignIn } from './signin/index.ts'
import { makeShownReader } from './signin/shown.ts'
import { addWelcome } from './welcome.ts'

/** Whoever has not sent all headers by then is cut off; looked at every so often. */
const headersMilliseconds = 30_000
const checkingMilliseconds = 5000

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
  onReply?: (runner: Runner, reply: Reply) => void
}

export interface Server {
  app: FastifyInstance
  edge: Edge
  runners: ReadonlyMap<string, Runner>
  published: Published
  /** Throws when the process cannot serve. */
  checkReady: () => Promise<void>
  /** Finishes what was accepted, and refuses the rest. */
  stop: () => Promise<void>
}

export async function makeServer(options: ServerOptions): Promise<Server> {
  let answers: Answers | undefined
  let published: Published | undefined
  let takeApi: Take | undefined
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
          if (!answers?.answer(exchange) && !takeApi?.(exchange)) handler(request, response)
        }),
      )
      server.requestTimeout = uploadMilliseconds
      server.headersTimeout = headersMilliseconds
      server.keepAliveTimeout = 72_000
      edge.draining.watch(server)
      return server
    },
    routerOptions,
    genReqId: (request) => request.exchange?.id ?? requestIdOf(request.headers['x-request-id']),
    // Requests on open connections are still answered while the server stops; only new connections are refused.
    return503OnClosing: false,
    frameworkErrors: (_error, request, reply) => {
      const garbled = fail('invalid_input', 'The path is not well-formed: a % must be followed by two digits of UTF-8.')
      // The router asks before there is a route, so the reply's type knows no statuses yet.
      return replyGarbled(edge, request, reply as FastifyReply, garbled)
    },
    // What is no HTTP never reaches a handler; it is answered in the same shape.
    clientErrorHandler: (refused, socket) => {
      if (!socket.writable) return
      const error = unreadable(refused)
      const body = errorJson(error, newId())
      socket.end(
        `HTTP/1.1 ${error.status} ${STATUS_CODES[error.status]}\r\nConnection: close\r\nContent-Type: application/json; charset=utf-8\r\nX-Content-Type-Options: nosniff\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
      )
    },
  })
  const clock = options.clock ?? (() => new Date())
  const parts: Parts = { db: options.db, env: options.env, clock, writes: edge.writes }
  const runners = makeRunners(parts)

  acceptOnlyJson(app, options.db.threads)
  addEdge(app, edge)
  addCors(app)
  addBodyClock(app)
  const limit = new RateLimit(options.rateLimit)
  const shownBy = makeShownReader(options.env.urls)
  const authenticate = makeAuthenticator(parts)
  answers = makeAnswers({ db: options.db, limit, shownBy, commitVersionOf: edge.commitVersionOf })
  const streams = makeStreams()
  edge.draining.onStop(streams.end)
  const stopping = new AbortController()
  options.env.stopping = stopping.signal
  edge.draining.onStop(() => stopping.abort())
  const { onReply } = options
  const addressOf = makeAddressOf(options.trustProxy)
  const { log } = options
  const caller = { limit, shownBy, authenticate, addressOf }
  takeApi = addApi(app, runners, { ...parts, ...caller, answers, streams, edge, log, onReply })
  const checkReady = async (): Promise<void> => {
    if (edge.draining.isDraining) throw fail('overloaded', 'The server is stopping.')
    await options.db.check()
  }
  addHealth(app, checkReady)
  const checkMetricsReader = metricsReaders(options.metrics, options.env.urls.app)
  if (checkMetricsReader) addMetrics(app, edge, checkMetricsReader)
  addReference(app, { db: options.db, urls: options.env.urls, edge })
  addWelcome(app, parts)
  addSignIn(app, { ...parts, log: options.log, authenticate, runners })
  addApp(app, options.env.urls)
  addFiles(app, { env: options.env, clock })
  addPdf(app, { ...parts, log: options.log })
  addExports(app, { ...parts, log: options.log })
  published = makePublished({
    ...parts,
    runners,
    log: options.log,
    edge,
    addressOf,
  })
  app.addHook('onClose', published.stop)
  const stop = async (): Promise<void> => {
    await edge.draining.stop(app.server)
    await app.close()
  }
  return { app, edge, runners, published, checkReady, stop }
}

const noSchemas = () => () => {
  throw new Error('Routes have no schemas of their own: rows do.')
}

/** Why Node could not read a request. */
function unreadable({ code }: { code?: string }): ApiError {
  if (code === 'HPE_HEADER_OVERFLOW') return fail('headers_too_large')
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return fail('request_timeout')
  return fail('invalid_input', 'The request is not valid HTTP.')
}
