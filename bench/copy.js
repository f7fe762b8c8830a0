/**
 * The copy of a large space: how soon it is answered, what somebody who writes in another space feels of it until it is
 * indexed, and how long that takes. On SQLite and PostgreSQL; `PAGES` says how many pages, `DATABASES=sqlite` one engine.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { caller, headers } from './kit/call.js'
import { median } from './kit/compare.js'
import { docsPage } from './kit/docs-pages.js'
import { startLoad } from './kit/load.js'
import { startPostgres } from './kit/postgres.js'
import { cpuSeconds, startLectern } from './kit/process.js'

const pages = Number(process.env.PAGES ?? 3000)
const copies = Number(process.env.ROUNDS ?? 3)

export async function run() {
  const rows = []
  for (const engine of (process.env.DATABASES ?? 'sqlite,postgres').split(',')) {
    const postgres = engine === 'postgres' ? await startPostgres() : undefined
    const server = await startLectern({ env: postgres ? { DATABASE_URL: postgres.url } : {} })
    try {
      rows.push(...(await measure(server, engine)))
    } finally {
      await server.stop()
      await postgres?.stop()
    }
  }
  return { rows }
}

async function measure(server, engine) {
  const call = caller(server)
  const organization = (await call('GET', '/orgs')).items[0].id
  const spaceOf = async (title) => (await call('POST', `/orgs/${organization}/spaces`, { title })).id
  const [large, other] = [await spaceOf('Large'), await spaceOf('Other')]
  for (let from = 0; from < pages; from += 50) {
    const changes = Array.from({ length: Math.min(50, pages - from) }, (_, i) => ({
      operation: 'insert_page',
      title: `Page ${from + i}`,
      document: { markdown: docsPage(from + i, 3000) },
    }))
    await call('POST', `/spaces/${large}/content`, { changes })
  }
  const isIndexing = async (space) =>
    (await call('GET', `/spaces/${space}/search?query=page&limit=1`)).indexing === true
  const bodies = Array.from({ length: 500 }, (_, i) => JSON.stringify({ title: `Other ${i}` }))
  const patching = { url: `${server.url}/v1/spaces/${other}`, headers, method: 'PATCH', bodies, connections: 1 }
  const loading = startLoad()
  try {
    await loading.run({ ...patching, seconds: 2 })
    const calm = []
    const beside = []
    const answered = []
    const indexed = []
    const cpus = []
    for (let round = 0; round < copies; round++) {
      calm.push(await loading.run({ ...patching, seconds: 4 }))
      const cpu = cpuSeconds(server.pid)
      const writing = loading.run({ ...patching, seconds: 4 })
      await sleep(100)
      const began = performance.now()
      const { id } = await call('POST', `/spaces/${large}/duplicate`)
      answered.push(performance.now() - began)
      beside.push(await writing)
      while (await isIndexing(id)) await sleep(100)
      indexed.push((performance.now() - began) / 1000)
      cpus.push(cpuSeconds(server.pid) - cpu)
    }
    const errors = [...calm, ...beside].reduce((sum, one) => sum + one.errors, 0)
    const p99 = (results) => median(results.map((one) => one.p99))
    return [
      { name: `copy of ${pages} pages answered, ${engine}`, value: median(answered), unit: 'ms', most: 200 },
      { name: `PATCH of another space, calm, p99, ${engine}`, value: p99(calm), unit: 'ms', errors },
      {
        name: `PATCH of another space beside the copy, p99, ${engine}`,
        value: p99(beside),
        unit: 'ms',
        most: 2 * p99(calm),
        errors,
      },
      { name: `copy searchable after, ${engine}`, value: median(indexed), unit: 's', cpu: median(cpus) * 1000 },
    ]
  } finally {
    loading.stop()
  }
}
