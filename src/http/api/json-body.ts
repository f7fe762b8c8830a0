/**
 * JSON as the body of a request, from its first byte to its value.
 *
 * 1. No step on the event loop grows with the body: what has come of a large one lies in parts, which go to a thread as
 *    they are.
 * 2. What all large bodies take together is bounded: who comes when there is no room is told to come again.
 * 3. What has come of a body that ends early (too large, too slow, called off) is let go.
 */
import type { IncomingMessage } from 'node:http'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { fail } from '../../core/errors.ts'
import { ByteParts } from '../../threads/byte-parts.ts'
import type { Threads } from '../../threads/supervisor.ts'
import { bodyLimit } from '../edge/errors.ts'
import { parseJson } from './json.ts'
import { parseLargeJson } from './json-aside.ts'

/** Reading more than this takes some milliseconds. */
export const smallJson = 256 * 1024

/** How long a body may take to arrive, unless it is an upload. */
export const bodyMilliseconds = 60_000

/** All large bodies together that are on their way or being read. */
const largeBodies = 256 * 1024 * 1024

/** JSON as the body of anything but an upload; it is parsed with the limits of json.ts. */
export function acceptOnlyJson(app: FastifyInstance, threads: Threads, most = largeBodies): void {
  const room = new Room(most)
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', async (_request: unknown, payload: IncomingMessage) => {
    const body = new ReceivedBody(room)
    try {
      await receive(payload, body)
      return await body.parse(threads)
    } finally {
      body.release()
    }
  })
  // Many clients name a type for the body that they do not send.
  app.addContentTypeParser('*', async ({ headers }: FastifyRequest, _payload: unknown) => {
    const isNone = headers['transfer-encoding'] === undefined && Number(headers['content-length'] ?? 0) === 0
    if (!isNone) throw fail('unsupported_media')
  })
}

/**
 * The JSON of a body whose declared length is small. Not always a promise: mostly it has come together with the headers, and
 * is at hand.
 */
export function receiveSmall(payload: IncomingMessage): unknown {
  if (!hasCome(payload)) return receiveSlowly(payload)
  const bytes: Buffer | null = payload.read()
  // Where its end was not read yet, nothing else would read it.
  if (!payload.complete) payload.resume()
  return parseSmall(bytes)
}

/** Node calls others between the last bytes of a body and its end: what was declared may be there before it is complete. */
const hasCome = ({ complete, readableLength, headers }: IncomingMessage): boolean =>
  complete || (readableLength > 0 && readableLength === Number(headers['content-length']))

async function receiveSlowly(payload: IncomingMessage): Promise<unknown> {
  const body = new ReceivedBody(new Room(0))
  let clock: NodeJS.Timeout | undefined
  try {
    const late = new Promise<never>((_, reject) => {
      clock = setTimeout(() => reject(arrivedLate()), bodyMilliseconds)
    })
    await Promise.race([receive(payload, body), late])
    return body.parseHere()
  } finally {
    clearTimeout(clock)
  }
}

const parseSmall = (bytes: Buffer | null): unknown => (bytes === null ? undefined : parseJson(bytes.toString()))

export const arrivedLate = () => fail('invalid_input', 'The body did not arrive within 60 seconds.')

/** What is left of a number of bytes that many share. */
class Room {
  #left: number

  constructor(bytes: number) {
    this.#left = bytes
  }

  take(bytes: number): void {
    if (bytes > this.#left) throw fail('overloaded')
    this.#left -= bytes
  }

  give(bytes: number): void {
    this.#left += bytes
  }
}

/** What has come of a body: a few pieces as they came, or more in parts that can be handed on. */
class ReceivedBody {
  readonly #room: Room
  #pieces: Uint8Array[] = []
  #large: ByteParts | undefined
  #taken = 0
  length = 0

  constructor(room: Room) {
    this.#room = room
  }

  add(piece: Uint8Array): void {
    this.length += piece.length
    if (this.length > bodyLimit) throw tooLarge()
    if (this.length <= smallJson) {
      this.#pieces.push(piece)
      return
    }
    this.#room.take(this.length - this.#taken)
    this.#taken = this.length
    this.#large ??= new ByteParts()
    for (const earlier of this.#pieces.splice(0)) this.#large.add(earlier)
    this.#large.add(piece)
  }

  async parse(threads: Threads): Promise<unknown> {
    if (this.#large) return parseLargeJson(threads, this.#large)
    return this.parseHere()
  }

  /** Of one that is small. */
  parseHere(): unknown {
    return parseSmall(this.length === 0 ? null : Buffer.concat(this.#pieces))
  }

  release(): void {
    this.#room.give(this.#taken)
    this.#taken = 0
    this.#pieces = []
    this.#large = undefined
  }
}

/**
 * Ends with the body, or with what is wrong with it. By events, because leaving a loop over a stream destroys it, and with
 * it the connection: whoever sent too much would not read why.
 */
function receive(payload: IncomingMessage, body: ReceivedBody): Promise<void> {
  const declared = payload.headers['content-length']
  if (declared !== undefined && Number(declared) > bodyLimit) throw tooLarge()
  return new Promise((resolve, reject) => {
    // Whoever called it off while we found out who they are has no end to send.
    if (payload.destroyed) return reject(endedEarly())
    const stop = (): void => {
      payload.off('data', onData).off('end', onEnd).off('error', onError).off('close', onError)
    }
    const onData = (piece: Uint8Array): void => {
      try {
        body.add(piece)
      } catch (error) {
        stop()
        reject(error)
      }
    }
    const onEnd = (): void => {
      stop()
      if (declared === undefined || Number(declared) === body.length) resolve()
      else reject(fail('invalid_input', 'The body is not as long as Content-Length says.'))
    }
    const onError = (): void => {
      stop()
      reject(endedEarly())
    }
    payload.on('data', onData).once('end', onEnd).once('error', onError).once('close', onError)
    payload.resume()
  })
}

const endedEarly = () => fail('invalid_input', 'The body ended early.')
const tooLarge = () => fail('too_large', `The body is larger than ${bodyLimit / 1024 / 1024} MiB.`)
