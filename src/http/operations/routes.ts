/** `/healthz`, `/readyz` and `/metrics` at the address of the API, and who may see the metrics there. */
import { createHash, timingSafeEqual } from 'node:crypto'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { fail } from '../../core/errors.ts'
import type { MetricsAccess } from '../../platform/config.ts'
import { isLoopback } from '../edge/address.ts'
import type { Edge } from '../edge/index.ts'

export function addHealth(app: FastifyInstance, checkReady: () => Promise<void>): void {
  app.get('/healthz', async () => ({ status: 'ok' }))
  app.get('/readyz', async () => {
    await checkReady()
    return { status: 'ready' }
  })
}

/** Throws for a request that may not see the metrics; undefined where nobody may, or where they have an address of their own. */
export function metricsReaders(
  access: MetricsAccess | undefined,
  url: string,
): ((request: FastifyRequest) => void) | undefined {
  if (access && !('token' in access)) return undefined
  if (access) {
    const wanted = digestOf(`Bearer ${access.token}`)
    return ({ headers }) => {
      if (!timingSafeEqual(wanted, digestOf(headers.authorization ?? '')))
        throw fail('unauthenticated', 'Show the token of LECTERN_METRICS: `Authorization: Bearer <token>`.')
    }
  }
  // An installation that nobody reaches from elsewhere shows them to programs beside it.
  const { hostname } = new URL(url)
  if (hostname !== 'localhost' && !isLoopback(hostname.replace(/^\[|\]$/g, ''))) return undefined
  return ({ raw: { socket, headers } }) => {
    const isForwarded = headers['x-forwarded-for'] !== undefined || headers.forwarded !== undefined
    if (isForwarded || !isLoopback(socket.remoteAddress ?? '')) throw fail('not_found')
  }
}

export function addMetrics(
  app: FastifyInstance,
  { metrics: { registry } }: Edge,
  checkReader: (request: FastifyRequest) => void,
): void {
  app.get('/metrics', async (request, reply) => {
    checkReader(request)
    return reply.header('content-type', registry.contentType).send(await registry.metrics())
  })
}

const digestOf = (text: string): Buffer => createHash('sha256').update(text).digest()
