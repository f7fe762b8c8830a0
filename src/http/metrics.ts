/** Prometheus metrics: those of this process, and the queue of jobs that all processes share. */
import type { FastifyInstance } from 'fastify'
import { collectDefaultMetrics, Gauge, Registry } from 'prom-client'
import type { CacheFacts, Caches } from '../core/caches.ts'
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
  addCaches(registry, db.caches)
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

/** What is kept in memory, and whether it is worth it. */
function addCaches(registry: Registry, caches: Caches): void {
  const facts = {
    lectern_cache_bytes: ['What a cache takes, about.', (cache: CacheFacts) => cache.bytes],
    lectern_cache_limit_bytes: ['What a cache may take.', (cache: CacheFacts) => cache.limit],
    lectern_cache_entries: ['How many entries a cache has.', (cache: CacheFacts) => cache.size],
    lectern_cache_hits: [
      'How often a cache had what was asked for, since the start.',
      (cache: CacheFacts) => cache.hits,
    ],
    lectern_cache_misses: ['How often it had not.', (cache: CacheFacts) => cache.misses],
  } as const
  for (const [name, [help, read]] of Object.entries(facts)) {
    new Gauge({
      name,
      help,
      labelNames: ['cache'] as const,
      registers: [registry],
      collect() {
        for (const cache of caches.list()) this.set({ cache: cache.name }, read(cache))
      },
    })
  }
}
