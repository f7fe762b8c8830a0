/** One request to an engine, and what its failures mean. */
import { cutTo } from '../../core/text.ts'
import { FetchError, type Fetched, type GuardedFetch } from '../fetch.ts'
import { EngineError } from './engine.ts'

export interface Post {
  url: string
  headers?: Record<string, string>
  body: unknown
  signal: AbortSignal
}

/** The answer, read as JSON. */
export async function postJson(fetch: GuardedFetch, { url, headers, body, signal }: Post): Promise<unknown> {
  const answer = await send(fetch, { url, headers: headers ?? {}, body, signal })
  const text = new TextDecoder().decode(answer.bytes)
  if (answer.status >= 300) throw refusal(answer, text)
  try {
    return JSON.parse(text)
  } catch {
    throw new EngineError('unusable', 'The translation engine did not answer with JSON.')
  }
}

async function send(fetch: GuardedFetch, { url, headers, body, signal }: Post): Promise<Fetched> {
  try {
    return await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json', ...headers },
      body: JSON.stringify(body),
      anyStatus: true,
      signal,
    })
  } catch (error) {
    signal.throwIfAborted()
    if (!(error instanceof FetchError)) throw error
    const kind = error.code === 'FETCH_BLOCKED' ? 'refused' : error.code === 'TOO_LARGE' ? 'unusable' : 'busy'
    throw new EngineError(kind, `The translation engine cannot be reached: ${error.message}`)
  }
}

function refusal({ status, headers }: Fetched, text: string): EngineError {
  const isBusy = status === 429 || status === 408 || status >= 500
  return new EngineError(
    isBusy ? 'busy' : 'refused',
    `The translation engine answered ${status}: ${messageIn(text)}`,
    isBusy ? waitIn(headers['retry-after']) : undefined,
  )
}

/** Engines say what is wrong in one of three places. */
function messageIn(text: string): string {
  try {
    const body = JSON.parse(text)
    const message = body?.error?.message ?? body?.error ?? body?.message
    if (typeof message === 'string') return cutTo(message, 300)
  } catch {}
  return cutTo(text, 300).trim() || 'nothing'
}

function waitIn(value: string | undefined): number | undefined {
  if (value === undefined) return undefined
  const milliseconds = /^\d+(\.\d+)?$/.test(value) ? Number(value) * 1000 : Date.parse(value) - Date.now()
  return Number.isFinite(milliseconds) ? Math.max(0, milliseconds) : undefined
}
