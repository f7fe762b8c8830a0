/**
 * Each row of the contract as a route. Nothing here is about a single operation.
 *
 * The order of a request: authenticate → rate limit → read the body → dispatch → answer.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from 'fastify'
import { operations } from '../../contract/index.ts'
import { fail } from '../../core/errors.ts'
import { type Actor, keyOfCredential } from '../../domain/scope.ts'
import type { Threads } from '../../threads/supervisor.ts'
import type { RateLimit } from '../edge/rate-limit.ts'
import { clientOf } from '../signin/index.ts'
import { rotateWhenDue } from '../signin/rotate.ts'
import type { ShownReader } from '../signin/shown.ts'
import type { Answers } from './answers.ts'
import type { Authenticator } from './authenticate.ts'
import { acceptOnlyForms, partsOf } from './bodies.ts'
import type { Parts, Reply, Runner } from './dispatch.ts'
import { parseJson } from './json.ts'
import { parseLargeJson } from './json-aside.ts'
import { send } from './send.ts'
import type { Streams } from './streams.ts'

declare module 'fastify' {
  interface FastifyRequest {
    actor: Actor | undefined
    /** The database's version before anything was read for this request. */
    commitVersion: number | undefined
  }
}

export interface ApiParts extends Parts {
  limit: RateLimit
  shownBy: ShownReader
  authenticate: Authenticator
  answers: Answers
  streams: Streams
  /** Checks each answer against its row; for tests and development. */
  onReply: ((runner: Runner, reply: Reply) => void) | undefined
}

export function addApi(app: FastifyInstance, runners: ReadonlyMap<string, Runner>, parts: ApiParts): void {
  app.decorateRequest('actor', undefined)
  app.decorateRequest('commitVersion', undefined)
  mount(app, runners, { admit: makeAdmission(parts), answer: makeAnswerer(parts) })
}

interface Steps {
  /** Who calls, and how often: before a byte of the body is read. */
  admit: (runner: Runner, request: FastifyRequest, reply: FastifyReply) => Promise<void>
  answer: (runner: Runner, request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>
}

function makeAdmission(parts: ApiParts): Steps['admit'] {
  const { db, limit, shownBy, authenticate } = parts
  return async (runner, request, reply) => {
    request.commitVersion = db.commitVersion()
    const actor = await authenticate(shownBy(request.method, request.headers), request.commitVersion)
    if (actor?.session) await rotateWhenDue(parts, actor, reply)
    request.actor = actor
    if (!limit.isOff) {
      const state = actor ? limit.take(keyOfCredential(actor.credential)) : limit.guess(request.ip)
      reply.header('x-ratelimit-limit', state.limit)
      reply.header('x-ratelimit-remaining', state.remaining)
      reply.header('x-ratelimit-reset', state.reset)
      if (state.exceeded) {
        reply.header('retry-after', limit.secondsLeft)
        throw fail('rate_limited')
      }
    }
    if (!actor && runner.operation.needs !== 'anyone') throw fail('unauthenticated')
  }
}

const makeAnswerer =
  (parts: ApiParts): Steps['answer'] =>
  async (runner, request, reply) => {
    if (runner.operation.fields.stream) return stream(runner, request, reply, parts)
    const { answers, onReply } = parts
    const { urls } = parts.env
    const answer = await runner.run({
      actor: request.actor,
      address: request.ip,
      client: clientOf(request, urls),
      params: paramsOf(request),
      query: request.query as Record<string, unknown>,
      body: runner.operation.fields.upload ? partsOf(request) : request.body,
      ifMatch: request.headers['if-match'],
      idempotencyKey: headerOf(request.headers['idempotency-key']),
    })
    onReply?.(runner, answer)
    return send(request, reply, answer, { answers, urls })
  }

/** An answer that goes on. A browser that lost its connection says by a header where it was. */
async function stream(
  runner: Runner,
  request: FastifyRequest,
  reply: FastifyReply,
  { streams, authenticate, shownBy, db }: ApiParts,
): Promise<FastifyReply> {
  const last = headerOf(request.headers['last-event-id'])
  const query = request.query as Record<string, unknown>
  const abort = streams.open(request)
  try {
    const { body } = await runner.run({
      actor: request.actor,
      address: request.ip,
      signal: abort.signal,
      params: paramsOf(request),
      query: last === undefined || last === '' ? query : { ...query, after: last },
      body: undefined,
    })
    const events = body as AsyncIterable<{ event: string; data: unknown }>
    const isStillGood = async (): Promise<boolean> =>
      (await authenticate(shownBy(request.method, request.headers), db.commitVersion())) !== undefined
    await streams.send(reply, events, { abort, isStillGood })
  } finally {
    abort.abort()
  }
  return reply
}

function mount(app: FastifyInstance, runners: ReadonlyMap<string, Runner>, { admit, answer }: Steps): void {
  const uploads: RouteOptions[] = []
  for (const [name, row] of operations) {
    const runner = runners.get(name)
    if (!runner) throw new Error(`The operation ${name} has no runner.`)
    const url = urlOf(row.path)
    const route: RouteOptions = {
      method: row.method,
      url,
      onRequest: (request, reply) => admit(runner, request, reply),
      handler: (request, reply) => answer(runner, request, reply),
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

/** JSON as the body of anything but an upload; it is parsed with the limits of json.ts. */
export function acceptOnlyJson(app: FastifyInstance, threads: Threads): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, async (_request: unknown, bytes: Buffer) => {
    if (bytes.length === 0) return undefined
    return bytes.length > largeJson ? parseLargeJson(threads, bytes) : parseJson(bytes.toString())
  })
}
