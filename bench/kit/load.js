// Sends requests from a process of its own: so many connections, each one request after the other, for so long; the
// connections are dealt out to the addresses in turn.
import { fork } from 'node:child_process'
import { Agent, request } from 'node:http'
import { fileURLToPath } from 'node:url'

/** @returns {Promise<{count: number, errors: number, seconds: number, p50: number, p99: number}>} */
export function load(options) {
  return new Promise((resolve, reject) => {
    const child = fork(fileURLToPath(import.meta.url))
    child.once('message', (result) => {
      resolve(result)
      child.kill()
    })
    child.once('error', reject)
    child.send(options)
  })
}

if (process.send && process.argv[1] === fileURLToPath(import.meta.url)) {
  process.once('message', async (options) => process.send(await run(options)))
}

async function run({
  url,
  urls = [url],
  connections,
  seconds,
  headers = {},
  method = 'GET',
  bodies,
  suffixes,
  expect = 200,
}) {
  const agent = new Agent({ keepAlive: true, maxSockets: connections })
  const times = []
  let errors = 0
  let sent = 0
  const end = performance.now() + seconds * 1000
  const one = (address) =>
    new Promise((resolve) => {
      const started = performance.now()
      const body = bodies?.[sent++ % bodies.length]
      const length =
        body === undefined ? {} : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }
      const target = suffixes ? `${address}${(sent++ * 7919) % suffixes}` : address
      const call = request(target, { agent, method, headers: { ...headers, ...length } }, (response) => {
        if (response.statusCode !== expect) errors++
        response.resume()
        response.on('end', () => {
          times.push(performance.now() - started)
          resolve()
        })
      })
      call.on('error', () => {
        errors++
        resolve()
      })
      call.end(body)
    })
  const started = performance.now()
  await Promise.all(
    Array.from({ length: connections }, async (_, i) => {
      while (performance.now() < end) await one(urls[i % urls.length])
    }),
  )
  times.sort((a, b) => a - b)
  const at = (share) => times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0
  agent.destroy()
  return { count: times.length, errors, seconds: (performance.now() - started) / 1000, p50: at(0.5), p99: at(0.99) }
}
