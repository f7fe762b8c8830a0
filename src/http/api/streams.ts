/**
 * Answers that go on: `text/event-stream`.
 *
 * 1. A stream ends when its reader leaves, when their credential is no longer good, when they do not read what they are
 *    sent, and when the server stops: readers come again with `Last-Event-ID`, to another process if there is one.
 * 2. How many one credential and the process hold open is limited.
 */
import type { ServerResponse } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { ApiError } from '../../core/errors.ts'
import { keyOfCredential } from '../../domain/actor.ts'

const mostOfOne = 30
const mostOfAll = 5000
const checkMilliseconds = 1000

interface Sent {
  event: string
  id?: string | undefined
  data: unknown
}

export interface Streams {
  /** Counts one more stream for the request; its signal is aborted when the stream is to end. */
  open(request: FastifyRequest): AbortController
  /** Writes events until there are none any more. */
  send(reply: FastifyReply, events: AsyncIterable<Sent>, options: Sending): Promise<void>
  /** Ends all of them. */
  end(): void
}

interface Sending {
  abort: AbortController
  /** Whether whoever asked may still be answered. */
  isStillGood: () => Promise<boolean>
}

export function makeStreams(): Streams {
  const open = new Map<AbortController, string>()
  return {
    open(request) {
      const key = request.actor ? keyOfCredential(request.actor.credential) : ''
      const own = [...open.values()].filter((other) => other === key).length
      if (own >= mostOfOne || open.size >= mostOfAll)
        throw new ApiError('rate_limited', { message: `At most ${mostOfOne} streams at a time.`, retryAfter: 10 })
      const abort = new AbortController()
      open.set(abort, key)
      const close = () => {
        open.delete(abort)
        abort.abort()
      }
      request.raw.socket.once('close', close)
      abort.signal.addEventListener('abort', () => {
        open.delete(abort)
        request.raw.socket.off('close', close)
      })
      return abort
    },
    async send(reply, events, { abort, isStillGood }) {
      const { raw } = reply
      reply.hijack()
      for (const [name, value] of Object.entries(reply.getHeaders()))
        if (value !== undefined) raw.setHeader(name, value)
      raw.writeHead(200, {
        'content-type': 'text/event-stream; charset=utf-8',
        'cache-control': 'no-cache, no-transform',
        'x-accel-buffering': 'no',
      })
      raw.flushHeaders()
      let checked = performance.now()
      try {
        for await (const event of events) {
          if (abort.signal.aborted) break
          if (performance.now() - checked > checkMilliseconds) {
            if (!(await isStillGood())) break
            checked = performance.now()
          }
          if (!raw.write(textOf(event))) await drained(raw, abort.signal)
        }
      } catch {
        // The status is sent already: the end of the stream says that something went wrong, and the reader comes again.
      } finally {
        abort.abort()
        raw.end()
      }
    },
    end() {
      for (const abort of [...open.keys()]) abort.abort()
    },
  }
}

function textOf({ event, id, data }: Sent): string {
  const head = id === undefined ? '' : `id: ${id}\n`
  // A comment keeps proxies from ending a quiet stream; the id moves on over what the reader may not see.
  return event === 'beat' ? `:\n${head}\n` : `${head}event: ${event}\ndata: ${JSON.stringify(data)}\n\n`
}

const drained = (raw: ServerResponse, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const done = () => {
      raw.off('drain', done)
      raw.off('close', done)
      signal.removeEventListener('abort', done)
      resolve()
    }
    raw.once('drain', done)
    raw.once('close', done)
    signal.addEventListener('abort', done)
  })
