/**
 * Answers to reads, kept while the database stays as it was.
 *
 * Most reads are repeated before anything has changed. The database's `commitVersion` changes with every commit, also of another
 * process, so an answer made after asking for it is right for as long as it stands: it is sent again as it
 * is, before routing, to whoever asks for the same address with the same credential. Where the engine has none nothing is
 * kept. Nor is what is asked for once, as a crawler or a program that walks through a space does: keeping it would cost more
 * than it saves, so an answer is kept when its address is asked for again soon.
 *
 * What a caller notices is the same on both ways: rate limits, ETag and 304, encodings; the rest is the edge's.
 */

import type { IncomingMessage } from 'node:http'
import { defineCache } from '../../core/caches.ts'
import type { Database } from '../../store/database.ts'
import { encodingFor } from '../edge/encoding.ts'
import type { Exchange } from '../edge/exchange.ts'
import type { Edge } from '../edge/index.ts'
import type { RateLimit } from '../edge/rate-limit.ts'
import type { RequestHeaders } from '../edge/request-headers.ts'
import { isHeld } from '../etag.ts'
import type { ShownReader } from '../signin/shown.ts'
import { secretShown } from './authenticate.ts'

/** Some answers depend on the time of day (signed addresses, expiry): they are never older than this. */
const keepMilliseconds = 500
const largestBytes = 1024 * 1024

interface CachedAnswer {
  commitVersion: number
  until: number
  credential: string
  etag: string
  bytes: string | Buffer
  /** As `writeHead` takes them: name, value, name, value. */
  headers: string[]
  /** Those of them that a 304 has. */
  held: string[]
  route: string
}

export interface Printed {
  bytes: string | Buffer
  etag: string
}

export interface Answers {
  /** Answers from what is kept; false when the request has to go the long way. */
  answer(exchange: Exchange): boolean
  /** Whether the same was asked for a short while ago: then it is worth keeping. */
  isAskedAgain(exchange: Exchange): boolean
  /** Keeps what was answered to a request with this credential. `commitVersion` was asked for before anything was read. */
  keep(
    exchange: Exchange,
    answer: Printed & { commitVersion: number; credential: string; headers: readonly string[] },
  ): void
}

const answersIn = defineCache<CachedAnswer>('answers', { share: 0.04 })

export function makeAnswers(parts: {
  db: Pick<Database, 'caches'>
  commitVersionOf: Edge['commitVersionOf']
  limit: RateLimit
  shownBy: ShownReader
}): Answers {
  const { db, limit } = parts
  const cached = answersIn(db.caches)
  const asked = new Recent(mostAsked)

  const keyOfExchange = (exchange: Exchange): string | undefined => {
    if (exchange.answerKey === undefined)
      exchange.answerKey = keyOf(exchange.request, exchange.headers, parts.shownBy) ?? null
    return exchange.answerKey ?? undefined
  }

  return {
    answer(exchange) {
      const { headers: asked, response } = exchange
      const key = keyOfExchange(exchange)
      const known = key === undefined ? undefined : cached.get(key)
      if (!known || known.until < exchange.started || known.commitVersion !== parts.commitVersionOf(exchange))
        return false
      const isNew = !isHeld(asked['if-none-match'], known.etag)
      const headers = (isNew ? known.headers : known.held).slice()
      headers.push('x-request-id', exchange.id)
      if (!limit.isOff) {
        const state = limit.take(known.credential)
        if (state.exceeded) return false
        headers.push('x-ratelimit-limit', `${state.limit}`, 'x-ratelimit-remaining', `${state.remaining}`)
        headers.push('x-ratelimit-reset', `${state.reset}`)
      }
      exchange.surface = 'api'
      exchange.route = known.route
      response.writeHead(isNew ? 200 : 304, headers)
      response.end(isNew ? known.bytes : undefined)
      return true
    },
    isAskedAgain(exchange) {
      const key = keyOfExchange(exchange)
      return key !== undefined && key.length <= longestKey && asked.saw(key)
    },
    keep(exchange, { commitVersion, credential, headers, bytes, etag }) {
      const key = keyOfExchange(exchange)
      const size = Buffer.byteLength(bytes)
      if (key === undefined || size > largestBytes) return
      cached.set(
        key,
        {
          ...{ commitVersion, credential, bytes, etag },
          until: performance.now() + keepMilliseconds,
          headers: [...headers, 'content-length', String(size)],
          held: headers.filter((_, i) => !/^content-(?:type|encoding)$/.test(headers[i - (i % 2)] ?? '')),
          route: exchange.route,
        },
        size + 500,
      )
    },
  }
}

/** How many addresses are remembered as asked for lately, and how long they are at most. */
const mostAsked = 2000
const longestKey = 1000

/** Texts that were met lately: at least so many of the last ones, at most twice as many. */
class Recent {
  readonly #most: number
  #now = new Set<string>()
  #before = new Set<string>()

  constructor(most: number) {
    this.#most = most
  }

  /** Whether it was met before; from now on it was. */
  saw(text: string): boolean {
    const isKnown = this.#now.has(text) || this.#before.has(text)
    if (this.#now.size >= this.#most) {
      this.#before = this.#now
      this.#now = new Set()
    }
    this.#now.add(text)
    return isKnown
  }
}

/** The same address, secret and encoding. The first two are as the caller spelled them: another spelling is another key. */
function keyOf({ method, url }: IncomingMessage, headers: RequestHeaders, shownBy: ShownReader): string | undefined {
  if (method !== 'GET' || headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined)
    return undefined
  const secret = secretShown(shownBy(method, headers))
  return secret === undefined ? undefined : `${secret}\n${encodingFor(headers['accept-encoding']) ?? ''}\n${url}`
}
