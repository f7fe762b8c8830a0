/** What Prometheus is told: the requests of this process, its memory and loop, and the queue of jobs that all processes share. */
import type { ServerResponse } from 'node:http'
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { CacheFacts } from '../../core/caches.ts'
import { metrics } from '../../platform/metrics.ts'
import type { Database } from '../../store/database.ts'
import { countJobs } from '../../store/jobs.ts'
import type { ThreadCounts } from '../../threads/pool.ts'
import type { Threads } from '../../threads/supervisor.ts'
import type { Exchange } from './exchange.ts'

export interface Metrics {
  registry: Registry
  /** Counts an answer that is out. */
  observe(exchange: Exchange): void
  /** Counts a request that was turned away, by what was full. */
  refused(reason: 'loop' | 'writes'): void
}

export function makeMetrics(db: Database, numbers: { inProgress: () => number; waitingWrites: () => number }): Metrics {
  const registry = new Registry()
  const registers = [registry]
  collectDefaultMetrics({ register: registry, prefix: 'lectern_' })
  const seconds = new Histogram({
    name: 'lectern_http_request_seconds',
    help: 'How long requests took, by surface, route and status.',
    labelNames: ['surface', 'method', 'route', 'status'] as const,
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers,
  })
  const refusals = new Counter({
    name: 'lectern_http_refused_total',
    help: 'Requests answered 503 because the event loop was late or too many writes waited.',
    labelNames: ['reason'] as const,
    registers,
  })
  addNumber('lectern_http_requests_in_progress', 'Requests that are being answered.', numbers.inProgress)
  addNumber('lectern_waiting_writes', 'Writes that wait for their transaction.', numbers.waitingWrites)
  for (const metric of metrics) registry.registerMetric(metric)
  addQueue(registry, db)
  addCaches(registry, db)
  addThreads(registry, db.threads)

  function addNumber(name: string, help: string, read: () => number): void {
    new Gauge({
      ...{ name, help, registers },
      collect() {
        this.set(read())
      },
    })
  }

  return {
    registry,
    observe: ({ surface, request, route, response, started }) =>
      seconds.observe(
        {
          surface,
          method: knownMethods.has(request.method ?? '') ? request.method : 'other',
          route,
          status: statusOf(response),
        },
        (performance.now() - started) / 1000,
      ),
    refused: (reason) => refusals.inc({ reason }),
  }
}

/** Who left before there was an answer is counted apart, under the number that proxies use for it. */
const statusOf = ({ headersSent, statusCode }: ServerResponse): number => (headersSent ? statusCode : 499)

const knownMethods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])

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
function addCaches(registry: Registry, { caches, threads }: Pick<Database, 'caches' | 'threads'>): void {
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
        this.reset()
        for (const cache of [...caches.list(), ...threads.listCaches()]) this.set({ cache: cache.name }, read(cache))
      },
    })
  }
}

/** What threads have to do. A kind is told from its first task on. */
function addThreads(registry: Registry, threads: Threads): void {
  const facts = {
    lectern_threads: ['Threads that are running, by the kind of their work.', (counts: ThreadCounts) => counts.threads],
    lectern_thread_tasks_running: ['Tasks that threads are working on.', (counts: ThreadCounts) => counts.running],
    lectern_thread_tasks_waiting: ['Tasks that wait for a thread.', (counts: ThreadCounts) => counts.waiting],
  } as const
  for (const [name, [help, read]] of Object.entries(facts)) {
    new Gauge({
      name,
      help,
      labelNames: ['kind'] as const,
      registers: [registry],
      collect() {
        for (const { kind, ...counts } of threads.list()) this.set({ kind }, read(counts))
      },
    })
  }
}
