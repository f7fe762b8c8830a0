/** What background work counts; `http` shows it to Prometheus beside the requests. Of this process, as all of its metrics. */
import { Counter, Histogram } from 'prom-client'

// Not in the library's global registry: `http` has one of its own.
const nowhere = { registers: [] }

export const jobRuns = new Counter({
  name: 'lectern_job_runs_total',
  help: 'Runs of jobs by kind and outcome: done, retried, failed, lost.',
  labelNames: ['kind', 'outcome'] as const,
  ...nowhere,
})

export const jobSeconds = new Histogram({
  name: 'lectern_job_seconds',
  help: 'How long runs of jobs took.',
  labelNames: ['kind'] as const,
  buckets: [0.01, 0.05, 0.25, 1, 5, 15, 60, 300, 900, 3600],
  ...nowhere,
})

export const sweptRows = new Counter({
  name: 'lectern_swept_total',
  help: 'Nodes, documents and files that the sweep removed.',
  labelNames: ['kind'] as const,
  ...nowhere,
})

export const sweptBytes = new Counter({
  name: 'lectern_swept_bytes_total',
  help: 'Bytes of what the sweep removed.',
  labelNames: ['kind'] as const,
  ...nowhere,
})

export const metrics = [jobRuns, jobSeconds, sweptRows, sweptBytes]
