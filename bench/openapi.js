/**
 * How long specs take from being sent to being a version, and what others feel of it: the ten made here (kit/specs.js) and,
 * with `CORPUS=FOLDER`, the files of a folder. Beside them a process of its own asks for a space at a steady pace; then the
 * same specs once more, fetched by the server from an address. `SPECS=large,stripe` measures those alone.
 */
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { caller, headers } from './kit/call.js'
import { startLoad } from './kit/load.js'
import { cpuSeconds, startLectern } from './kit/process.js'
import { madeSpecs } from './kit/specs.js'

export async function run() {
  const server = await startLectern({ probed: true, env: { LECTERN_ALLOW_PRIVATE_FETCH: '1' } })
  const call = caller(server)
  const loading = startLoad()
  const rows = []
  try {
    const organization = (await call('GET', '/orgs')).items[0].id
    const space = (await call('POST', `/orgs/${organization}/spaces`, { title: 'Asked for' })).id
    const reading = { url: `${server.url}/v1/spaces/${space}`, connections: 4, headers, pause: 10, unique: true }
    await loading.run({ ...reading, seconds: 2 })
    const alone = await loading.run({ ...reading, seconds: 10 })
    const specs = [...madeSpecs(), ...corpus()].filter(isWanted)
    const beside = []
    for (const [name, text] of specs) {
      const cpu = cpuSeconds(server.pid)
      await server.longestTurn()
      const began = performance.now()
      let seconds
      const working = processed(call, organization, name, { text }).then(() => {
        seconds = (performance.now() - began) / 1000
      })
      const times = await timesBeside(working, loading, reading)
      beside.push(...times)
      rows.push({ name: `${name}, ${(text.length / 1e6).toFixed(1)} MB`, value: seconds, unit: 's', most: 10 })
      rows.push({ name: `${name}, CPU`, value: cpuSeconds(server.pid) - cpu, unit: 's' })
      rows.push({ name: `${name}, event loop held`, value: (await server.longestTurn()).cpu, unit: 'ms' })
      rows.push({ name: `${name}, get space beside it, p99`, value: p99(times), unit: 'ms' })
    }
    const most = Number((2 * alone.p99).toFixed(1))
    rows.push({ name: 'get space alone, p99', value: alone.p99, unit: 'ms' })
    rows.push({ name: 'get space beside all specs, p99', value: p99(beside), unit: 'ms', most })
    const fetched = await timesBeside(fetchAll(call, organization, specs), loading, reading)
    rows.push({ name: 'get space beside all specs, fetched, p99', value: p99(fetched), unit: 'ms', most })
    rows.push(await firstReading(server, call, { organization, slug: 'thousand' }))
  } finally {
    loading.stop()
    await server.stop()
  }
  return { rows }
}

/** How long the answers took while a work was under way. */
async function timesBeside(working, loading, reading) {
  const times = []
  let isDone = false
  working.then(
    () => {
      isDone = true
    },
    () => {},
  )
  while (!isDone)
    times.push(
      ...(await Promise.race([failed(working), loading.run({ ...reading, seconds: 0.25, withTimes: true })])).times,
    )
  return times
}

/** One after the other, from a server of our own. */
async function fetchAll(call, organization, specs) {
  const texts = new Map(specs.map(([name, text]) => [`/${name}`, Buffer.from(text)]))
  const source = createServer((request, response) => response.end(texts.get(request.url)))
  source.listen(0, '127.0.0.1')
  await once(source, 'listening')
  try {
    for (const [name] of specs)
      await processed(call, organization, `${name}-fetched`, {
        url: `http://127.0.0.1:${source.address().port}/${name}`,
      })
  } finally {
    source.close()
  }
}

/** Only its failure: what it ends with is seen elsewhere. */
const failed = (work) => new Promise((_, reject) => work.catch(reject))

/** The first listing of a space that has a page for each operation of a spec. */
async function firstReading(server, call, { organization, slug }) {
  const space = (await call('POST', `/orgs/${organization}/spaces`, { title: 'Made from a spec' })).id
  const computed = {
    type: 'builtin:openapi',
    props: { grouping: 'by-operation' },
    dependencies: { spec: { ref: { kind: 'openapi', spec: slug } } },
  }
  const page = { operation: 'insert_page', type: 'computed', title: 'API', document: { markdown: '' }, computed }
  await call('POST', `/spaces/${space}/content`, { changes: [page] })
  await server.longestTurn()
  await call('GET', `/spaces/${space}/content/pages`)
  return {
    name: `first list of the pages of ${slug}, event loop held`,
    value: (await server.longestTurn()).cpu,
    unit: 'ms',
  }
}

const names = process.env.SPECS?.split(',')
const isWanted = ([name]) => names === undefined || names.includes(name)

function corpus() {
  const folder = process.env.CORPUS
  if (!folder) return []
  return readdirSync(folder)
    .filter((file) => /\.(ya?ml|json)$/.test(file))
    .map((file) => [file.replace(/\W.*/, '').toLowerCase(), readFileSync(join(folder, file), 'utf8')])
}

async function processed(call, organization, slug, source) {
  await call('PUT', `/orgs/${organization}/openapi/${slug}`, { source })
  for (;;) {
    const spec = await call('GET', `/orgs/${organization}/openapi/${slug}`)
    if (spec.lastProcessErrorCode) throw new Error(`${slug}: ${JSON.stringify(spec.lastProcessedErrors)}`)
    if (spec.processingState === 'complete') return
    await sleep(20)
  }
}

const p99 = (times) => times.sort((a, b) => a - b)[Math.floor(times.length * 0.99)] ?? 0
