/** Requests share what was asked for only with those that arrived in the same turn of the event loop. */
import { createServer, get } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep, setImmediate as yieldLoop } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { type Arrival, Arrivals } from '../../src/http/edge/arrivals.ts'

test('who arrives in the same turn has the same arrival, who arrives in the next another', async () => {
  const arrivals = new Arrivals()
  const first = arrivals.join()
  expect(arrivals.join()).toBe(first)
  await Promise.resolve()
  expect(arrivals.join()).toBe(first)
  await sleep(2)
  await yieldLoop()
  expect(arrivals.join()).not.toBe(first)
})

test('what a request shares is never from before it was sent', async () => {
  const arrivals = new Arrivals()
  /** When each arrival began, as the database's version would be asked for. */
  const began = new Map<Arrival, number>()
  const server = createServer((_request, response) => {
    const arrival = arrivals.join()
    if (!began.has(arrival)) began.set(arrival, performance.now())
    // Answers come from all phases of a turn, as those that waited for others do.
    setImmediate(() => response.end(String(began.get(arrival))))
  }).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const { port } = server.address() as AddressInfo
  const ask = () =>
    new Promise<number>((resolve, reject) =>
      get({ port, host: '127.0.0.1' }, (response) => response.on('data', (bytes) => resolve(Number(String(bytes))))).on(
        'error',
        reject,
      ),
    )
  let shared = 0
  for (let round = 0; round < 50; round++) {
    const sent = performance.now()
    const times = await Promise.all(Array.from({ length: 8 }, ask))
    for (const time of times) expect(time).toBeGreaterThanOrEqual(sent)
    shared += times.length - new Set(times).size
  }
  expect(shared).toBeGreaterThan(0)
  server.close()
})
