/** Lets pages of any origin call the API with a token. */
import type { FastifyInstance } from 'fastify'

/**
 * On every answer of the API. Anyone may call from a browser with a token. Cookies count only for
 * our own pages (`signin/own-origin.ts`), and the header with which those write is never allowed to others.
 */
const allowedToAll = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers':
    'ETag, Location, Retry-After, X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset, X-Request-Id',
}

/** The same as `writeHead` takes them: name, value, name, value. */
export const apiHeaders: readonly string[] = Object.entries(allowedToAll).flat()

export function addCors(app: FastifyInstance): void {
  app.addHook('onRequest', (request, reply, done) => {
    if (!request.url.startsWith('/v1/')) return done()
    reply.headers(allowedToAll)
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
