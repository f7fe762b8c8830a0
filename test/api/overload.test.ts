import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { sqlite } from '../kit/backends.ts'
import { useKit } from '../kit/server.ts'

const kit = useKit(sqlite, { delayLimit: 100 })

test('a server that cannot keep up says so, and recovers', async () => {
  const get = (url: string) => kit.request({ as: 'read', method: 'GET', url })
  const until = Date.now() + 20_000
  let refused = await get('/v1/user')
  while (refused.statusCode === 200 && Date.now() < until) {
    const end = Date.now() + 300
    while (Date.now() < end);
    await sleep(10)
    refused = await get('/v1/user')
  }
  expect(refused.statusCode).toBe(503)
  expect(refused.json().error.type).toBe('overloaded')
  expect(refused.headers['retry-after']).toBe('1')
  expect((await get('/healthz')).statusCode).toBe(200)
  expect((await get('/metrics')).statusCode).toBe(200)
  let again = refused
  while (again.statusCode !== 200 && Date.now() < until) {
    await sleep(200)
    again = await get('/v1/user')
  }
  expect(again.statusCode).toBe(200)
})
