/**
 * Whatever goes wrong, answered in one way on every surface: as a page for people, as JSON for programs. Which of the two
 * it is depends on what the address is for and on what the request accepts.
 */
import { ApiError, fail } from '../../core/errors.ts'
import { errorPage } from './error-page.ts'
import type { Exchange, Surface } from './exchange.ts'
import { languageFor } from './language.ts'

/** The largest JSON body: fifty changes with pages of text. */
export const bodyLimit = 10 * 1024 * 1024

/** Whatever was thrown, as one of our codes; nothing internal gets out. */
export function errorOf(error: unknown): ApiError {
  if (error instanceof ApiError) return error
  const status = (error as { statusCode?: number }).statusCode
  if (status === 413) return fail('too_large', `The body is larger than ${bodyLimit / 1024 / 1024} MiB.`)
  if (status === 415) return fail('unsupported_media')
  if (status === 503) return fail('overloaded')
  if (status !== undefined && status >= 400 && status < 500) return fail('invalid_input')
  return fail('internal_error')
}

/** Overload is counted, not logged: a server that cannot keep up must not write a line for each it turns away. */
export const isWorthLogging = ({ status, code }: ApiError): boolean => status >= 500 && code !== 'overloaded'

export interface ErrorAnswer {
  status: number
  headers: Record<string, string>
  body: string
}

export function answerError(exchange: Pick<Exchange, 'request' | 'headers' | 'surface' | 'id'>, error: ApiError) {
  const { request, surface, id } = exchange
  const { headers, body } = isForPeople(surface, exchange.headers.accept)
    ? errorPage(error, {
        isReading: request.method === 'GET' || request.method === 'HEAD',
        requestId: id,
        // Readers of a site have its language, which nobody knows here.
        language: surface === 'site' ? 'en' : languageFor(exchange.headers),
      })
    : { headers: surface === 'api' || surface === 'stream' ? jsonHeaders : unstored, body: errorJson(error, id) }
  const answer: ErrorAnswer = { status: error.status, headers: { ...headers }, body }
  const seconds = error.retryAfter ?? (error.status === 503 ? 1 : undefined)
  if (seconds !== undefined) answer.headers['retry-after'] = String(seconds)
  if (error.status === 401) answer.headers['www-authenticate'] = 'Bearer'
  return answer
}

const jsonHeaders = { 'content-type': 'application/json; charset=utf-8' }
/** Nobody on the way keeps what an address for readers answered to one of them. */
const unstored = { ...jsonHeaders, 'cache-control': 'private, no-store' }

export const errorJson = (error: ApiError, requestId: string): string =>
  JSON.stringify({
    error: {
      code: error.status,
      message: error.message,
      type: error.code,
      ...(error.details.length > 0 ? { details: error.details } : {}),
      requestId,
    },
  })

function isForPeople(surface: Surface, accept = ''): boolean {
  if (surface === 'api' || surface === 'stream' || surface === 'operations') return false
  if (accept.includes('text/html')) return true
  // Sites and sign-in are pages, unless a program says that it reads something else.
  return (surface === 'site' || surface === 'signin') && !accept.includes('json')
}
