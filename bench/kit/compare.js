// One operation against the floor: alternating rounds in one run, medians, as a ratio of requests per CPU-second.
import { load } from './load.js'
import { cpuSeconds, startFloor } from './process.js'

const median = (values) => [...values].sort((a, b) => a - b)[values.length >> 1]

async function measure(server, options) {
  const before = cpuSeconds(server.pid)
  const result = await load(options)
  return { ...result, perCpuSecond: result.count / Math.max(0.01, cpuSeconds(server.pid) - before) }
}

export async function compare({
  name,
  server,
  path,
  headers,
  connections = 16,
  seconds = 2,
  rounds = 3,
  method,
  bodies,
  expect,
  goal,
}) {
  const url = `${server.url}${path}`
  const sample = await fetch(url, { headers, method, body: bodies?.[0] })
  const floor = await startFloor(await sample.text())
  const ours = []
  const floors = []
  const target = { url, headers, connections, seconds, method, bodies, expect }
  await load({ ...target, seconds: 1 })
  for (let round = 0; round < rounds; round++) {
    floors.push(await measure(floor, { url: floor.url, connections, seconds }))
    ours.push(await measure(server, target))
  }
  await floor.stop()
  const pick = (list, field) => median(list.map((item) => item[field]))
  return {
    name,
    ratio: pick(ours, 'perCpuSecond') / pick(floors, 'perCpuSecond'),
    goal,
    perCpuSecond: Math.round(pick(ours, 'perCpuSecond')),
    floor: Math.round(pick(floors, 'perCpuSecond')),
    perSecond: Math.round(median(ours.map((item) => item.count / item.seconds))),
    p50: pick(ours, 'p50'),
    p99: pick(ours, 'p99'),
    errors: ours.reduce((sum, item) => sum + item.errors, 0),
    spread: Math.max(...ours.map((item) => item.perCpuSecond)) / Math.min(...ours.map((item) => item.perCpuSecond)),
  }
}
