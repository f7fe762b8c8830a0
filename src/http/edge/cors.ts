/** Lets pages of any origin call the API with a token. */
import type { FastifyInstance } from 'fastify'

/**
 * On every answer of the API: name, value, name, value. Anyone may call from a browser with a token. Cookies count only for
 * our own pages (`signin/own-origin.ts`), and the header with which those write is never allowed to others.
 */
export const apiHeaders: readonly string[] = [
  'access-control-allow-origin',
  '*',
  'access-control-expose-headers',
  'ETag, Location, Retry-After, X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset, X-Request-Id',
]

export function addCors(app: FastifyInstance): void {
  app.addHook('onRequest', (request, reply, done) => {
    if (!request.url.startsWith('/v1/')) return done()
    for (let i = 0; i + 1 < apiHeaders.length; i += 2) reply.header(apiHeaders[i] as string, apiHeaders[i + 1])
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
