/**
 * When there is more work than the process can do, newcomers are told to come again instead of letting everyone wait.
 *
 * 1. The event loop: while it is late, and several requests are in progress. On a starved machine it is late for a lone
 *    client, too, who waits for nobody and is never refused.
 * 2. Writes: while too many wait for their transaction, or the one that waits longest has waited too long.
 */
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { ApiError } from '../../core/errors.ts'

/** How far behind the event loop may be, in milliseconds. */
const delayLimit = 1500
const sampleMilliseconds = 500
const resolution = 10
/** So many at once are company, not load. */
const fewRequests = 4

export interface LoopWatch {
  /** Whether who comes now is refused, with so many requests in progress. */
  isLate(inProgress: () => number): boolean
  stop(): void
}

/** `limit` of 0 is no limit, for tests on a machine that is busy with other things. */
export function watchLoop(limit: number = delayLimit): LoopWatch {
  if (limit === 0) return { isLate: () => false, stop: () => {} }
  const histogram = monitorEventLoopDelay({ resolution })
  histogram.enable()
  /** Of the last two samples: one that is fine in between does not mean that the backlog is gone. */
  let delays: [before: number, last: number] = [0, 0]
  const timer = setInterval(() => {
    const last = histogram.count === 0 ? delays[1] : histogram.mean / 1e6 - resolution
    delays = [delays[1], last]
    histogram.reset()
  }, sampleMilliseconds).unref()
  return {
    isLate: (inProgress) => Math.max(...delays) > limit && inProgress() > fewRequests,
    stop: () => {
      clearInterval(timer)
      histogram.disable()
    },
  }
}

/** How many writes may wait, and how long the longest of them may have waited before newcomers are refused. */
const mostWaiting = 1_000
const longestMilliseconds = 5_000
/** Fewer than these are let in however slow the machine is. */
const fewWaiting = 16
/** The rate is that of about this many seconds. */
const rateSeconds = 5

export interface WriteQueueOptions {
  mostWaiting?: number
  longestMilliseconds?: number
  now?: () => number
  onRefuse?: () => void
}

/** Writes on their way to their transaction, and how fast they get through. */
export class WriteQueue {
  /** When each began to wait, in order. */
  readonly #waiting = new Set<{ since: number }>()
  readonly #most: number
  readonly #longest: number
  readonly #now: () => number
  readonly #onRefuse: () => void
  #rate = 0
  #ratedAt: number

  constructor(options: WriteQueueOptions = {}) {
    this.#most = options.mostWaiting ?? mostWaiting
    this.#longest = options.longestMilliseconds ?? longestMilliseconds
    this.#now = options.now ?? (() => performance.now())
    this.#onRefuse = options.onRefuse ?? (() => {})
    this.#ratedAt = this.#now()
  }

  get size(): number {
    return this.#waiting.size
  }

  /** `work` is handed a function to call when its transaction has begun; throws `overloaded` when there is no room. */
  async wait<T>(work: (begun: () => void) => Promise<T>): Promise<T> {
    if (this.#isFull()) {
      this.#onRefuse()
      throw new ApiError('overloaded', {
        message: 'Too many changes wait to be stored. Nothing was changed; try again in a moment.',
        retryAfter: this.secondsToWait(),
      })
    }
    const mine = { since: this.#now() }
    this.#waiting.add(mine)
    const begun = (): void => {
      if (this.#waiting.delete(mine)) this.#count()
    }
    try {
      return await work(begun)
    } finally {
      // What failed before it began leaves as well.
      this.#waiting.delete(mine)
    }
  }

  /** How long those that wait now will take, at the rate of the last seconds. */
  secondsToWait(): number {
    const rate = this.#present()
    return rate <= 0 ? 5 : Math.min(60, Math.max(1, Math.ceil(this.#waiting.size / rate)))
  }

  #isFull(): boolean {
    if (this.#waiting.size >= this.#most) return true
    if (this.#waiting.size < fewWaiting) return false
    const [oldest] = this.#waiting
    return oldest !== undefined && this.#now() - oldest.since > this.#longest
  }

  /** Each that begins adds its share, and what was added fades. */
  #count(): void {
    this.#rate = this.#present() + 1 / rateSeconds
    this.#ratedAt = this.#now()
  }

  #present(): number {
    return this.#rate * Math.exp(-(this.#now() - this.#ratedAt) / 1000 / rateSeconds)
  }
}
