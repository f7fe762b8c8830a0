/**
 * Answers to reads, kept while the database stays as it was.
 *
 * Most reads are repeated before anything has changed. The database's mark changes with every commit, also of another
 * process, so an answer made after asking for the mark is right for as long as the mark stands: it is sent again as it
 * is, before routing, to whoever asks for the same address with the same credential. Where the engine has no mark nothing is
 * kept.
 *
 * What a caller notices is the same on both ways: rate limits, request ids, ETag and 304, metrics.
 */

import type { IncomingMessage, ServerResponse } from 'node:http'
import { defineCache } from '../core/caches.ts'
import type { Database } from '../store/database.ts'
import { secretShown } from './authenticate.ts'
import { isHeld } from './etag.ts'
import type { RateLimit } from './rate-limit.ts'
import { requestIdOf } from './request-id.ts'
import type { RequestSeconds, Series } from './request-seconds.ts'
import { type Said, saidIn } from './said.ts'
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
  whole: Series
  notModified: Series
}

export interface Printed {
  bytes: string | Buffer
  etag: string
}

export interface Answers {
  /** Answers from what is kept; false when the request has to go the long way. */
  answer(request: IncomingMessage, said: Said, response: ServerResponse): boolean
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
  seconds: RequestSeconds
  isDraining: () => boolean
  shownBy: ShownReader
}): Answers {
  const { db, limit, seconds } = parts
  const kept = answersIn(db.caches)

  return {
    answer(request, said, response) {
      const key = keyOf(request, said, parts.shownBy)
      const known = key === undefined ? undefined : kept.get(key)
      if (!known) return false
      const started = performance.now()
      if (known.until < started || known.mark !== db.mark() || parts.isDraining()) return false
      const isNew = !isHeld(said['if-none-match'], known.etag)
      const headers = (isNew ? known.headers : known.held).slice()
      headers.push('x-request-id', requestIdOf(said['x-request-id']))
      if (!limit.isOff) {
        const standing = limit.take(known.credential)
        if (standing.exceeded) return false
        headers.push('x-ratelimit-limit', `${standing.limit}`, 'x-ratelimit-remaining', `${standing.remaining}`)
        headers.push('x-ratelimit-reset', `${standing.reset}`)
      }
      response.writeHead(isNew ? 200 : 304, headers)
      response.end(isNew ? known.bytes : undefined)
      ;(isNew ? known.whole : known.notModified).observe((performance.now() - started) / 1000)
      return true
    },
    keep(request, { mark, credential, route, headers, bytes, etag }) {
      const key = keyOf(request, saidIn(request), parts.shownBy)
      const size = Buffer.byteLength(bytes)
      if (key === undefined || size > largestBytes) return
      kept.set(
        key,
        {
          ...{ mark, credential, bytes, etag },
          until: performance.now() + keepMilliseconds,
          headers: [...headers, 'content-length', String(size)],
          held: headers.filter((_, i) => headers[i - (i % 2)] !== 'content-type'),
          whole: seconds.series('GET', route, 200),
          notModified: seconds.series('GET', route, 304),
        },
        size + 500,
      )
    },
  }
}

/** The same address and the same secret. Both are as the caller spelled them: another spelling is another key. */
function keyOf({ method, url }: IncomingMessage, said: Said, shownBy: ShownReader): string | undefined {
  if (method !== 'GET' || said['content-length'] !== undefined || said['transfer-encoding'] !== undefined)
    return undefined
  const secret = secretShown(shownBy(method, said))
  return secret === undefined ? undefined : `${secret}\n${url}`
}
