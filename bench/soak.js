// Whether memory stays level while a site is edited, merged, searched and read without end, in a process that may use 256 MB
// of heap. `SOAK_SECONDS` (60): ten minutes show what a day would. The heap is read from /metrics after each tenth.
import { setTimeout as sleep } from 'node:timers/promises'
import { caller, headers } from './kit/call.js'
import { fill, text } from './kit/pages.js'
import { residentMegabytes, startLectern } from './kit/process.js'

const seconds = Number(process.env.SOAK_SECONDS ?? 60)
const pagesOfSite = Number(process.env.SOAK_PAGES ?? 500)
const heapMegabytes = Number(process.env.SOAK_HEAP ?? 256)

export async function run() {
  const server = await startLectern({ env: { NODE_OPTIONS: `--max-old-space-size=${heapMegabytes}` } })
  const call = caller(server)
  const organization = (await call('GET', '/orgs')).items[0].id
  const space = (await call('POST', `/orgs/${organization}/spaces`, { title: 'Soak' })).id
  const pages = await fill(call, space, pagesOfSite)
  const site = await call('POST', `/orgs/${organization}/sites`, { title: 'Soak', visibility: 'public' })
  await call('POST', `/orgs/${organization}/sites/${site.id}/site-spaces`, { spaceId: space })
  const { urls } = await call('POST', `/orgs/${organization}/sites/${site.id}/publish`)
  const until = performance.now() + seconds * 1000
  const counts = { merges: 0, reads: 0, failures: 0 }
  const some = (i) => pages[(i * 7919) % pages.length]

  // On a machine that is busy with other things it may ask to come back.
  const merge = async () => {
    for (let i = 0; performance.now() < until; i++) await mergeOne(i).catch(() => sleep(200))
  }
  const mergeOne = async (i) => {
    const S = `/spaces/${space}`
    const request = await call('POST', `${S}/change-requests`, { subject: `Edit ${i}` })
    const document = { markdown: `## Part\n\n${text.repeat(5)}\n\nEdit ${i}.` }
    const changes = [{ operation: 'update_page', page: some(i), document }]
    await call('POST', `${S}/change-requests/${request.id}/content`, { changes })
    await call('POST', `${S}/change-requests/${request.id}/merge`)
    counts.merges++
  }
  const read = async (reader) => {
    const base = urls.published.replace(/\/$/, '')
    const paths = ['', '/llms-full.txt', '/sitemap.xml']
    for (let i = 0; performance.now() < until; i++) {
      const page = some(i * 3 + reader)
      const address =
        i % 3 === 0
          ? `${base}${paths[(i / 3) % paths.length]}`
          : i % 3 === 1
            ? `${server.url}/v1/spaces/${space}/content/page/${page}?format=${i % 2 ? 'document' : 'markdown'}`
            : `${server.url}/v1/spaces/${space}/content/pages`
      const response = await fetch(address, { headers: address.startsWith(base) ? {} : headers }).catch(() => undefined)
      await response?.arrayBuffer().catch(() => {})
      counts.reads++
      if (!response || (response.status >= 500 && response.status !== 503)) counts.failures++
    }
  }
  const heaps = []
  const watch = async () => {
    while (performance.now() < until) {
      await sleep((seconds * 1000) / 10)
      const metrics = await (await fetch(`${server.url}/metrics`, { headers })).text()
      const valueIn = (name) => Number(new RegExp(`^${name} (\\S+)`, 'm').exec(metrics)?.[1]) / 1024 / 1024
      const held = [...metrics.matchAll(/^lectern_cache_bytes\{.*?\} (\S+)/gm)].reduce(
        (sum, [, n]) => sum + Number(n),
        0,
      )
      heaps.push({
        heap: valueIn('lectern_nodejs_heap_size_used_bytes'),
        caches: held / 1024 / 1024,
        resident: residentMegabytes(server.pid),
      })
    }
  }
  await Promise.all([merge(), read(1), read(2), watch()])
  await server.stop()
  const half = heaps.slice(Math.floor(heaps.length / 2))
  const growth = half.at(-1).resident / half[0].resident
  return {
    rows: [
      { name: 'merges', value: counts.merges, unit: '' },
      { name: 'reads', value: counts.reads, unit: '' },
      { name: 'answers of 5xx (but 503) or none', value: counts.failures, unit: '', most: 0 },
      { name: 'memory at the end, of half-way', value: growth, unit: '×', most: 1.15 },
    ],
    memory: Object.fromEntries(heaps.map(({ resident }, i) => [`${i + 1}/10`, resident])),
    heaps,
  }
}
