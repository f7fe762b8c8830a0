/**
 * Share keys and visitors' tokens cannot be guessed in any time there is; who tries nevertheless is slowed down. Wrong ones
 * are counted by the address they come from, each once: a browser that shows an old cookie again does not guess. While
 * there are too many, that address is not heard with any other secret, but with those that were right before: others
 * behind the same address read on.
 */
import { createHash } from 'node:crypto'
import { ApiError } from '../../core/errors.ts'
import { RateLimit } from '../edge/rate-limit.ts'

const wrongPerMinute = 60
const rememberAtMost = 10_000

export class SecretGuesses {
  readonly #wrong = new RateLimit(wrongPerMinute)
  readonly #right = new Set<string>()
  readonly #known = new Set<string>()

  /** Throws 429 when too many came from there that were wrong. */
  check(address: string, secret: string): void {
    if (!this.#wrong.isExceeded(networkOf(address)) || this.#right.has(digestOf(secret))) return
    throw new ApiError('rate_limited', {
      message: 'Too many keys and tokens from this address were wrong. Try again in a minute.',
      retryAfter: this.#wrong.secondsLeft,
    })
  }

  wrong(address: string, secret: string): void {
    const guess = `${networkOf(address)} ${digestOf(secret)}`
    if (this.#known.has(guess)) return
    remember(this.#known, guess)
    this.#wrong.take(networkOf(address))
  }

  right(secret: string): void {
    remember(this.#right, digestOf(secret))
  }
}

function remember(known: Set<string>, one: string): void {
  if (known.size >= rememberAtMost) known.clear()
  known.add(one)
}

const digestOf = (secret: string): string => createHash('sha256').update(secret).digest('base64url')

/** Who has one address of IPv6 has all that share its first half. */
const networkOf = (address: string): string =>
  address.includes(':') && !address.includes('.') ? address.split(':').slice(0, 4).join(':') : address
