// Sends requests from a process of its own: so many connections, each one request after the other, for so long; the
// connections are dealt out to the addresses in turn, and stay open from one run to the next. With `pause` a connection rests
// so many milliseconds after each answer: what others feel, and not how much the server can take.
import { fork } from 'node:child_process'
import { Agent, request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

/** A loading process; what it has compiled and connected serves all its runs. */
export function startLoad() {
  const child = fork(fileURLToPath(import.meta.url))
  return {
    /** @returns {Promise<{count: number, errors: number, bytes: number, seconds: number, p50: number, p99: number}>} */
    run: (options) =>
      new Promise((resolve) => {
        child.once('message', resolve)
        child.send(options)
      }),
    stop: () => child.kill(),
  }
}

/** One run. */
export async function load(options) {
  const loading = startLoad()
  try {
    return await loading.run(options)
  } finally {
    loading.stop()
  }
}

if (process.send && process.argv[1] === fileURLToPath(import.meta.url)) {
  process.on('message', async (options) => process.send(await run(options)))
}

const agents = new Map()

/** How many addresses were made `unique`, in all runs of this process. */
let asked = 0

function agentFor(connections) {
  const known = agents.get(connections) ?? new Agent({ keepAlive: true, maxSockets: connections })
  agents.set(connections, known)
  return known
}

async function run({
  url,
  urls = [url],
  connections,
  seconds,
  headers,
  method = 'GET',
  bodies,
  suffixes,
  tokens,
  unique,
  pause,
  withTimes,
  from = 0,
  count = Number.POSITIVE_INFINITY,
  expect = 200,
}) {
  const agent = agentFor(connections)
  const times = []
  let errors = 0
  let bytes = 0
  let sent = from
  const end = performance.now() + seconds * 1000
  const one = (address) =>
    new Promise((resolve) => {
      const started = performance.now()
      const number = sent++
      const body = bodies?.[number % bodies.length]
      const length =
        body === undefined ? {} : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }
      const said = suffixes ? address + suffixes[number % suffixes.length] : address
      const target = unique ? `${said}${said.includes('?') ? '&' : '?'}n=${asked++}` : said
      const who = tokens ? { authorization: `Bearer ${tokens[number % tokens.length]}` } : {}
      const call = request(target, { agent, method, headers: { ...headers, ...who, ...length } }, (response) => {
        if (response.statusCode !== expect) errors++
        response.on('data', (chunk) => {
          bytes += chunk.length
        })
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
      while (performance.now() < end && sent < from + count) {
        await one(urls[i % urls.length])
        if (pause) await sleep(pause)
      }
    }),
  )
  times.sort((a, b) => a - b)
  const at = (share) => times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0
  const result = {
    count: times.length,
    errors,
    /** Of all bodies together. */
    bytes,
    seconds: (performance.now() - started) / 1000,
    p50: at(0.5),
    p99: at(0.99),
  }
  return withTimes ? { ...result, times } : result
}
