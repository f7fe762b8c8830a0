// Published sites: pages from memory against bare node:http with the same bytes; pages made anew, searches, a large tree.
import { request } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { caller } from './kit/call.js'
import { compare, isWanted } from './kit/compare.js'
import { startLectern } from './kit/process.js'

const text = 'Lorem ipsum dolor sit amet, *consectetur* adipiscing elit, sed do `eiusmod` tempor incididunt ut labore. '
const code =
  "```js\nimport { createServer } from 'node:http'\n\nconst port = 4000 // where it listens\ncreateServer((_, response) => response.end('ok')).listen(port)\n```\n"

export async function run() {
  const server = await startLectern()
  try {
    return { rows: await rowsOf(server) }
  } finally {
    await server.stop()
  }
}

async function rowsOf(server) {
  const call = caller(server)
  const organization = (await call('GET', '/orgs')).items[0].id
  const site = await publish(call, organization, 'Bench', await plainSpace(call, organization))
  const warm = `${site}/page-1`
  const { headers } = await ask(`${server.url}${warm}`)
  const rows = []
  const add = async (row) => isWanted(row) && rows.push(await compare({ server, ...row }))
  const zipped = { 'accept-encoding': 'gzip, br' }
  // Sent twice, so that the better compression is there.
  for (let i = 0; i < 20; i++) await ask(`${server.url}${warm}`, zipped)
  await new Promise((resolve) => setTimeout(resolve, 500))
  for (const connections of [1, 16, 256]) {
    await add({ name: `warm page, ${connections} connections`, path: warm, connections, goal: 0.7 })
  }
  await add({ name: 'warm page, brotli', path: warm, headers: zipped, goal: 0.7 })
  const held = { 'if-none-match': headers.etag }
  await add({ name: 'warm page, 304', path: warm, headers: held, goal: 0.7 })
  const asset = /href="([^"]+\.css)"/.exec((await ask(`${server.url}${warm}`)).text)?.[1]
  await add({ name: 'style sheet, brotli', path: asset, headers: zipped, goal: 0.7 })
  await beside(call, organization, () => add({ name: 'warm page beside a writer', path: warm, goal: 0.5 }))
  rows.push(await times('first time, 20 KB page', server, (i) => `${site}/page-${i + 2}`, 100, { most: 15 }))
  rows.push(await typing(server, site))
  const large = await publish(call, organization, 'Large', await largeSpace(call, organization))
  rows.push(await times('10,000 pages, at once', server, () => `${large}/part-0/page-1`, 1))
  rows.push(await times('10,000 pages, first time', server, (i) => `${large}/part-${i + 1}/page-7`, 80, { most: 15 }))
  return rows
}

/** Requests one after the other, each for another path. */
async function times(name, server, pathOf, count, { most } = {}) {
  const taken = []
  let bytes = 0
  for (let i = 0; i < count; i++) {
    const started = performance.now()
    const { status, text } = await ask(`${server.url}${pathOf(i)}`)
    taken.push(performance.now() - started)
    if (status !== 200) throw new Error(`${pathOf(i)} answered ${status}.`)
    bytes = text.length
  }
  return { name, most, ...spreadOf(taken), note: `${Math.round(bytes / 1024)} KB of HTML` }
}

/** A word as it is typed, letter by letter. */
async function typing(server, site) {
  const taken = []
  for (const word of ['consectetur', 'incididunt', 'adipiscing elit', 'zebra crossing']) {
    for (let length = 1; length <= word.length; length++) {
      const started = performance.now()
      const query = encodeURIComponent(word.slice(0, length))
      await ask(`${server.url}${site}/~search?q=${query}`, { accept: 'application/json' })
      taken.push(performance.now() - started)
    }
  }
  return { name: 'search as you type', most: 50, ...spreadOf(taken) }
}

function spreadOf(taken) {
  const sorted = [...taken].sort((a, b) => a - b)
  const at = (share) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]
  return { p50: at(0.5), p99: at(0.99) }
}

const ask = (url, headers = {}) =>
  new Promise((resolve, reject) => {
    const one = request(url, { headers }, async (response) => {
      const bytes = await buffer(response)
      resolve({ status: response.statusCode, headers: response.headers, text: bytes.toString() })
    })
    one.on('error', reject)
    one.end()
  })

async function beside(call, organization, work) {
  const space = (await call('POST', `/orgs/${organization}/spaces`, { title: 'Beside' })).id
  let isDone = false
  const writing = (async () => {
    while (!isDone) {
      await call('POST', `/spaces/${space}/comments`, { body: { markdown: 'Beside.' } })
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
  })()
  await work()
  isDone = true
  await writing
}

async function publish(call, organization, title, space) {
  const site = await call('POST', `/orgs/${organization}/sites`, { title, spaces: [space] })
  await call('POST', `/orgs/${organization}/sites/${site.id}/publish`)
  return `/sites/${site.basename}`
}

/** Pages of twenty kilobytes with some code. */
async function plainSpace(call, organization) {
  const space = (await call('POST', `/orgs/${organization}/spaces`, { title: 'Plain' })).id
  for (let done = 0; done < 120; done += 20) {
    const changes = Array.from({ length: 20 }, (_, i) => ({
      operation: 'insert_page',
      title: `Page ${done + i}`,
      document: {
        markdown: Array.from(
          { length: 8 },
          (_, n) =>
            `## Part ${n}\n\n${text.repeat(24)}\n\n${n === 0 ? code.replace('4000', String(4000 + done + i)) : ''}`,
        ).join('\n\n'),
      },
    }))
    await call('POST', `/spaces/${space}/content`, { changes })
  }
  return space
}

async function largeSpace(call, organization) {
  const space = (await call('POST', `/orgs/${organization}/spaces`, { title: 'Ten thousand' })).id
  const insert = async (changes) => (await call('POST', `/spaces/${space}/content`, { changes })).changes
  const page = (title, into) => ({
    operation: 'insert_page',
    title,
    document: { markdown: 'Words.' },
    ...(into && { into }),
  })
  for (let part = 0; part < 100; part += 50) {
    const parts = await insert(Array.from({ length: 50 }, (_, i) => page(`Part ${part + i}`)))
    for (const made of parts) {
      for (const from of [0, 50]) {
        await insert(Array.from({ length: from === 0 ? 50 : 49 }, (_, i) => page(`Page ${from + i}`, made.page.id)))
      }
    }
  }
  return space
}
