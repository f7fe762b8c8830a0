/**
 * `/files/{token}/{name}`: the bytes of a file, for whoever holds an address that the API gave out.
 *
 * The token is the right: it names the bytes, their type and name, and when it ends, sealed so that nobody can change it or
 * make one; the name in the address is there for people to read and is not looked at. The bytes come from anyone, and the
 * address lies beside the app, so nothing sent from here may run: types are fixed (`domain/files/delivery.ts`) and not to be
 * guessed, and what is opened as a page is locked in a sandbox without scripts.
 */
import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { fail } from '../core/errors.ts'
import { type FileTicket, filePurpose } from '../domain/content/present-file.ts'
import type { Environment } from '../domain/environment.ts'
import { deliveryOf } from '../domain/files/delivery.ts'
import { dispositionOf } from './disposition.ts'
import { isHeld } from './etag.ts'
import { rangeOf } from './range.ts'

/** A reader that takes nothing for this long is cut off. */
const stallMilliseconds = 30_000

/** For a file that is opened as a page: it may show itself, styled, and do nothing else. */
const policy =
  "default-src 'none'; img-src 'self' data:; media-src 'self'; style-src 'unsafe-inline'; form-action 'none'; base-uri 'none'; frame-ancestors 'none'; sandbox"

const common = {
  'content-security-policy': policy,
  // Published sites show these files, and they have addresses of their own.
  'cross-origin-resource-policy': 'cross-origin',
  'referrer-policy': 'no-referrer',
  'x-robots-tag': 'noindex',
  'accept-ranges': 'bytes',
}

export function addFiles(app: FastifyInstance, { env, clock }: { env: Environment; clock: () => Date }): void {
  app.route<{ Params: { token: string } }>({
    method: ['GET', 'HEAD'],
    url: '/files/:token/:name',
    exposeHeadRoute: false,
    handler: async (request, reply) => {
      reply.headers(common).header('cache-control', 'no-store')
      const ticket = ticketIn(env, request.params.token)
      if (!ticket) throw fail('not_found')
      const secondsLeft = Math.floor((ticket.until - clock().getTime()) / 1000)
      if (secondsLeft <= 0) throw fail('not_found', 'This address has expired. Ask the API for the file again.')
      const size = await env.blobs.size(ticket.blob)
      if (size === undefined) throw fail('not_found')
      reply.header('cache-control', `private, max-age=${secondsLeft}, immutable`)
      return deliver(request, reply, { env, ticket, size })
    },
  })
}

async function deliver(
  request: FastifyRequest,
  reply: FastifyReply,
  { env, ticket, size }: { env: Environment; ticket: FileTicket; size: number },
): Promise<FastifyReply> {
  const etag = `"${ticket.blob}"`
  reply.header('etag', etag)
  if (isHeld(request.headers['if-none-match'], etag)) return reply.code(304).send()

  const range = rangeOf(request.headers, { size, etag })
  if (range === 'unsatisfiable') {
    reply.header('content-range', `bytes */${size}`).header('cache-control', 'no-store').removeHeader('etag')
    throw fail('range_not_satisfiable')
  }
  const { contentType, inline } = deliveryOf(ticket.type)
  reply
    .code(range ? 206 : 200)
    .header('content-type', contentType)
    .header('content-disposition', dispositionOf(ticket.name, { inline }))
    .header('content-length', range ? range.end - range.start + 1 : size)
  if (range) reply.header('content-range', `bytes ${range.start}-${range.end}/${size}`)
  if (request.method === 'HEAD') return reply.send()

  const bytes = await env.blobs.open(ticket.blob, range)
  if (!bytes) throw fail('not_found')
  reply.raw.setTimeout(stallMilliseconds, () => reply.raw.destroy())
  // Destroyed with the connection, and with it whatever reads the store.
  return reply.send(Readable.from(bytes, { objectMode: false, highWaterMark: 64 * 1024 }))
}

/** What the token says, when it is ours. */
function ticketIn(env: Environment, token: string): FileTicket | undefined {
  const text = env.signer.open(filePurpose, token)
  // Sealed by us, so it has the shape that `presentFile` gave it.
  return text === undefined ? undefined : JSON.parse(text)
}
