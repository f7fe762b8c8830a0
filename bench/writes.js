// Durable commits: comments posted by one writer and by 64, beside how often this disk can sync a small write at all.
import { closeSync, fdatasyncSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { caller, headers } from './kit/call.js'
import { median } from './kit/compare.js'
import { load } from './kit/load.js'
import { startPostgres } from './kit/postgres.js'
import { cpuSeconds, startLectern } from './kit/process.js'

const seconds = Number(process.env.SECONDS ?? 3)
const rounds = Number(process.env.ROUNDS ?? 3)

export async function run() {
  const rows = []
  const postgres = await startPostgres()
  try {
    for (const [engine, env] of [
      ['SQLite', {}],
      ['PostgreSQL', { DATABASE_URL: postgres.url }],
    ]) {
      const server = await startLectern({ env })
      try {
        for (const writers of [1, 64]) rows.push(await measure(server, engine, writers))
      } finally {
        await server.stop()
      }
    }
  } finally {
    await postgres.stop()
  }
  return { rows }
}

async function measure(server, engine, writers) {
  const call = caller(server)
  const organization = (await call('GET', '/orgs')).items[0].id
  const space = (await call('POST', `/orgs/${organization}/spaces`, { title: 'Writes' })).id
  const bodies = Array.from({ length: 500 }, (_, i) => JSON.stringify({ body: { markdown: `Comment **${i}**.` } }))
  const options = {
    url: `${server.url}/v1/spaces/${space}/comments`,
    headers,
    method: 'POST',
    bodies,
    connections: writers,
  }
  await load({ ...options, seconds: 1 })
  const rates = []
  const cpus = []
  const syncs = []
  let errors = 0
  let p99 = 0
  for (let round = 0; round < rounds; round++) {
    syncs.push(syncsPerSecond())
    const cpu = cpuSeconds(server.pid)
    const result = await load({ ...options, seconds })
    rates.push(result.count / result.seconds)
    cpus.push(((cpuSeconds(server.pid) - cpu) / result.count) * 1000)
    errors += result.errors
    p99 = Math.max(p99, result.p99)
  }
  const stored = (await call('GET', `/spaces/${space}/comments?limit=1`)).count
  return {
    name: `${engine}, ${writers} ${writers === 1 ? 'writer' : 'writers'}`,
    value: median(rates),
    unit: 'commits/s',
    syncs: median(syncs),
    cpu: median(cpus),
    p99,
    errors,
    stored,
  }
}

/** The floor: four kilobytes appended and synced, one after the other. */
function syncsPerSecond() {
  const folder = mkdtempSync(join(tmpdir(), 'lectern-bench-'))
  const file = openSync(join(folder, 'log'), 'w')
  const block = Buffer.alloc(4096, 1)
  let count = 0
  const started = performance.now()
  while (performance.now() - started < 500) {
    writeSync(file, block)
    fdatasyncSync(file)
    count++
  }
  const rate = count / ((performance.now() - started) / 1000)
  closeSync(file)
  rmSync(folder, { recursive: true, force: true })
  return rate
}
