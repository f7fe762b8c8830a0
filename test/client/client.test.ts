/** The client as the package ships it: the built file, over a real socket. */
import { readFileSync } from 'node:fs'
import { createServer, type Server as HttpServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type * as Lectern from '../../src/client/index.ts'
import { sqlite } from '../kit/backends.ts'
import { useKit } from '../kit/server.ts'

const file = new URL('../../dist/client/index.js', import.meta.url)
const { connect, newIdempotencyKey, streamEvents, StreamRefused, CallFailed }: typeof Lectern = await import(file.href)

describe('against a server', () => {
  const kit = useKit(sqlite)
  let url = ''
  beforeAll(async () => {
    url = await kit.server.app.listen({ port: 0, host: '127.0.0.1' })
  })

  test('brings no validator along', () => {
    const text = readFileSync(fileURLToPath(file), 'utf8')
    expect(text.length).toBeLessThan(60_000)
    expect(text).not.toMatch(/ZodObject/)
  })

  test('answers with bodies, and with headers when asked', async () => {
    const lectern = connect({ url, token: kit.people.admin.token })
    const {
      body: space,
      headers,
      status,
    } = await lectern.createSpace.withHeaders({
      organizationId: kit.organization,
      body: { title: 'Handbook' },
    })
    expect(status).toBe(201)
    expect(headers.location).toMatch(new RegExp(`/v1/spaces/${space.id}$`))
    const read = await lectern.getSpaceById.withHeaders({ spaceId: space.id })
    expect(read.headers.etag).toMatch(/^"/)
    const ifMatch = read.headers.etag ?? ''
    await lectern.updateSpaceById({ spaceId: space.id, body: { title: 'Manual' }, ifMatch })
    await expect(
      lectern.updateSpaceById({ spaceId: space.id, body: { title: 'Lost' }, ifMatch }),
    ).rejects.toMatchObject({ status: 412 })
  })

  test('sends every POST with a key, so that a repeated one has no second effect', async () => {
    const keys: (string | null)[] = []
    const watched: typeof fetch = (input, init) => {
      keys.push(new Headers(init?.headers).get('idempotency-key'))
      return fetch(input, init)
    }
    const lectern = connect({ url, token: kit.people.admin.token, fetch: watched })
    const input = { organizationId: kit.organization, body: { title: 'Twice' } }
    await lectern.createSpace(input)
    await lectern.createSpace(input)
    expect(keys[0]).toMatch(/^[0-9a-f]{32}$/)
    expect(keys[1]).not.toBe(keys[0])
    const idempotencyKey = newIdempotencyKey()
    const first = await lectern.createSpace({ ...input, idempotencyKey })
    const second = await lectern.createSpace({ ...input, idempotencyKey })
    expect(second.id).toBe(first.id)
  })

  test('throws refusals and gives up when told to', async () => {
    const lectern = connect({ url })
    await expect(lectern.getAuthenticatedUser()).rejects.toBeInstanceOf(CallFailed)
    await expect(lectern.getAuthenticatedUser({ signal: AbortSignal.abort() })).rejects.toMatchObject({
      name: 'AbortError',
    })
  })
})

describe('event streams', () => {
  let server: HttpServer
  let url = ''
  let answer: (request: IncomingMessage, response: ServerResponse) => void = () => {}
  beforeAll(async () => {
    server = createServer((request, response) => answer(request, response))
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  })
  afterAll(() => server.close())

  test('are put together from whatever pieces arrive, and picked up again where they broke', async () => {
    const asked: (string | undefined)[] = []
    answer = async (request, response) => {
      asked.push(request.headers['last-event-id'] as string | undefined)
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      if (asked.length === 1) {
        const text =
          ': hello\n\nid: 1\r\nevent: content\r\ndata: {"a":\r\ndata: "ä"}\r\n\r\nid: 2\ndata: two\n\nid: 3\ndata: half'
        for (const byte of Buffer.from(text)) response.write(Buffer.from([byte]))
        setTimeout(() => response.destroy(), 50)
      } else response.write('id: 3\ndata: three\n\n')
    }
    const stop = new AbortController()
    const seen: unknown[] = []
    for await (const event of streamEvents({ url, path: '/events', signal: stop.signal })) {
      seen.push(event)
      if (seen.length === 3) stop.abort()
    }
    expect(seen).toEqual([
      { id: '1', event: 'content', data: '{"a":\n"ä"}' },
      { id: '2', event: 'message', data: 'two' },
      { id: '3', event: 'message', data: 'three' },
    ])
    expect(asked).toEqual([undefined, '2'])
  })

  test('that are refused end with the status', async () => {
    answer = (_request, response) => response.writeHead(403).end()
    await expect(streamEvents({ url, path: '/events' }).next()).rejects.toBeInstanceOf(StreamRefused)
  })
})
