/**
 * Bodies that are files: which routes take them, how long a body may take to arrive, and what happens to one that nobody
 * reads to its end.
 */
import type { IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Upload } from '../../contract/operation.ts'
import { fail } from '../../core/errors.ts'
import { maxFileBytes } from '../../domain/content/write/files.ts'
import { arrivedLate, bodyMilliseconds } from './json-body.ts'
import { filesOf, maxFiles, maxRestBytes } from './multipart.ts'
import { needsForm } from './upload.ts'

/** How long a whole upload may take. Silence in between ends it much sooner, see `multipart.ts`. */
export const uploadMilliseconds = 60 * 60 * 1000
/** How long we go on reading what a refused sender still sends, so that it gets to read the refusal. */
const lingerMilliseconds = 2000

declare module 'fastify' {
  interface FastifyContextConfig {
    isUpload?: boolean
  }
}

/** Makes the routes of a scope take multipart/form-data and nothing else. */
export function acceptOnlyForms(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('multipart/form-data', (_request, payload, done) => done(null, payload))
  app.addContentTypeParser('*', (_request, _payload, done) => done(needsForm()))
  app.addHook('onRoute', (route) => {
    route.config = { ...route.config, isUpload: true }
  })
  app.addHook('onSend', async (request, reply, payload) => {
    if (isWhole(request.raw) || typeof payload !== 'string') return payload
    reply.header('connection', 'close').header('content-length', Buffer.byteLength(payload))
    return Readable.from(answerThenLinger(payload, request.raw), { objectMode: false })
  })
}

/** The files of a request, as its handler receives them. */
export function partsOf({ body, headers }: FastifyRequest): Upload | undefined {
  if (!(body instanceof Readable)) return undefined
  if (Number(headers['content-length']) > maxFiles * maxFileBytes + maxRestBytes)
    throw fail('too_large', `A request holds at most ${maxFiles} files of ${maxFileBytes / 1024 / 1024} MiB each.`)
  return filesOf(body, headers['content-type'] ?? '')
}

/** Cuts off a body that trickles in. An upload has a clock of its own. */
export function addBodyClock(app: FastifyInstance): void {
  app.addHook('onRequest', ({ raw, headers, routeOptions }, reply, done) => {
    done()
    if (headers['transfer-encoding'] === undefined && Number(headers['content-length'] ?? 0) === 0) return
    if (routeOptions.config.isUpload) return
    const clock = setTimeout(() => {
      if (isWhole(raw) || reply.sent) return
      reply.header('connection', 'close').send(arrivedLate())
    }, bodyMilliseconds)
    raw.once('end', () => clearTimeout(clock)).once('close', () => clearTimeout(clock))
  })
}

const isWhole = (raw: IncomingMessage): boolean => raw.complete || raw.readableEnded || raw.destroyed

/**
 * The answer at once, then a while of reading what still comes and throwing it away. A connection closed with unread bytes
 * is reset, and the sender may lose the answer before it has read it.
 */
async function* answerThenLinger(answer: string, raw: IncomingMessage): AsyncGenerator<string> {
  yield answer
  await new Promise<void>((resolve) => {
    const clock = setTimeout(resolve, lingerMilliseconds)
    const stop = () => {
      clearTimeout(clock)
      resolve()
    }
    raw.once('end', stop).once('close', stop).once('error', stop).resume()
  })
}
