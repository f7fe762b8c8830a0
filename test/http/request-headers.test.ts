/** What is picked from the raw list is what Node would say, however it was spelt and however often. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { expect, it } from 'vitest'
import { readHeaders } from '../../src/http/edge/request-headers.ts'

const requests: [string, string[]][] = [
  ['small letters', ['accept: text/html', 'user-agent: one', 'if-none-match: "a"']],
  ['capitals', ['Accept: text/html', 'User-Agent: one', 'If-None-Match: "a"', 'Sec-Purpose: prefetch']],
  ['any letters', ['aCCEPT: text/html', 'IF-NONE-MATCH: W/"b"', 'X-REQUEST-ID: 17', 'coOKie: a=1; b=2']],
  ['some twice', ['Accept: text/html', 'accept: text/markdown', 'Cookie: a=1', 'cookie: b=2']],
  ['one that may not be twice', ['authorization: Bearer one', 'Authorization: Bearer two']],
  ['others, and empty ones', ['accept:', 'x-other: 1', 'x-other: 2', 'accept-encoding: gzip, br']],
]

it.each(requests)('%s', async (_name, lines) => {
  const server = createServer((request, response) => {
    const read = readHeaders(request)
    const expected = Object.fromEntries(Object.keys(read).map((name) => [name, request.headers[name]]))
    response.end(JSON.stringify({ read: { ...read }, expected }))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
  socket.end(`GET / HTTP/1.1\r\nHost: example.org\r\nConnection: close\r\n${lines.join('\r\n')}\r\n\r\n`)
  const answer = await text(socket)
  const { read, expected } = JSON.parse(answer.slice(answer.indexOf('{'), answer.lastIndexOf('}') + 1))
  expect(read).toEqual(expected)
  expect(read.host).toBe('example.org')
  server.close()
})
