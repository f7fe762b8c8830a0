/** Bodies of JSON as they come by a socket: in parts, too much, not to their end, many at once. */
import { once } from 'node:events'
import { type ClientRequest, type IncomingMessage, request as sendRequest } from 'node:http'
import type { AddressInfo } from 'node:net'
import fastify from 'fastify'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { acceptOnlyJson } from '../../src/http/api/json-body.ts'
import { errorOf } from '../../src/http/edge/errors.ts'
import { ByteParts } from '../../src/threads/byte-parts.ts'
import { Threads } from '../../src/threads/supervisor.ts'

const MiB = 1024 * 1024
const threads = new Threads()
const app = fastify()
/** Bodies that have come to a handler, and those that the server let go of before. */
let handled: unknown[] = []
let refused = 0

beforeAll(async () => {
  acceptOnlyJson(app, threads, 16 * MiB)
  app.setErrorHandler((error, _request, reply) => {
    refused += 1
    const { status, code } = errorOf(error)
    return reply.code(status).send({ code })
  })
  app.post('/', async ({ body }) => {
    handled.push(body)
    return { code: 'taken' }
  })
  await app.listen({ port: 0, host: '127.0.0.1' })
})
afterAll(async () => {
  await app.close()
  await threads.close()
})

function begin(headers: Record<string, string> = {}): ClientRequest {
  const { port } = app.server.address() as AddressInfo
  const sending = sendRequest({ port, method: 'POST', headers: { 'content-type': 'application/json', ...headers } })
  sending.on('error', () => {})
  return sending
}

async function answerTo(sending: ClientRequest): Promise<string> {
  const [answer] = (await once(sending, 'response')) as [IncomingMessage]
  let text = ''
  for await (const part of answer) text += part
  return `${answer.statusCode} ${JSON.parse(text).code}`
}

async function send(body: string | Buffer, headers?: Record<string, string>): Promise<string> {
  handled = []
  const sending = begin(headers)
  const answer = answerTo(sending)
  sending.end(body)
  return answer
}

/** Sends a beginning, and waits until the server has read all of it. */
async function sendBeginning(bytes: number): Promise<ClientRequest> {
  const read = countRead()
  const sending = begin({ 'transfer-encoding': 'chunked' })
  sending.write(`"${'x'.repeat(bytes - 1)}`)
  await vi.waitUntil(() => read() >= bytes, { timeout: 60_000 })
  return sending
}

function countRead(): () => number {
  let bytes = 0
  app.server.once('request', (request: IncomingMessage) => {
    const { push } = request
    request.push = (piece, encoding) => {
      bytes += piece?.length ?? 0
      return push.call(request, piece, encoding)
    }
  })
  return () => bytes
}

describe('a large body', () => {
  test('arrives whole, wherever its characters are cut', async () => {
    for (const before of ['', 'a', 'ab', 'abc']) {
      const text = `${before}${'é€😀'.repeat(40_000)}`
      expect(await send(JSON.stringify({ text }))).toBe('200 taken')
      expect(handled).toEqual([{ text }])
    }
    const many = Array.from({ length: 60_000 }, (_, i) => ({ [`é${i}`]: '😀' }))
    expect(await send(JSON.stringify(many))).toBe('200 taken')
    expect(handled).toEqual([many])
  })

  test('is held against the rules of any body', async () => {
    const text = JSON.stringify('x'.repeat(MiB))
    expect(await send(`[${text}`)).toBe('400 malformed_json')
    expect(await send(`\ufeff${text}`)).toBe('400 malformed_json')
    expect(await send(Buffer.concat([Buffer.from(text.slice(0, -1)), Buffer.from([0xff, 0x22])]))).toBe('200 taken')
    expect(String(handled[0]).at(-1)).toBe('\ufffd')
    expect(await send(`{"a":${text},"__proto__":{"b":1}}`)).toBe('200 taken')
    expect(Object.keys(handled[0] as object)).toEqual(['a'])
    const values = `[${'1,'.repeat(200_000)}{"__proto__":{"b":1}}]`
    expect(await send(values)).toBe('200 taken')
    expect((handled[0] as unknown[]).at(-1)).toEqual({})
  })

  test('has the length that it said', async () => {
    const payload = JSON.stringify('x'.repeat(MiB))
    for (const length of [payload.length - 1, payload.length + 1]) {
      const headers = { 'content-type': 'application/json', 'content-length': String(length) }
      expect((await app.inject({ method: 'POST', url: '/', payload, headers })).statusCode).toBe(400)
    }
  })

  test('is refused when it says that it is too large, and when it becomes so', async () => {
    const saying = begin({ 'content-length': String(11 * MiB) })
    saying.flushHeaders()
    expect(await answerTo(saying)).toBe('413 too_large')
    saying.destroy()
    const becoming = begin({ 'transfer-encoding': 'chunked' })
    const answer = answerTo(becoming)
    becoming.write(Buffer.alloc(11 * MiB, ' '))
    expect(await answer).toBe('413 too_large')
    becoming.destroy()
    expect(await send('{}')).toBe('200 taken')
  })
})

describe('many large bodies', () => {
  test('share the room there is, and give it back however they end', async () => {
    const ends: ((sending: ClientRequest) => Promise<unknown>)[] = [
      async (sending) => {
        const before = refused
        sending.destroy()
        await vi.waitUntil(() => refused > before, { timeout: 60_000 })
      },
      async (sending) => {
        const answer = answerTo(sending)
        sending.write('x'.repeat(3 * MiB))
        expect(await answer).toBe('413 too_large')
        sending.destroy()
      },
      async (sending) => {
        const answer = answerTo(sending)
        sending.end('')
        expect(await answer).toBe('400 malformed_json')
      },
      async (sending) => {
        const answer = answerTo(sending)
        sending.end('"')
        expect(await answer).toBe('200 taken')
      },
    ]
    const large = JSON.stringify('x'.repeat(9 * MiB))
    for (const end of ends) {
      const sending = await sendBeginning(8 * MiB)
      expect(await send(large)).toBe('503 overloaded')
      // Small ones need no room.
      expect(await send('{"small":true}')).toBe('200 taken')
      await end(sending)
      expect(await send(large)).toBe('200 taken')
    }
  })

  test('come to no thread before they are whole', async () => {
    const before = threads.list()
    const sending = await sendBeginning(2 * MiB)
    expect(threads.list()).toEqual(before)
    const count = refused
    sending.destroy()
    await vi.waitUntil(() => refused > count, { timeout: 60_000 })
    expect(threads.list()).toEqual(before)
  })
})

test('pieces of a byte take no more memory than their bytes', () => {
  const bytes = new ByteParts()
  for (let i = 0; i < 300_000; i++) bytes.add(Uint8Array.of(i % 251))
  expect(bytes.length).toBe(300_000)
  const { parts, transfer } = bytes.take()
  expect(transfer.reduce((sum, { byteLength }) => sum + byteLength, 0)).toBeLessThan(450_000)
  expect(Buffer.concat(parts).equals(Buffer.from(Array.from({ length: 300_000 }, (_, i) => i % 251)))).toBe(true)
  expect([bytes.length, bytes.take().parts]).toEqual([0, []])
})
