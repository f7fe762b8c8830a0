/** The answer of an operation as it goes out: ETag and 304, its encoding, and a copy for whoever asks the same again. */
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Urls } from '../../core/urls.ts'
import { keyOfCredential } from '../../domain/actor.ts'
import { encodingFor } from '../edge/encoding.ts'
import { addEncodingHeaders } from '../edge/fastify.ts'
import { isHeld } from '../etag.ts'
import { sessionCookie } from '../signin/cookies.ts'
import type { Answers, Printed } from './answers.ts'
import { compressedPrint } from './compressed-print.ts'
import type { Reply } from './dispatch.ts'
import { printed } from './print.ts'

export async function send(
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
  { actor, commitVersion, raw, routeOptions }: FastifyRequest,
  reply: FastifyReply,
  print: Printed,
  to: Answers,
): void {
  if (commitVersion === undefined || !actor || reply.getHeader('cache-control') !== 'private, no-cache') return
  if (!to.isAskedAgain(raw)) return
  // A secret that has just changed is for one browser, once.
  if (reply.hasHeader('set-cookie')) return
  const headers = Object.entries(reply.getHeaders()).flatMap(([name, value]) =>
    ownHeaders.test(name) ? [] : [name, String(value)],
  )
  to.keep(raw, {
    ...print,
    commitVersion,
    credential: keyOfCredential(actor.credential),
    route: routeOptions.url,
    headers,
  })
}
