/**
 * Writes, from the request to the bytes of the answer: authenticate → rate limit → read the body → dispatch → encoding.
 *
 * As with reads (reads.ts), what Fastify does for any request takes longer than a small write does. So a write with a small
 * body of JSON, or none, that comes by a socket is routed here. Everything else goes through Fastify: uploads, large bodies,
 * bodies of unknown length or of another type.
 */
import type { IncomingMessage } from 'node:http'
import findMyWay, { type HTTPMethod, type HTTPVersion, type Instance } from 'find-my-way'
import { addVary, compress, encodingFor, weakTag, worthCompressing } from '../edge/encoding.ts'
import type { Exchange } from '../edge/exchange.ts'
import { routerOptions } from '../edge/methods.ts'
import { sessionCookie } from '../signin/cookies.ts'
import { clientOf } from '../signin/index.ts'
import { makeAdmission } from './admit.ts'
import type { Reply, Runner } from './dispatch.ts'
import { makeGuarded } from './guarded.ts'
import { receiveSmall, smallJson } from './json-body.ts'
import { type Asked, paramsOf, type ReadParts } from './reads.ts'

export interface Writes {
  /** Makes a row an address that `take` knows. */
  add(method: HTTPMethod, url: string, runner: Runner): void
  /** Answers a write to such an address; false when there is none, or its body is not for here. */
  take(exchange: Exchange): boolean
}

export function makeWrites(parts: ReadParts): Writes {
  const { addressOf, edge, onReply } = parts
  const { urls } = parts.env
  const admit = makeAdmission(parts)
  const guarded = makeGuarded(parts)
  const router: Instance<HTTPVersion.V1> = findMyWay(routerOptions)
  const found = () => undefined

  const write = async (exchange: Exchange, { runner, params, query }: Asked, headers: string[]): Promise<void> => {
    edge.checkLoad()
    const { request } = exchange
    const address = addressOf(request)
    const commitVersion = edge.commitVersionOf(exchange)
    const caller = { method: request.method, headers: exchange.headers, address: () => address, commitVersion }
    const { actor } = await admit(runner, caller, (name, value) => headers.push(name, value))
    const receiving = receiveSmall(request)
    const body = receiving instanceof Promise ? await closingUnread(receiving, headers) : receiving
    const reply = await runner.run({
      actor,
      address,
      commitVersion,
      client: clientOf({ ip: address, headers: request.headers }, urls),
      params,
      query,
      body,
      ifMatch: request.headers['if-match'],
      idempotencyKey: request.headers['idempotency-key'] as string | undefined,
    })
    onReply?.(runner, reply)
    await send(exchange, reply, headers)
  }

  const send = async (exchange: Exchange, reply: Reply, headers: string[]): Promise<void> => {
    const { status, body, headers: own, session } = reply
    if (session !== undefined) headers.push('set-cookie', sessionCookie(urls, session))
    const text = body === undefined ? undefined : JSON.stringify(body)
    const mayVary = text !== undefined && text.length >= worthCompressing
    const encoding = mayVary ? encodingFor(exchange.headers['accept-encoding']) : undefined
    for (const name in own) {
      const value = own[name] ?? ''
      if (name !== 'vary') headers.push(name, name === 'etag' && encoding !== undefined ? weakTag(value) : value)
    }
    const vary = mayVary ? addVary(own.vary, 'accept-encoding') : own.vary
    if (vary !== undefined) headers.push('vary', vary)
    if (text === undefined) return edge.answer(exchange, { status, headers })
    headers.push('content-type', 'application/json; charset=utf-8')
    if (encoding === undefined) return edge.answer(exchange, { status, headers, body: text })
    headers.push('content-encoding', encoding)
    edge.answer(exchange, { status, headers, body: await compress(text, encoding, 'once') })
  }

  return {
    add: (method, url, runner) => router.on(method, url, found, { url, runner }),
    take(exchange) {
      const { request } = exchange
      const { method, url: asked } = request
      if (method === undefined || !isWriting(method) || !asked?.startsWith('/v1/') || !isSmallJson(request))
        return false
      const match = router.find(method, asked)
      if (!match) return false
      const { url, runner }: { url: string; runner: Runner } = match.store
      exchange.surface = 'api'
      exchange.route = url
      const named = { runner, params: paramsOf(match.params), query: match.searchParams }
      void guarded(exchange, (headers) => write(exchange, named, headers))
      return true
    },
  }
}

const isWriting = (method: string): method is HTTPMethod =>
  method === 'POST' || method === 'PATCH' || method === 'PUT' || method === 'DELETE'

/** A small body whose length is known, of JSON and of nothing else; or no body at all, whatever type clients say it has. */
function isSmallJson({ headers }: IncomingMessage): boolean {
  if (headers['transfer-encoding'] !== undefined) return false
  const { 'content-type': type, 'content-length': length } = headers
  if (length === undefined || length === '0') return true
  return type !== undefined && jsonTypes.has(type) && Number(length) <= smallJson
}

const jsonTypes = new Set(['application/json', 'application/json; charset=utf-8', 'application/json;charset=UTF-8'])

/** Whoever sends no whole body is answered, and not listened to any more. */
async function closingUnread<T>(receiving: Promise<T>, headers: string[]): Promise<T> {
  try {
    return await receiving
  } catch (error) {
    headers.push('connection', 'close')
    throw error
  }
}
