/**
 * How often a credential may call: so many requests in a window of a minute, counted in this process.
 *
 * Wrong tokens are counted by the address they come from, in a much smaller bucket; a caller with a right token is never
 * refused because of a neighbour's guesses.
 */

const windowSeconds = 60
const guessesPerWindow = 600
const rememberAtMost = 100_000

export interface RateLimitState {
  limit: number
  remaining: number
  /** Epoch seconds at which the window ends. */
  reset: number
  exceeded: boolean
}

export class RateLimit {
  readonly #limit: number
  readonly #clock: () => number
  #counts = new Map<string, number>()
  #windowEnd = 0

  /** `limit` requests a minute for each credential; 0 switches the limit off. */
  constructor(limit: number, clock: () => number = Date.now) {
    this.#limit = limit
    this.#clock = clock
  }

  get isOff(): boolean {
    return this.#limit === 0
  }

  /** Counts a request with this credential, as `keyOfCredential` writes it. */
  take(credential: string): RateLimitState {
    return this.#take(credential, this.#limit)
  }

  /** Whether one more would be too many; counts nothing. */
  isExceeded(key: string): boolean {
    return this.#clock() / 1000 < this.#windowEnd && (this.#counts.get(key) ?? 0) >= this.#limit
  }

  /** Counts a request with a token that is nobody's. */
  guess(address: string): RateLimitState {
    return this.#take(`guess ${address}`, guessesPerWindow)
  }

  #take(key: string, limit: number): RateLimitState {
    const now = Math.floor(this.#clock() / 1000)
    if (now >= this.#windowEnd) {
      this.#windowEnd = now + windowSeconds
      this.#counts = new Map()
    }
    const used = (this.#counts.get(key) ?? 0) + 1
    if (this.#counts.size < rememberAtMost || this.#counts.has(key)) this.#counts.set(key, used)
    return { limit, remaining: Math.max(0, limit - used), reset: this.#windowEnd, exceeded: used > limit }
  }

  get secondsLeft(): number {
    return Math.max(1, this.#windowEnd - Math.floor(this.#clock() / 1000))
  }
}
