/**
 * How long specs take from being sent to being a version, and what others feel of it: the ten made here (kit/specs.js) and,
 * with `CORPUS=FOLDER`, the files of a folder. Beside them someone asks for a space again and again.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { caller } from './kit/call.js'
import { cpuSeconds, startLectern } from './kit/process.js'
import { madeSpecs } from './kit/specs.js'

export async function run() {
  const server = await startLectern()
  const call = caller(server)
  const rows = []
  try {
    const organization = (await call('GET', '/orgs')).items[0].id
    const space = (await call('POST', `/orgs/${organization}/spaces`, { title: 'Asked for' })).id
    const alone = await askFor(call, space, sleep(3000))
    let beside = []
    for (const [name, text] of [...madeSpecs(), ...corpus()]) {
      const cpu = cpuSeconds(server.pid)
      const began = performance.now()
      const working = processed(call, organization, name, text)
      beside = beside.concat(await askFor(call, space, working))
      await working
      const seconds = (performance.now() - began) / 1000
      rows.push({ name: `${name}, ${(text.length / 1e6).toFixed(1)} MB`, value: seconds, unit: 's', most: 10 })
      rows.push({ name: `${name}, CPU`, value: cpuSeconds(server.pid) - cpu, unit: 's' })
    }
    rows.push({ name: 'get space alone, p99', value: p99(alone), unit: 'ms' })
    rows.push({ name: 'get space beside specs, p99', value: p99(beside), unit: 'ms', most: 2 * p99(alone) })
  } finally {
    await server.stop()
  }
  return { rows }
}

function corpus() {
  const folder = process.env.CORPUS
  if (!folder) return []
  return readdirSync(folder)
    .filter((file) => /\.(ya?ml|json)$/.test(file))
    .map((file) => [file.replace(/\W.*/, '').toLowerCase(), readFileSync(join(folder, file), 'utf8')])
}

async function processed(call, organization, slug, text) {
  await call('PUT', `/orgs/${organization}/openapi/${slug}`, { source: { text } })
  for (;;) {
    const spec = await call('GET', `/orgs/${organization}/openapi/${slug}`)
    if (spec.lastProcessErrorCode) throw new Error(`${slug}: ${JSON.stringify(spec.lastProcessedErrors)}`)
    if (spec.processingState === 'complete') return
    await sleep(20)
  }
}

/** Milliseconds of each answer until the work is done. */
async function askFor(call, space, work) {
  let isDone = false
  const end = () => {
    isDone = true
  }
  work.then(end, end)
  const times = []
  while (!isDone) {
    const began = performance.now()
    await call('GET', `/spaces/${space}`)
    times.push(performance.now() - began)
    await sleep(2)
  }
  return times
}

const p99 = (times) => times.sort((a, b) => a - b)[Math.floor(times.length * 0.99)] ?? 0
