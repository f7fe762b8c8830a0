/** Prometheus metrics of this process. */
import type { FastifyInstance } from 'fastify'
import { collectDefaultMetrics, Registry } from 'prom-client'
import { RequestSeconds } from './request-seconds.ts'

export function addMetrics(app: FastifyInstance): RequestSeconds {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry, prefix: 'lectern_' })
  const seconds = new RequestSeconds()
  registry.registerMetric(seconds.metric)
  app.addHook('onResponse', (request, reply, done) => {
    seconds.series(request.method, request.routeOptions.url, reply.statusCode).observe(reply.elapsedTime / 1000)
    done()
  })
  app.get('/metrics', async (_request, reply) =>
    reply.header('content-type', registry.contentType).send(await registry.metrics()),
  )
  return seconds
}
