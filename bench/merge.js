// What a merge costs: one changed page as the space grows, and a thousand changed pages at once, while others read.
// Both sides have changed since they parted, so that every merge is a true one.
import { caller } from './kit/call.js'
import { each } from './kit/each.js'
import { fill, text } from './kit/pages.js'
import { startPostgres } from './kit/postgres.js'
import { residentMegabytes, startLectern } from './kit/process.js'

const sizes = (process.env.SIZES ?? '100,10000').split(',').map(Number)
const many = Number(process.env.MANY ?? '1000')
const engines = (process.env.BACKENDS ?? 'sqlite,postgres').split(',')

export async function run() {
  const rows = []
  const memory = {}
  for (const engine of engines) {
    const postgres = engine === 'postgres' ? await startPostgres() : undefined
    const server = await startLectern({ probed: true, env: postgres ? { DATABASE_URL: postgres.url } : {} })
    try {
      const measured = await measure(server)
      rows.push(
        ...measured.map((row) => ({ ...row, name: `${engine}: ${row.name}`, growth: row.cpu / measured[0].cpu })),
      )
      memory[engine] = residentMegabytes(server.pid)
    } finally {
      await server.stop()
      await postgres?.stop()
    }
  }
  return { rows, memory }
}

async function measure(server) {
  const call = caller(server)
  const organization = (await call('GET', '/orgs')).items[0].id
  const rows = []
  for (const size of sizes) {
    const space = (await call('POST', `/orgs/${organization}/spaces`, { title: `Space of ${size}` })).id
    const pages = await fill(call, space, size)
    rows.push(await mergeSmall({ server, call, space, pages }))
    if (size >= many) rows.push(await mergeLarge({ server, call, space, pages: pages.slice(0, many) }))
  }
  return rows
}

const before = `## Part\n\n${text.repeat(5)}\n\n`

/** One change request a time, each of one page that main has changed too, in another paragraph. */
async function mergeSmall({ server, call, space, pages }) {
  const S = `/spaces/${space}`
  const requests = []
  for (let i = 0; i < 25; i++) {
    const page = pages[(i * 7919) % pages.length]
    await edit(call, S, [{ page, markdown: `${before}Last words.\n` }])
    const { id } = await call('POST', `${S}/change-requests`, {})
    await edit(call, `${S}/change-requests/${id}`, [{ page, markdown: `${before}Last words, proposed ${i}.\n` }])
    await edit(call, S, [{ page, markdown: `First words, edited ${i}.\n\n${before}Last words.\n` }])
    requests.push(id)
  }
  for (const id of requests.splice(0, 5)) await merged(call, S, id)
  return measured(server, `merge of 1 page of ${pages.length}`, requests, (id) => merged(call, S, id))
}

/** Every page changed on both sides, and a reader beside it. */
async function mergeLarge({ server, call, space, pages }) {
  const S = `/spaces/${space}`
  await inBatches(pages, (some) =>
    edit(
      call,
      S,
      some.map((page) => ({ page, markdown: `${before}Last words.\n` })),
    ),
  )
  const { id } = await call('POST', `${S}/change-requests`, {})
  await inBatches(pages, (some, i) =>
    edit(
      call,
      `${S}/change-requests/${id}`,
      some.map((page) => ({ page, markdown: `${before}Last words, proposed ${i}.\n` })),
    ),
  )
  await inBatches(pages, (some, i) =>
    edit(
      call,
      S,
      some.map((page) => ({ page, markdown: `First words, edited ${i}.\n\n${before}Last words.\n` })),
    ),
  )
  const reads = []
  let isDone = false
  const reading = (async () => {
    while (!isDone) {
      const started = performance.now()
      await call('GET', `${S}/content/page/${pages[reads.length % pages.length]}`)
      reads.push(performance.now() - started)
    }
  })()
  const row = await measured(server, `merge of ${pages.length} pages`, [id], (one) => merged(call, S, one))
  isDone = true
  await reading
  reads.sort((a, b) => a - b)
  return { ...row, name: `${row.name}, ${reads.length} reads of ${reads[reads.length >> 1].toFixed(0)} ms beside it` }
}

async function merged(call, S, id) {
  const { result } = await call('POST', `${S}/change-requests/${id}/merge`)
  if (result !== 'merge') throw new Error(`The merge gave ${result}.`)
}

const edit = (call, place, pages) =>
  call('POST', `${place}/content`, {
    changes: pages.map(({ page, markdown }) => ({ operation: 'update_page', page, document: { markdown } })),
  })

async function inBatches(pages, work) {
  for (let i = 0; i < pages.length; i += 50) await work(pages.slice(i, i + 50), i / 50)
}

async function measured(server, name, items, work) {
  await server.longestTurn()
  const result = await each(server, items.length, (i) => work(items[i]))
  return { name, ...result, turn: await server.longestTurn() }
}
