/**
 * A zip of Markdown brought into a space: how long it takes, and what somebody who reads another space, and somebody who
 * writes in it, feel of it until its pages are indexed. On SQLite and PostgreSQL; `PAGES` says how many pages,
 * `DATABASES=sqlite` one engine.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { ZipFile } from 'yazl'
import { caller, headers } from './kit/call.js'
import { median } from './kit/compare.js'
import { docsPage } from './kit/docs-pages.js'
import { startLoad } from './kit/load.js'
import { startPostgres } from './kit/postgres.js'
import { cpuSeconds, startLectern } from './kit/process.js'

const pages = Number(process.env.PAGES ?? 1000)
const rounds = Number(process.env.ROUNDS ?? 3)

export async function run() {
  const rows = []
  const archive = await zipOf(pages)
  for (const engine of (process.env.DATABASES ?? 'sqlite,postgres').split(',')) {
    const postgres = engine === 'postgres' ? await startPostgres() : undefined
    const env = { LECTERN_IMPORT_WAIT: '120', ...(postgres ? { DATABASE_URL: postgres.url } : {}) }
    const server = await startLectern({ probed: true, env })
    try {
      rows.push(...(await measure(server, archive, engine)))
    } finally {
      await server.stop()
      await postgres?.stop()
    }
  }
  return { rows }
}

async function measure(server, archive, engine) {
  const call = caller(server)
  const organization = (await call('GET', '/orgs')).items[0].id
  const spaceOf = async (title) => (await call('POST', `/orgs/${organization}/spaces`, { title })).id
  const other = await spaceOf('Other')
  const changes = [{ operation: 'insert_page', title: 'A page', document: { markdown: docsPage(0) } }]
  await call('POST', `/spaces/${other}/content`, { changes })
  const [page] = (await call('GET', `/spaces/${other}/content/pages`)).pages
  const isIndexing = async (space) =>
    // A word that no page holds: asking for how far the index has come is no work of its own.
    (await call('GET', `/spaces/${space}/search?query=qqzzx&limit=1`)).indexing === true
  const bodies = Array.from({ length: 500 }, (_, i) => JSON.stringify({ title: `Other ${i}` }))
  // At a steady pace: what others feel, and not how much the server can take.
  const every = { headers, pause: 10, withTimes: true }
  const writing = { ...every, url: `${server.url}/v1/spaces/${other}`, method: 'PATCH', bodies, connections: 1 }
  const url = `${server.url}/v1/spaces/${other}/content/page/${page.id}`
  const reading = { ...every, url, connections: 2, unique: true }
  const [reader, writer] = [startLoad(), startLoad()]
  const both = async (seconds) => {
    const [read, written] = await Promise.all([
      reader.run({ ...reading, seconds }),
      writer.run({ ...writing, seconds }),
    ])
    return { read, written }
  }
  try {
    await both(2)
    const calm = []
    const beside = []
    const later = []
    const outcomes = []
    for (let round = 0; round < rounds; round++) {
      calm.push(await both(6))
      await server.longestTurn()
      const cpu = cpuSeconds(server.pid)
      const began = performance.now()
      const space = await spaceOf(`Imported ${round}`)
      let imported
      let outcome
      const importing = upload(server, space, archive).then(async () => {
        imported = (performance.now() - began) / 1000
        while (await isIndexing(space)) await sleep(200)
        outcome = { imported, indexed: (performance.now() - began) / 1000 }
      })
      while (!outcome) (imported === undefined ? beside : later).push(await both(1))
      await importing
      const turn = await server.longestTurn()
      outcomes.push({ ...outcome, turn: turn.cpu, cpu: cpuSeconds(server.pid) - cpu })
    }
    const errors = [...calm, ...beside, ...later].reduce(
      (sum, { read, written }) => sum + read.errors + written.errors,
      0,
    )
    const p99 = (runs, what) =>
      at(
        runs.flatMap((one) => one[what].times),
        0.99,
      )
    const longest = (runs, what) =>
      at(
        runs.flatMap((one) => one[what].times),
        1,
      )
    const compared = (what, name) => {
      const most = Number((2 * p99(calm, what)).toFixed(1))
      const felt = (runs, when) => [
        { name: `${name}, ${when}, p99, ${engine}`, value: p99(runs, what), unit: 'ms', most },
        { name: `${name}, ${when}, longest, ${engine}`, value: longest(runs, what), unit: 'ms' },
      ]
      return [
        { name: `${name}, calm, p99, ${engine}`, value: p99(calm, what), unit: 'ms', errors },
        ...felt(beside, 'beside the import'),
        ...felt(later, 'while it is indexed'),
      ]
    }
    const of = (what) => median(outcomes.map((one) => one[what]))
    return [
      { name: `zip of ${pages} pages imported, ${engine}`, value: of('imported'), unit: 's', most: 20 },
      { name: `zip of ${pages} pages searchable, ${engine}`, value: of('indexed'), unit: 's', cpu: of('cpu') * 1000 },
      { name: `event loop held, ${engine}`, value: of('turn'), unit: 'ms' },
      ...compared('read', 'GET a page elsewhere'),
      ...compared('written', 'PATCH elsewhere'),
    ]
  } finally {
    reader.stop()
    writer.stop()
  }
}

function at(times, share) {
  const sorted = [...times].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
}

async function upload(server, space, archive) {
  const body = new FormData()
  body.set('file', new Blob([archive]), 'docs.zip')
  const answer = await fetch(`${server.url}/v1/spaces/${space}/content/import/upload?source=zip`, {
    method: 'POST',
    headers,
    body,
  })
  if (!answer.ok) throw new Error(`The import answered ${answer.status}: ${await answer.text()}`)
}

/** Twenty pages in a folder, with a table of contents; each links to others. */
async function zipOf(count) {
  const pathOf = (n) => (n % 20 === 0 ? `page-${n}/README.md` : `page-${n - (n % 20)}/page-${n}.md`)
  const link = (n) => `/${pathOf(n)}`
  const zip = new ZipFile()
  const lines = Array.from({ length: count }, (_, n) => `${n % 20 === 0 ? '' : '  '}* [Page ${n}](${pathOf(n)})`)
  zip.addBuffer(Buffer.from(`# Table of contents\n\n${lines.join('\n')}\n`), 'SUMMARY.md')
  for (let n = 0; n < count; n++) {
    const text = `# Page ${n}\n\n${docsPage(n, 6000, { pages: count, pathOf: link })}\n`
    zip.addBuffer(Buffer.from(text), pathOf(n))
  }
  zip.end()
  const parts = []
  for await (const part of zip.outputStream) parts.push(part)
  return Buffer.concat(parts)
}
