/**
 * Reads, from the request to the bytes of the answer: authenticate → rate limit → dispatch → ETag and 304 → encoding.
 *
 * Most requests are reads, and what Fastify does for any request (objects, hooks, a reply) takes longer than it takes to
 * read a space. So a read that comes by a socket is routed here, by the router that Fastify has inside. What comes through
 * Fastify all the same (HEAD, a GET with a body, tests without a port) ends in the same function.
 */
import findMyWay, { type HTTPVersion, type Instance } from 'find-my-way'
import { keyOfCredential } from '../../domain/actor.ts'
import { StoredJson } from '../../domain/handler.ts'
import type { Log } from '../../platform/log.ts'
import type { AddressOf } from '../edge/address.ts'
import { addVary, type Encoding, encodingFor, weakTag } from '../edge/encoding.ts'
import type { Exchange } from '../edge/exchange.ts'
import type { Edge } from '../edge/index.ts'
import { routerOptions } from '../edge/methods.ts'
import { isHeld } from '../etag.ts'
import { sessionCookie } from '../signin/cookies.ts'
import { type AdmissionParts, type Admitted, makeAdmission } from './admit.ts'
import type { Answers } from './answers.ts'
import { compressedPrint } from './compressed-print.ts'
import type { Reply, Runner } from './dispatch.ts'
import { makeGuarded } from './guarded.ts'
import { printed } from './print.ts'
import { sendStored } from './send-stored.ts'

export interface ReadParts extends AdmissionParts {
  answers: Answers
  addressOf: AddressOf
  edge: Edge
  log: Log
  /** Checks each answer against its row; for tests and development. */
  onReply: ((runner: Runner, reply: Reply) => void) | undefined
}

export interface Asked {
  runner: Runner
  params: Record<string, string>
  query: Record<string, unknown>
}

export interface Reads {
  /** Makes a row an address that `take` knows. */
  add(url: string, runner: Runner): void
  /** Answers a GET of such an address; false when there is none, or it has a body. */
  take(exchange: Exchange): boolean
  /** Answers, whatever happens. */
  answer(exchange: Exchange, asked: Asked): Promise<void>
}

export function makeReads(parts: ReadParts): Reads {
  const { answers, addressOf, edge, onReply } = parts
  const { urls } = parts.env
  const admit = makeAdmission(parts)
  const guarded = makeGuarded(parts)
  const router: Instance<HTTPVersion.V1> = findMyWay(routerOptions)
  const found = () => undefined

  const answer: Reads['answer'] = (exchange, asked) => guarded(exchange, (headers) => read(exchange, asked, headers))

  const read = async (exchange: Exchange, { runner, params, query }: Asked, headers: string[]): Promise<void> => {
    edge.checkLoad()
    const { request, headers: sent } = exchange
    const commitVersion = edge.commitVersionOf(exchange)
    const caller = { method: request.method, headers: sent, address: () => addressOf(request), commitVersion }
    const admitted = await admit(runner, caller, (name, value) => headers.push(name, value))
    const { actor } = admitted
    const reply = await runner.run({
      actor,
      address: addressOf(request),
      commitVersion,
      params,
      query,
      body: undefined,
    })
    onReply?.(runner, reply)
    await send(exchange, reply, { headers, admitted })
  }

  const send = async (
    exchange: Exchange,
    { status, body, headers: own, session }: Reply,
    { headers, admitted }: { headers: string[]; admitted: Admitted },
  ): Promise<void> => {
    if (session !== undefined) headers.push('set-cookie', sessionCookie(urls, session))
    for (const [name, value] of Object.entries(own)) if (!negotiated.has(name)) headers.push(name, value)
    if (body === undefined) return edge.answer(exchange, { status, headers })
    const { vary, 'cache-control': caching = cachedByCaller } = own
    if (body instanceof StoredJson) return sendStored(edge, exchange, body, { headers, vary, caching })
    const making = printed(body as object)
    const print = making instanceof Promise ? await making : making
    const accepted = exchange.headers['accept-encoding']
    const held = isHeld(exchange.headers['if-none-match'], print.etag)
    // Nobody waits for the compression of what is not sent.
    const compressing = compressedPrint(print, held ? undefined : accepted)
    const { bytes, encoding, mayVary } = compressing instanceof Promise ? await compressing : compressing
    headers.push('etag', encoding === undefined ? print.etag : weakTag(print.etag), 'cache-control', caching)
    if (mayVary) headers.push('vary', addVary(vary, 'accept-encoding'))
    else if (vary !== undefined) headers.push('vary', vary)
    const whole = [...headers, ...contentHeaders(encoding)]
    if (status === 200 && caching === cachedByCaller && (!held || !mayVary || encodingFor(accepted) === undefined))
      keep(exchange, { etag: print.etag, bytes, headers: whole }, admitted)
    if (held) edge.answer(exchange, { status: 304, headers })
    else edge.answer(exchange, { status, headers: whole, body: bytes })
  }

  const keep = (
    exchange: Exchange,
    answer: { etag: string; bytes: string | Buffer; headers: string[] },
    { actor }: Admitted,
  ): void => {
    const commitVersion = edge.commitVersionOf(exchange)
    if (commitVersion === undefined || !actor || !answers.isAskedAgain(exchange)) return
    // A secret that has just changed is for one browser, once.
    if (answer.headers.includes('set-cookie')) return
    const headers = [
      ...answer.headers.filter((_, i) => !isOfRequest(answer.headers[i - (i % 2)] ?? '')),
      ...edge.commonHeaders('api'),
    ]
    const credential = keyOfCredential(actor.credential)
    answers.keep(exchange, { ...answer, headers, commitVersion, credential })
  }

  return {
    add: (url, runner) => router.on('GET', url, found, { url, runner }),
    take(exchange) {
      const { request, headers } = exchange
      if (request.method !== 'GET' || !request.url?.startsWith('/v1/')) return false
      if (headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined) return false
      const match = router.find('GET', request.url)
      if (!match) return false
      const { url, runner }: { url: string; runner: Runner } = match.store
      exchange.surface = 'api'
      exchange.route = url
      void answer(exchange, { runner, params: paramsOf(match.params), query: match.searchParams })
      return true
    },
    answer,
  }
}

/** Written with what the answer itself says of them. */
const negotiated = new Set(['vary', 'cache-control'])

/** Only the caller keeps it, and asks each time whether it still holds. */
const cachedByCaller = 'private, no-cache'

/** What of an answer is the request's own, and not of what was asked for. */
const isOfRequest = (name: string): boolean => name.startsWith('x-ratelimit-')

const jsonHeaders = ['content-type', 'application/json; charset=utf-8']

const contentHeaders = (encoding: Encoding | undefined): string[] =>
  encoding === undefined ? jsonHeaders : [...jsonHeaders, 'content-encoding', encoding]

/** A path of pages may hold slashes, so the router has another name for it. */
export function paramsOf(params: Record<string, string | undefined>): Record<string, string> {
  if (params['*'] !== undefined) params.pagePath = params['*']
  return params as Record<string, string>
}
