// What one edit, one read, one merge and one list cost as a space grows: CPU, time and bytes written, by its number of pages.
import { fill, text } from './kit/pages.js'
import { cpuSeconds, residentMegabytes, startLectern, token, writtenBytes } from './kit/process.js'

const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
const sizes = (process.env.SIZES ?? '100,1000,10000').split(',').map(Number)

export async function run() {
  const server = await startLectern()
  const call = async (method, path, body) => {
    const response = await fetch(`${server.url}/v1${path}`, { method, headers, body: body && JSON.stringify(body) })
    if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${await response.text()}`)
    return response.json()
  }
  const organization = (await call('GET', '/orgs')).items[0].id
  const measured = []
  for (const size of sizes) measured.push(await measure(server, call, organization, size))
  const memory = { loaded: residentMegabytes(server.pid) }
  await server.stop()
  const [smallest] = measured
  const rows = measured.flatMap((one) =>
    ['edit', 'read', 'merge', 'list'].map((name) => ({
      name: `${name} at ${one.size} pages`,
      milliseconds: one[name].milliseconds,
      cpu: one[name].cpu,
      kilobytes: one[name].kilobytes,
      growth: one[name].cpu / smallest[name].cpu,
    })),
  )
  return { rows, memory }
}

async function measure(server, call, organization, size) {
  const space = (await call('POST', `/orgs/${organization}/spaces`, { title: `Space of ${size}` })).id
  const pages = await fill(call, space, size)
  const S = `/spaces/${space}`
  const edit = (page, words) => ({
    changes: [{ operation: 'update_page', page, document: { markdown: `## Part\n\n${text.repeat(5)}\n\n${words}` } }],
  })
  const some = (i) => pages[(i * 7919) % pages.length]
  const result = { size }
  result.edit = await each(server, 40, (i) => call('POST', `${S}/content`, edit(some(i), `edit ${i}`)))
  result.read = await each(server, 200, (i) => call('GET', `${S}/content/page/${some(i)}`))
  const requests = []
  for (let i = 0; i < 20; i++) {
    const { id } = await call('POST', `${S}/change-requests`, {})
    await call('POST', `${S}/change-requests/${id}/content`, edit(some(i + 1000), `proposal ${i}`))
    requests.push(id)
  }
  result.merge = await each(server, 20, (i) => call('POST', `${S}/change-requests/${requests[i]}/merge`))
  result.list = await each(server, 5, async (i) => {
    await call('POST', `${S}/content`, edit(some(i + 5000), `again ${i}`))
    const started = performance.now()
    const { pages: tree } = await call('GET', `${S}/content/pages`)
    if (tree.length === 0) throw new Error('The list is empty.')
    return performance.now() - started
  })
  return result
}

/** Medians of so many calls, one after the other. A call that measures itself says its time. */
async function each(server, count, work) {
  const times = []
  const cpu = cpuSeconds(server.pid)
  const bytes = writtenBytes(server.pid)
  for (let i = 0; i < count; i++) {
    const started = performance.now()
    const own = await work(i)
    times.push(typeof own === 'number' ? own : performance.now() - started)
  }
  times.sort((a, b) => a - b)
  return {
    milliseconds: times[count >> 1],
    cpu: ((cpuSeconds(server.pid) - cpu) / count) * 1000,
    kilobytes: (writtenBytes(server.pid) - bytes) / count / 1024,
  }
}
