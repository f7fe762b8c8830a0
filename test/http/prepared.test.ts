/** Answers that are kept: compressed for who takes them so, once, however many come at the same time. */
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { Exchange } from '../../src/http/edge/exchange.ts'
import { type Prepared, prepare, sendPrepared } from '../../src/http/edge/prepared.ts'

let page: Prepared
const server = createServer((asked, answer) =>
  sendPrepared(new Exchange(asked, answer, { arrival: { loopCount: 0, commitVersion: undefined } }), page, []),
)

beforeAll(() => new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve)))
afterAll(() => new Promise((resolve) => server.close(resolve)))

const makePage = () =>
  prepare({
    status: 200,
    headers: { 'content-type': 'text/html; charset=utf-8' },
    body: '<p>words</p>'.repeat(500),
    caching: 'no-cache',
    hash: 'h',
  })

function encodingOf(accepted: string): Promise<string> {
  const { port } = server.address() as AddressInfo
  return new Promise((resolve, reject) => {
    const asked = request({ port, host: '127.0.0.1', headers: { 'accept-encoding': accepted } }, (answer) => {
      answer.resume().on('end', () => resolve(answer.headers['content-encoding'] ?? 'none'))
    })
    asked.on('error', reject).end()
  })
}

test('two who come first at the same time get gzip, and whoever comes later brotli', async () => {
  page = await makePage()
  expect(await Promise.all([encodingOf('gzip, br'), encodingOf('gzip, br')])).toEqual(['gzip', 'gzip'])
  await expect.poll(() => encodingOf('gzip, br')).toBe('br')
})

test('nobody gets an encoding that they did not ask for', async () => {
  page = await makePage()
  expect(await encodingOf('identity')).toBe('none')
  expect(await encodingOf('gzip')).toBe('gzip')
  expect(await encodingOf('br')).toBe('none')
  await expect.poll(() => encodingOf('br')).toBe('br')
  expect(await encodingOf('gzip')).toBe('gzip')
})
