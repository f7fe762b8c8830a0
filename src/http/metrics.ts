/** Prometheus metrics: those of this process, and the queue of jobs that all processes share. */
import type { FastifyInstance } from 'fastify'
import { collectDefaultMetrics, Gauge, Registry } from 'prom-client'
import { metrics } from '../platform/metrics.ts'
import type { Database } from '../store/database.ts'
import { countJobs } from '../store/jobs.ts'
import { RequestSeconds } from './request-seconds.ts'

export function addMetrics(app: FastifyInstance, db: Database): RequestSeconds {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry, prefix: 'lectern_' })
  const seconds = new RequestSeconds()
  registry.registerMetric(seconds.metric)
  for (const metric of metrics) registry.registerMetric(metric)
  addQueue(registry, db)
  app.addHook('onResponse', (request, reply, done) => {
    seconds.series(request.method, request.routeOptions.url, reply.statusCode).observe(reply.elapsedTime / 1000)
    done()
  })
  app.get('/metrics', async (_request, reply) =>
    reply.header('content-type', registry.contentType).send(await registry.metrics()),
  )
  return seconds
}

/** Counted when somebody asks: every process shows the same queue. */
function addQueue(registry: Registry, db: Database): void {
  new Gauge({
    name: 'lectern_jobs',
    help: 'Jobs by kind and state: waiting, running, failed.',
    labelNames: ['kind', 'state'] as const,
    registers: [registry],
    async collect() {
      // Without its database the process still has metrics to show.
      const rows = await countJobs(db).catch(() => undefined)
      if (rows === undefined) return
      this.reset()
      for (const { kind, state, count } of rows) this.set({ kind, state }, Number(count))
    },
  })
}
