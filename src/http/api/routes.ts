/**
 * Each row of the contract as a route. Nothing here is about a single operation.
 *
 * The order of a request: authenticate → rate limit → read the body → dispatch → answer.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from 'fastify'
import { operations } from '../../contract/index.ts'
import type { Actor } from '../../domain/actor.ts'
import type { Exchange } from '../edge/exchange.ts'
import { sessionCookie } from '../signin/cookies.ts'
import { clientOf } from '../signin/index.ts'
import { makeAdmission } from './admit.ts'
import { acceptOnlyForms, partsOf } from './bodies.ts'
import type { Runner } from './dispatch.ts'
import { type Asked, makeReads, paramsOf, type ReadParts, type Reads } from './reads.ts'
import type { Streams } from './streams.ts'
import { makeWrites, type Writes } from './writes.ts'

declare module 'fastify' {
  interface FastifyRequest {
    actor: Actor | undefined
  }
}

export interface ApiParts extends ReadParts {
  streams: Streams
}

/** Mounts all rows; what it gives answers most requests that come by a socket, and says which. */
export function addApi(app: FastifyInstance, runners: ReadonlyMap<string, Runner>, parts: ApiParts): Take {
  app.decorateRequest('actor', undefined)
  const reads = makeReads(parts)
  const writes = makeWrites(parts)
  const admit = makeAdmission(parts)
  mount(app, runners, {
    admit: async (runner, request, reply) => {
      const { method, headers } = request
      const commitVersion = parts.db.commitVersion()
      const caller = { method, headers, address: () => request.ip, commitVersion }
      request.actor = (await admit(runner, caller, (name, value) => reply.header(name, value))).actor
    },
    answer: makeAnswerer(parts),
    reads,
    writes,
  })
  return (exchange) => reads.take(exchange) || writes.take(exchange)
}

/** Answers a request, or leaves it to Fastify: false. */
export type Take = (exchange: Exchange) => boolean

interface Steps {
  /** Who calls, and how often: before a byte of the body is read. */
  admit: (runner: Runner, request: FastifyRequest, reply: FastifyReply) => Promise<void>
  answer: (runner: Runner, request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>
  reads: Reads
  writes: Writes
}

/** Answers what has no way of its own (reads.ts, writes.ts). */
const makeAnswerer =
  (parts: ApiParts): Steps['answer'] =>
  async (runner, request, reply) => {
    if (runner.operation.fields.stream) return stream(runner, request, reply, parts)
    const { urls } = parts.env
    const answer = await runner.run({
      actor: request.actor,
      address: request.ip,
      client: clientOf(request, urls),
      ...namedBy(request),
      body: runner.operation.fields.upload ? partsOf(request) : request.body,
      ifMatch: request.headers['if-match'],
      idempotencyKey: headerOf(request.headers['idempotency-key']),
    })
    parts.onReply?.(runner, answer)
    const { status, body, headers } = answer
    for (const name in headers) reply.header(name, headers[name])
    if (answer.session !== undefined) reply.header('set-cookie', sessionCookie(urls, answer.session))
    reply.code(status)
    if (body === undefined) return reply.send()
    return reply.header('content-type', 'application/json; charset=utf-8').send(JSON.stringify(body))
  }

/** An answer that goes on. A browser that lost its connection says by a header where it was. */
async function stream(
  runner: Runner,
  request: FastifyRequest,
  reply: FastifyReply,
  { streams, authenticate, shownBy, db }: ApiParts,
): Promise<FastifyReply> {
  const last = headerOf(request.headers['last-event-id'])
  const { params, query } = namedBy(request)
  const abort = streams.open(request)
  try {
    const { body } = await runner.run({
      actor: request.actor,
      address: request.ip,
      signal: abort.signal,
      params,
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

function mount(
  app: FastifyInstance,
  runners: ReadonlyMap<string, Runner>,
  { admit, answer, reads, writes }: Steps,
): void {
  const uploads: RouteOptions[] = []
  for (const [name, row] of operations) {
    const runner = runners.get(name)
    if (!runner) throw new Error(`The operation ${name} has no runner.`)
    const url = urlOf(row.path)
    if (row.method === 'GET' && !row.fields.stream) {
      reads.add(url, runner)
      app.get(url, readThrough(reads, runner))
      continue
    }
    const route: RouteOptions = {
      method: row.method,
      url,
      onRequest: (request, reply) => admit(runner, request, reply),
      handler: (request, reply) => answer(runner, request, reply),
      config: row.fields.stream ? { surface: 'stream' } : {},
    }
    if (row.fields.upload) uploads.push(route)
    else {
      if (!row.fields.stream) writes.add(row.method, url, runner)
      app.route(route)
    }
  }
  app.register(async (forms) => {
    acceptOnlyForms(forms)
    for (const route of uploads) forms.route(route)
  })
}

/** A read that came through Fastify. */
const readThrough =
  (reads: Reads, runner: Runner) =>
  async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const { exchange } = request.raw
    if (!exchange) throw new Error('The edge has not seen this request.')
    reply.hijack()
    await reads.answer(exchange, { runner, ...namedBy(request) })
  }

/** What an address names, as the router has read it. */
const namedBy = ({ params, query }: FastifyRequest): Omit<Asked, 'runner'> => ({
  params: paramsOf(params as Record<string, string>),
  query: query as Record<string, unknown>,
})

/** `/v1/spaces/{spaceId}` as the router writes it; a path of pages may hold slashes. */
const urlOf = (path: string): string => path.replace(/\{pagePath\}$/, '*').replace(/\{(\w+)\}/g, ':$1')

const headerOf = (value: string | string[] | undefined): string | undefined => (Array.isArray(value) ? value[0] : value)
