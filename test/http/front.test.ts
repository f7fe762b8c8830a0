/** What holds for every request before it is anybody's. */
import { type AddressInfo, connect } from 'node:net'
import { beforeAll, describe, expect, test } from 'vitest'
import { sqlite } from '../kit/backends.ts'
import { useKit } from '../kit/server.ts'

describe('every request', () => {
  const kit = useKit(sqlite, { settings: { LECTERN_URL: 'https://lectern.test' } })
  let port = 0
  beforeAll(async () => {
    await kit.server.app.listen({ port: 0, host: '127.0.0.1' })
    port = (kit.server.app.server.address() as AddressInfo).port
  })

  const send = (text: string) =>
    new Promise<string>((resolve, reject) => {
      let answer = ''
      const socket = connect(port, '127.0.0.1', () => socket.write(text))
      socket.on('data', (bytes) => {
        answer += bytes
      })
      socket.on('close', () => resolve(answer))
      socket.on('error', reject)
    })

  test('with two Host headers is refused', async () => {
    const one = await send('GET /healthz HTTP/1.1\r\nHost: a.test\r\nConnection: close\r\n\r\n')
    expect(one).toMatch(/^HTTP\/1.1 200/)
    const two = await send('GET /healthz HTTP/1.1\r\nHost: a.test\r\nhost: b.test\r\n\r\n')
    expect(two).toMatch(/^HTTP\/1.1 400/)
    expect(two).toContain('two Host headers')
  })

  test('is answered with what browsers must not guess, and must remember', async () => {
    for (const path of ['/healthz', '/v1/user', '/v1/nowhere', '/nowhere']) {
      const answer = await send(`GET ${path} HTTP/1.1\r\nHost: lectern.test\r\nConnection: close\r\n\r\n`)
      expect(answer.toLowerCase(), path).toContain('x-content-type-options: nosniff')
      expect(answer.toLowerCase(), path).toContain('strict-transport-security: max-age=31536000')
    }
  })

  test('for the first address leads to the app whoever has signed in, by the cookie that https has', async () => {
    const open = (cookie: string) => kit.server.app.inject({ url: '/', headers: { cookie } })
    const secret = 'x'.repeat(43)
    expect((await open(`__Host-lectern_session=${secret}`)).headers.location).toBe('/app')
    // Without the prefix anybody's page of the domain may have set it.
    expect((await open(`lectern_session=${secret}`)).statusCode).toBe(200)
  })

  test('has 30 seconds for its headers', async () => {
    const { server } = kit.server.app
    expect(server.headersTimeout).toBe(30_000)
    server.once('connection', (socket) => {
      const late = Object.assign(new Error('Request timeout'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' })
      server.emit('clientError', late, socket)
    })
    const answer = await send('GET /healthz HTTP/1.1\r\nHost: lect')
    expect(answer).toMatch(/^HTTP\/1.1 408 Request Timeout[\s\S]*"request_timeout"/)
  })

  test('that is none, or is too long, is told so', async () => {
    expect(await send('Hello\r\n\r\n')).toMatch(/^HTTP\/1.1 400 Bad Request[\s\S]*is not valid HTTP/)
    const long = `GET /healthz HTTP/1.1\r\nHost: lectern.test\r\nX-Long: ${'x'.repeat(17_000)}\r\n\r\n`
    expect(await send(long)).toMatch(/^HTTP\/1.1 431 [\s\S]*may take 16 KiB together/)
  })
})
