/** Senders that stop half-way without closing: each is told, and let go. */
import net from 'node:net'
import { afterEach, beforeAll, expect, test, vi } from 'vitest'
import { sqlite } from '../../kit/backends.ts'
import { boundary, formType } from '../../kit/forms.ts'
import { useKit } from '../../kit/server.ts'

const kit = useKit(sqlite)
let port = 0
let spaceId = ''
beforeAll(async () => {
  spaceId = (await kit.as.admin.createSpace({ organizationId: kit.organization, body: { title: 'Slow' } })).id
  await kit.server.app.listen({ port: 0, host: '127.0.0.1' })
  port = (kit.server.app.server.address() as net.AddressInfo).port
})
afterEach(() => void vi.useRealTimers())

const real = { setTimeout }

/** Sends a beginning and then nothing, lets the clock run, and reads to the end of the connection. */
async function stall(path: string, type: string, beginning: string, milliseconds: number): Promise<string> {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const socket = net.connect(port, '127.0.0.1')
  let answer = ''
  socket.on('data', (bytes) => {
    answer += bytes
  })
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()))
  socket.write(
    `POST ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${kit.people.admin.token}\r\nContent-Type: ${type}\r\nContent-Length: 1000000\r\n\r\n${beginning}`,
  )
  await new Promise((resolve) => real.setTimeout(resolve, 500))
  expect(answer).toBe('')
  vi.advanceTimersByTime(milliseconds)
  await new Promise((resolve) => real.setTimeout(resolve, 300))
  expect(answer).not.toBe('')
  // Time for whoever was told to read the answer.
  vi.advanceTimersByTime(2000)
  await closed
  return answer
}

test.each([
  ['small', '{"chan'],
  ['large', `{"chan${'x'.repeat(400_000)}`],
])('a JSON body has a minute, %s as it is', async (_size, beginning) => {
  const answer = await stall(`/v1/spaces/${spaceId}/content`, 'application/json', beginning, 60_000)
  expect(answer).toMatch(/^HTTP\/1\.1 400 [\s\S]*did not arrive within 60 seconds/)
  expect((await kit.as.admin.getSpaceById({ spaceId })).id).toBe(spaceId)
})

test('an upload may take long, but not be silent for half a minute', async () => {
  const beginning = `--${boundary}\r\nContent-Disposition: form-data; name="f"; filename="a.txt"\r\n\r\nhalf a fi`
  const answer = await stall(`/v1/spaces/${spaceId}/content/files`, formType, beginning, 30_000)
  expect(answer).toMatch(/^HTTP\/1\.1 400 [\s\S]*Nothing more of the upload came/)
  expect(answer).toMatch(/connection: close/i)
})
