/** Carries calls over the network, from a browser or from Node. */
import type { ErrorCode } from '../core/errors.ts'
import { type Answered, type AnswerHeaders, type Call, CallFailed, type Transport } from './client.ts'

export interface HttpOptions {
  /** Where the server is reached, without `/v1`. */
  url: string
  token?: string | undefined
  fetch?: typeof fetch
  /** How many milliseconds an answer may take. */
  timeout?: number
  /** Sent with every call. */
  headers?: Readonly<Record<string, string>>
}

export const httpTransport =
  ({
    url,
    token,
    fetch: send = (input, init) => fetch(input, init),
    timeout = 60_000,
    headers,
  }: HttpOptions): Transport =>
  async (given) => {
    const call = withKey(given)
    for (let attempt = 1; ; attempt++) {
      const limit = AbortSignal.timeout(timeout)
      const response = await send(`${url.replace(/\/+$/, '')}${addressOf(call)}`, {
        method: call.operation.method,
        headers: { ...headers, ...headersOf(call, token) },
        ...(call.body === undefined ? {} : { body: payloadOf(call.body) }),
        signal: call.signal ? AbortSignal.any([call.signal, limit]) : limit,
      })
      const text = await response.text()
      try {
        return answerOf(response.status, text, (name) => response.headers.get(name) ?? undefined)
      } catch (error) {
        if (!isUnknown(error) || call.idempotencyKey === undefined || attempt === attempts) throw error
        await new Promise((resolve) => setTimeout(resolve, 500 * attempt))
      }
    }
  }

/** How often a POST is sent whose outcome the server itself does not know. */
const attempts = 4

const isUnknown = (error: unknown): boolean => error instanceof CallFailed && error.type === 'outcome_unknown'

/** Every POST carries a key, so that it can be repeated when nobody knows whether it happened. */
const withKey = (call: Call): Call =>
  call.operation.method === 'POST' && call.idempotencyKey === undefined
    ? { ...call, idempotencyKey: newIdempotencyKey() }
    : call

// Not `randomUUID`, which browsers offer on https only.
export const newIdempotencyKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('')

/** Files go as the form they are in, everything else as JSON. */
export const payloadOf = (body: unknown): FormData | string => (body instanceof FormData ? body : JSON.stringify(body))

/** Path and query of a call; arrays are repeated keys, what is undefined is left out. */
export function addressOf({ operation, params, query }: Call): string {
  const path = operation.path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = params[name]
    if (value === undefined) throw new Error(`${operation.method} ${operation.path} needs ${name}.`)
    // A path of pages keeps its slashes; everywhere else a slash belongs to the value.
    return name === 'pagePath' ? value.split('/').map(encodeURIComponent).join('/') : encodeURIComponent(value)
  })
  const pairs = Object.entries(query).flatMap(([name, value]) =>
    (Array.isArray(value) ? value : [value])
      .filter((item) => item !== undefined)
      .map((item) => `${encodeURIComponent(name)}=${encodeURIComponent(String(item))}`),
  )
  return pairs.length === 0 ? path : `${path}?${pairs.join('&')}`
}

export const headersOf = (call: Call, token: string | undefined): Record<string, string> => ({
  accept: 'application/json',
  ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
  // A form names its own boundary.
  ...(call.body === undefined || call.body instanceof FormData ? {} : { 'content-type': 'application/json' }),
  ...(call.ifMatch === undefined ? {} : { 'if-match': call.ifMatch }),
  ...(call.idempotencyKey === undefined ? {} : { 'idempotency-key': call.idempotencyKey }),
})

/** The success, or the failure thrown. A proxy in between may answer with something that is not ours. */
export function answerOf(status: number, text: string, header: (name: string) => string | undefined): Answered {
  const body = parsed(text)
  if (status >= 200 && status < 300) return { status, body, headers: headersIn(header) }
  const error = (body as { error?: Record<string, unknown> } | undefined)?.error
  throw new CallFailed({
    status,
    type: (typeof error?.type === 'string' ? error.type : 'internal_error') as ErrorCode,
    message: typeof error?.message === 'string' ? error.message : `The server answered ${status}.`,
    details: Array.isArray(error?.details) ? error.details : undefined,
    requestId: typeof error?.requestId === 'string' ? error.requestId : undefined,
  })
}

const headersIn = (header: (name: string) => string | undefined): AnswerHeaders => ({
  etag: header('etag'),
  location: header('location'),
  requestId: header('x-request-id'),
})

function parsed(text: string): unknown {
  if (text === '') return undefined
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
