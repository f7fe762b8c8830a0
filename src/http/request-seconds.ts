/**
 * How long requests took, by route and status: a histogram that costs a request less than a microsecond.
 *
 * The library's own builds an object and a text of labels for each observation. Here a series is looked up once and can be
 * kept by whoever answers the same request again; the library's form is made only when somebody asks for the metrics.
 */
import type { Metric } from 'prom-client'

const bounds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

export class Series {
  readonly labels: Record<string, string | number>
  readonly counts: number[] = Array(bounds.length + 1).fill(0)
  sum = 0

  constructor(labels: Record<string, string | number>) {
    this.labels = labels
  }

  observe(seconds: number): void {
    let bucket = 0
    while (bucket < bounds.length && seconds > (bounds[bucket] as number)) bucket++
    this.counts[bucket] = (this.counts[bucket] as number) + 1
    this.sum += seconds
  }
}

const about = {
  name: 'lectern_http_request_seconds',
  help: 'How long requests took, by route and status.',
  type: 'histogram',
  aggregator: 'sum',
}

export class RequestSeconds {
  readonly #series = new Map<string, Series>()

  /** As a registry takes it, which asks a metric for its name and for this. */
  readonly metric = {
    name: about.name,
    get: async () => ({ ...about, values: [...this.#series.values()].flatMap(valuesOf) }),
  } as unknown as Metric

  /** Routes and statuses are few: what a caller sends never becomes a label. */
  series(method: string, route: string | undefined, status: number): Series {
    const key = `${method} ${route} ${status}`
    let known = this.#series.get(key)
    if (!known) {
      known = new Series({ method, route: route ?? 'none', status })
      this.#series.set(key, known)
    }
    return known
  }
}

function valuesOf({ labels, counts, sum }: Series) {
  const { name } = about
  let total = 0
  const buckets = counts.map((count, i) => {
    total += count
    return { metricName: `${name}_bucket`, labels: { le: bounds[i] ?? '+Inf', ...labels }, value: total }
  })
  return [
    ...buckets,
    { metricName: `${name}_sum`, labels, value: sum },
    { metricName: `${name}_count`, labels, value: total },
  ]
}
