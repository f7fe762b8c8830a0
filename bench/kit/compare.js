// One operation against the floor, as a ratio of requests per CPU-second. The speed of a machine changes from second to
// second, by other work and by other guests of its host: so the windows are short and many, each of ours stands between
// two of the floor, and what counts is the median of those comparisons.
import { request } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { startLoad } from './load.js'
import { cpuSeconds, startFloor } from './process.js'

export const quantile = (values, share) =>
  [...values].sort((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))]
export const median = (values) => quantile(values, 0.5)

/** `ROWS=304` measures only the rows whose name holds that. */
export const isWanted = ({ name }) => new RegExp(process.env.ROWS ?? '').test(name)

const cpuOf = (pids) => pids.reduce((sum, pid) => sum + cpuSeconds(pid), 0)

export async function measure(loading, pids, options) {
  const before = cpuOf(pids)
  const result = await loading.run(options)
  return { ...result, perCpuSecond: result.count / Math.max(0.001, cpuOf(pids) - before) }
}

/** Requests before anything is measured, where they do not take too long. */
export const warmUp = { count: 6000, seconds: 15 }

/** Those that are not Node's own, nor of the request. */
const ownHeaders = ({ headers: { date: _d, connection: _c, 'keep-alive': _k, 'x-request-id': _x, ...own } }) => own

/** An answer as it comes: compressed, if it is. */
export const sampleOf = (url, { headers, method = 'GET', body }) =>
  new Promise((resolve, reject) => {
    const call = request(url, { headers, method }, async (response) =>
      resolve({ status: response.statusCode, headers: ownHeaders(response), bytes: await buffer(response) }),
    )
    call.on('error', reject)
    call.end(body)
  })

/**
 * `servers` share the load, each with its part of the connections, and their CPU time is added up. The floor gets the same
 * requests and sends the bytes that the first of them sends. `seconds` (of a window) and `rounds` can be set from outside.
 */
export async function compare({
  name,
  server,
  servers = [server],
  path,
  headers,
  connections = 16,
  seconds = Number(process.env.SECONDS ?? 0.35),
  rounds = Number(process.env.ROUNDS ?? 11),
  method,
  bodies,
  suffixes,
  tokens,
  unique,
  expect,
  goal,
}) {
  const urls = servers.map((server) => `${server.url}${path}`)
  const type = bodies ? { 'content-type': 'application/json' } : {}
  const sample = await sampleOf(`${urls[0]}${suffixes?.[0] ?? ''}`, {
    headers: { ...headers, ...type },
    method,
    body: bodies?.[0],
  })
  const floor = await startFloor(sample.bytes)
  const loading = startLoad()
  const same = { headers, connections, seconds, method, bodies, suffixes, tokens, unique }
  const target = { ...same, urls, expect: expect ?? sample.status }
  const bare = { ...same, urls: [`${floor.url}${path.slice(1)}`], expect: 200 }
  const pids = servers.map((server) => server.pid)
  const ours = []
  const ratios = []
  // Each window goes on where the one before has ended: what was asked in one may be kept, and is not new in the next.
  let from = 0
  const next = async (window) => {
    const result = await measure(loading, pids, { ...target, from, ...window })
    from += result.count
    return result
  }
  try {
    // By number, because how fast the code runs depends on how often it has run: on a busy machine a second is not enough.
    await next(warmUp)
    await loading.run({ ...bare, ...warmUp })
    const floors = [await measure(loading, [floor.pid], bare)]
    for (let round = 0; round < rounds; round++) {
      ours.push(await next())
      floors.push(await measure(loading, [floor.pid], bare))
      const around = (floors[round].perCpuSecond + floors[round + 1].perCpuSecond) / 2
      ratios.push(ours[round].perCpuSecond / around)
    }
    const pick = (list, field) => median(list.map((item) => item[field]))
    return {
      name,
      ratio: median(ratios),
      low: quantile(ratios, 0.25),
      high: quantile(ratios, 0.75),
      goal,
      perCpuSecond: Math.round(pick(ours, 'perCpuSecond')),
      floor: Math.round(pick(floors, 'perCpuSecond')),
      microseconds: 1e6 / pick(ours, 'perCpuSecond'),
      perSecond: Math.round(median(ours.map((item) => item.count / item.seconds))),
      floorPerSecond: Math.round(median(floors.map((item) => item.count / item.seconds))),
      p50: pick(ours, 'p50'),
      p99: pick(ours, 'p99'),
      errors: ours.reduce((sum, item) => sum + item.errors, 0),
    }
  } finally {
    loading.stop()
    await floor.stop()
  }
}
