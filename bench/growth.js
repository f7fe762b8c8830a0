// What one edit, read, merge, search and list cost as a space grows: CPU, time and bytes written, by its number of pages.
import { caller, headers } from './kit/call.js'
import { each, withGrowth } from './kit/each.js'
import { fill, text } from './kit/pages.js'
import { residentMegabytes, startLectern } from './kit/process.js'

const sizes = (process.env.SIZES ?? '100,1000,10000,100000').split(',').map(Number)

export async function run() {
  const server = await startLectern({ probed: true })
  const call = caller(server)
  const organization = (await call('GET', '/orgs')).items[0].id
  const measured = []
  const memory = {}
  for (const size of sizes) {
    measured.push(...(await measure(server, call, organization, size)))
    memory[`after ${size}`] = residentMegabytes(server.pid)
  }
  await server.stop({ keep: true })
  const again = await startLectern({ folder: server.folder })
  measured.push({ name: `start with ${sizes.at(-1)} pages`, value: again.startMilliseconds, unit: 'ms', most: 1000 })
  await again.stop()
  const isGrowing = (row) => row.operation !== undefined
  return { rows: [...withGrowth(measured.filter(isGrowing)), ...measured.filter((row) => !isGrowing(row))], memory }
}

async function measure(server, call, organization, size) {
  const space = (await call('POST', `/orgs/${organization}/spaces`, { title: `Space of ${size}` })).id
  const started = performance.now()
  const pages = await fill(call, space, size)
  const rows = [{ name: `making ${size} pages`, value: (performance.now() - started) / 1000, unit: 's' }]
  const S = `/spaces/${space}`
  const edit = (page, words) => ({
    changes: [{ operation: 'update_page', page, document: { markdown: `## Part\n\n${text.repeat(5)}\n\n${words}` } }],
  })
  const some = (i) => pages[(i * 7919) % pages.length]
  const row = async (operation, count, work) => {
    await work(count)
    await server.longestTurn()
    const result = await each(server, count, work)
    const turn = await server.longestTurn()
    rows.push({ name: `${operation} at ${size} pages`, operation, size, ...result, turn })
  }
  await row('edit', 40, (i) => call('POST', `${S}/content`, edit(some(i), `edit ${i}`)))
  // Another number each time: what is kept of answers would be measured otherwise.
  await row('read', 200, (i) => call('GET', `${S}/content/page/${some(i)}?n=${i}`))
  await row('get space', 100, (i) => call('GET', `${S}?n=${i}`))
  // Another page's number each time, for the same reason.
  await row('search', 40, (i) => call('GET', `${S}/search?query=lorem+${(i * 37) % size}`))
  const requests = []
  for (let i = 0; i < 21; i++) {
    const { id } = await call('POST', `${S}/change-requests`, {})
    await call('POST', `${S}/change-requests/${id}/content`, edit(some(i + 1000), `proposal ${i}`))
    requests.push(id)
  }
  await row('merge', 20, (i) => call('POST', `${S}/change-requests/${requests[i]}/merge`))
  await row('list', 5, async (i) => {
    await call('POST', `${S}/content`, edit(some(i + 5000), `again ${i}`))
    // Until the last byte is here: what a client makes of it is its own affair.
    const asked = performance.now()
    const bytes = await (await fetch(`${server.url}/v1${S}/content/pages`, { headers })).arrayBuffer()
    const taken = performance.now() - asked
    if (bytes.byteLength < size * 50) throw new Error('The list lacks pages.')
    return taken
  })
  return rows
}
