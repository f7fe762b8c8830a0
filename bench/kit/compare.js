// One operation against the floor: alternating rounds in one run, medians, as a ratio of requests per CPU-second.
import { request } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { load } from './load.js'
import { cpuSeconds, startFloor } from './process.js'

export const median = (values) => [...values].sort((a, b) => a - b)[values.length >> 1]

const cpuOf = (pids) => pids.reduce((sum, pid) => sum + cpuSeconds(pid), 0)

async function measure(pids, options) {
  const before = cpuOf(pids)
  const result = await load(options)
  return { ...result, perCpuSecond: result.count / Math.max(0.01, cpuOf(pids) - before) }
}

/** An answer as it comes: compressed, if it is. */
const sampleOf = (url, { headers, method = 'GET', body }) =>
  new Promise((resolve, reject) => {
    const call = request(url, { headers, method }, async (response) =>
      resolve({ status: response.statusCode, bytes: await buffer(response) }),
    )
    call.on('error', reject)
    call.end(body)
  })

/**
 * `servers` share the load, each with its part of the connections, and their CPU time is added up. The floor sends the
 * bytes that the first of them sends. `seconds` and `rounds` can be set from outside, for a quick look.
 */
export async function compare({
  name,
  server,
  servers = [server],
  path,
  headers,
  connections = 16,
  seconds = Number(process.env.SECONDS ?? 1.5),
  rounds = Number(process.env.ROUNDS ?? 3),
  method,
  bodies,
  suffixes,
  expect,
  goal,
}) {
  const urls = servers.map((server) => `${server.url}${path}`)
  const type = bodies ? { 'content-type': 'application/json' } : {}
  const sample = await sampleOf(urls[0], { headers: { ...headers, ...type }, method, body: bodies?.[0] })
  const floor = await startFloor(sample.bytes)
  const ours = []
  const floors = []
  const target = { urls, headers, connections, seconds, method, bodies, suffixes, expect: expect ?? sample.status }
  const bare = { urls: [floor.url], connections, seconds, method, bodies }
  await load({ ...target, seconds: 1 })
  await load({ ...bare, seconds: 0.5 })
  for (let round = 0; round < rounds; round++) {
    floors.push(await measure([floor.pid], bare))
    ours.push(
      await measure(
        servers.map((server) => server.pid),
        target,
      ),
    )
  }
  await floor.stop()
  const pick = (list, field) => median(list.map((item) => item[field]))
  const all = ours.map((item) => item.perCpuSecond)
  return {
    name,
    ratio: pick(ours, 'perCpuSecond') / pick(floors, 'perCpuSecond'),
    goal,
    perCpuSecond: Math.round(pick(ours, 'perCpuSecond')),
    floor: Math.round(pick(floors, 'perCpuSecond')),
    microseconds: 1e6 / pick(ours, 'perCpuSecond'),
    perSecond: Math.round(median(ours.map((item) => item.count / item.seconds))),
    floorPerSecond: Math.round(median(floors.map((item) => item.count / item.seconds))),
    p50: pick(ours, 'p50'),
    p99: pick(ours, 'p99'),
    errors: ours.reduce((sum, item) => sum + item.errors, 0),
    spread: Math.max(...all) / Math.min(...all),
  }
}
