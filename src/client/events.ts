/**
 * Reads a `text/event-stream` over `fetch`, in a browser or in Node, and picks it up again where it broke.
 *
 * Unlike `EventSource` it can send headers, so that a token works as well as a cookie.
 */
import type { HttpOptions } from './http.ts'

export interface ServerEvent {
  id: string
  /** The kind of event; `message` when the server names none. */
  event: string
  data: string
}

export interface EventStreamOptions extends Pick<HttpOptions, 'url' | 'token' | 'fetch' | 'headers'> {
  /** Path and query behind `url`, such as `/v1/spaces/abc/events`. */
  path: string
  /** The last event that is known already: the stream goes on behind it. */
  lastEventId?: string | undefined
  signal?: AbortSignal | undefined
  /** Told when the connection is there or lost. */
  onConnection?: (isOpen: boolean) => void
}

/** The stream was refused: asking again the same way will not help. */
export class StreamRefused extends Error {
  override name = 'StreamRefused'
  readonly status: number

  constructor(status: number) {
    super(`The server answered ${status} instead of a stream.`)
    this.status = status
  }
}

const firstWait = 500
const longestWait = 30_000
/** A line that never ends is no event. */
const longestEvent = 4 * 1024 * 1024

/** All events until `signal` says stop. A lost connection is opened again, later each time it fails. */
export async function* streamEvents(options: EventStreamOptions): AsyncGenerator<ServerEvent, void> {
  const { signal, onConnection } = options
  let lastEventId = options.lastEventId
  let wait = firstWait
  while (!signal?.aborted) {
    try {
      const body = await openStream(options, lastEventId)
      onConnection?.(true)
      for await (const event of readEvents(body)) {
        wait = firstWait
        if (event.id !== '') lastEventId = event.id
        yield event
      }
    } catch (error) {
      if (signal?.aborted) return
      if (error instanceof StreamRefused && !isPassing(error.status)) throw error
    } finally {
      onConnection?.(false)
    }
    await sleep(wait * (0.75 + Math.random() / 2), signal)
    wait = Math.min(wait * 2, longestWait)
  }
}

const isPassing = (status: number): boolean => status === 429 || status >= 500

async function openStream(
  { url, path, token, headers, signal, fetch: send = (input, init) => fetch(input, init) }: EventStreamOptions,
  lastEventId: string | undefined,
): Promise<ReadableStream<Uint8Array>> {
  const response = await send(`${url.replace(/\/+$/, '')}${path}`, {
    headers: {
      ...headers,
      accept: 'text/event-stream',
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...(lastEventId === undefined ? {} : { 'last-event-id': lastEventId }),
    },
    ...(signal ? { signal } : {}),
  })
  if (!response.ok || !response.body) {
    await response.body?.cancel()
    throw new StreamRefused(response.status)
  }
  return response.body
}

/** The events in a stream of bytes, as the HTML standard says they are written. */
async function* readEvents(body: ReadableStream<Uint8Array>): AsyncGenerator<ServerEvent, void> {
  const reader = body.getReader()
  const decoder = new TextDecoder()
  let held = ''
  let rest = ''
  let id = ''
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      const text = held + decoder.decode(value, { stream: true })
      // A carriage return at the end may be the first half of a line end.
      held = text.endsWith('\r') ? '\r' : ''
      rest += text.slice(0, text.length - held.length).replace(/\r\n?/g, '\n')
      if (rest.length > longestEvent) throw new Error('The stream holds an event that is too long.')
      const blocks = rest.split('\n\n')
      rest = blocks.pop() ?? ''
      for (const block of blocks) {
        const event = parseEvent(block)
        if (event.id !== undefined) id = event.id
        if (event.data !== undefined) yield { id, event: event.event ?? 'message', data: event.data }
      }
    }
  } finally {
    await reader.cancel().catch(() => {})
  }
}

function parseEvent(block: string): { id?: string; event?: string; data?: string } {
  const found: { id?: string; event?: string; data?: string } = {}
  for (const line of block.split('\n')) {
    const [, name, value = ''] = /^([^:]*)(?:: ?(.*))?$/s.exec(line) ?? []
    if (name === 'data') found.data = found.data === undefined ? value : `${found.data}\n${value}`
    if (name === 'event') found.event = value
    if (name === 'id' && !value.includes('\0')) found.id = value
  }
  return found
}

const sleep = (milliseconds: number, signal: AbortSignal | undefined): Promise<void> =>
  new Promise((resolve) => {
    const timer = setTimeout(done, milliseconds)
    function done(): void {
      clearTimeout(timer)
      signal?.removeEventListener('abort', done)
      resolve()
    }
    signal?.addEventListener('abort', done)
  })
