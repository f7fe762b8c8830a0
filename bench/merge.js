// What a merge costs: one changed page as the space grows, and a thousand changed pages at once, while others read.
// Both sides have changed since they parted, so that every merge is a true one.
import { fill, text } from './kit/pages.js'
import { cpuSeconds, residentMegabytes, startLectern, token, writtenBytes } from './kit/process.js'

const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
const sizes = (process.env.SIZES ?? '100,10000').split(',').map(Number)
const many = Number(process.env.MANY ?? '1000')

export async function run() {
  const server = await startLectern({ probed: true, env: databaseOf() })
  const call = async (method, path, body) => {
    const response = await fetch(`${server.url}/v1${path}`, { method, headers, body: body && JSON.stringify(body) })
    if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${await response.text()}`)
    return response.json()
  }
  const organization = (await call('GET', '/orgs')).items[0].id
  const rows = []
  for (const size of sizes) {
    const space = (await call('POST', `/orgs/${organization}/spaces`, { title: `Space of ${size}` })).id
    const pages = await fill(call, space, size)
    rows.push(await mergeSmall({ server, call, space, pages }))
    if (size >= many) rows.push(...(await mergeLarge({ server, call, space, pages: pages.slice(0, many) })))
  }
  const memory = { loaded: residentMegabytes(server.pid) }
  await server.stop()
  const [smallest] = rows
  return { rows: rows.map((row) => ({ ...row, growth: row.cpu / smallest.cpu })), memory }
}

const databaseOf = () => (process.env.BENCH_DATABASE ? { DATABASE_URL: process.env.BENCH_DATABASE } : {})

const before = `## Part\n\n${text.repeat(5)}\n\n`

/** One change request a time, each of one page that main has changed too, in another paragraph. */
async function mergeSmall({ server, call, space, pages }) {
  const S = `/spaces/${space}`
  const requests = []
  for (let i = 0; i < 20; i++) {
    const page = pages[(i * 7919) % pages.length]
    await edit(call, S, [{ page, markdown: `${before}Last words.\n` }])
    const { id } = await call('POST', `${S}/change-requests`, {})
    await edit(call, `${S}/change-requests/${id}`, [{ page, markdown: `${before}Last words, proposed ${i}.\n` }])
    await edit(call, S, [{ page, markdown: `First words, edited ${i}.\n\n${before}Last words.\n` }])
    requests.push(id)
  }
  await server.longestTurn()
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
  await server.longestTurn()
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
  const read = {
    name: `  reads beside it: ${reads.length}`,
    milliseconds: reads[reads.length >> 1],
    cpu: 0,
    kilobytes: 0,
  }
  return [row, read]
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
  const times = []
  const cpu = cpuSeconds(server.pid)
  const bytes = writtenBytes(server.pid)
  for (const item of items) {
    const started = performance.now()
    await work(item)
    times.push(performance.now() - started)
  }
  times.sort((a, b) => a - b)
  return {
    name,
    milliseconds: times[times.length >> 1],
    cpu: ((cpuSeconds(server.pid) - cpu) / items.length) * 1000,
    kilobytes: (writtenBytes(server.pid) - bytes) / items.length / 1024,
    turn: await server.longestTurn(),
  }
}
