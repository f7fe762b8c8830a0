/**
 * Answers to reads, kept while the database stays as it was.
 *
 * Most reads are repeated before anything has changed. The database's mark changes with every commit, also of another
 * process, so an answer made after asking for the mark is right for as long as the mark stands: it is sent again as it
 * is, before routing, to whoever asks for the same address with the same credential. Where the engine has no mark nothing is
 * kept.
 *
 * What a caller notices is the same on both ways: rate limits, ETag and 304, encodings; the rest is the edge's.
 */

import type { IncomingMessage } from 'node:http'
import { defineCache } from '../core/caches.ts'
import type { Database } from '../store/database.ts'
import { secretShown } from './authenticate.ts'
import { encodingFor } from './edge/encoding.ts'
import type { Exchange } from './edge/exchange.ts'
import type { RateLimit } from './edge/rate-limit.ts'
import { type RequestHeaders, readHeaders } from './edge/request-headers.ts'
import { isHeld } from './etag.ts'
import type { ShownReader } from './signin/shown.ts'

/** Some answers depend on the time of day (signed addresses, expiry): they are never older than this. */
const keepMilliseconds = 500
const largestBytes = 1024 * 1024

interface Kept {
  mark: number
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
  /** Keeps what was answered to a request with this credential. `mark` was asked for before anything was read. */
  keep(
    request: IncomingMessage,
    answer: Printed & { mark: number; credential: string; route: string | undefined; headers: readonly string[] },
  ): void
}

const answersIn = defineCache<Kept>('answers', { share: 0.05 })

export function makeAnswers(parts: {
  db: Pick<Database, 'mark' | 'caches'>
  limit: RateLimit
  shownBy: ShownReader
}): Answers {
  const { db, limit } = parts
  const kept = answersIn(db.caches)

  return {
    answer(exchange) {
      const { request, headers: asked, response } = exchange
      const key = keyOf(request, asked, parts.shownBy)
      const known = key === undefined ? undefined : kept.get(key)
      if (!known || known.until < exchange.started || known.mark !== db.mark()) return false
      const isNew = !isHeld(asked['if-none-match'], known.etag)
      const headers = (isNew ? known.headers : known.held).slice()
      headers.push('x-request-id', exchange.id)
      if (!limit.isOff) {
        const standing = limit.take(known.credential)
        if (standing.exceeded) return false
        headers.push('x-ratelimit-limit', `${standing.limit}`, 'x-ratelimit-remaining', `${standing.remaining}`)
        headers.push('x-ratelimit-reset', `${standing.reset}`)
      }
      exchange.surface = 'api'
      exchange.route = known.route
      response.writeHead(isNew ? 200 : 304, headers)
      response.end(isNew ? known.bytes : undefined)
      return true
    },
    keep(request, { mark, credential, route, headers, bytes, etag }) {
      const key = keyOf(request, request.exchange?.headers ?? readHeaders(request), parts.shownBy)
      const size = Buffer.byteLength(bytes)
      if (key === undefined || size > largestBytes) return
      kept.set(
        key,
        {
          ...{ mark, credential, bytes, etag },
          until: performance.now() + keepMilliseconds,
          headers: [...headers, 'content-length', String(size)],
          held: headers.filter((_, i) => !/^content-(?:type|encoding)$/.test(headers[i - (i % 2)] ?? '')),
          route: route ?? 'none',
        },
        size + 500,
      )
    },
  }
}

/** The same address, secret and encoding. The first two are as the caller spelled them: another spelling is another key. */
function keyOf({ method, url }: IncomingMessage, headers: RequestHeaders, shownBy: ShownReader): string | undefined {
  if (method !== 'GET' || headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined)
    return undefined
  const secret = secretShown(shownBy(method, headers))
  return secret === undefined ? undefined : `${secret}\n${encodingFor(headers['accept-encoding']) ?? ''}\n${url}`
}
