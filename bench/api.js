// The API: small reads, pages, lists, searches and writes against bare node:http with the same bytes.
import { caller, headers } from './kit/call.js'
import { compare, isWanted } from './kit/compare.js'
import { startLectern } from './kit/process.js'
import { makeWords, wordOf } from './kit/words.js'

export async function run() {
  const server = await startLectern()
  try {
    return { rows: await rowsOf([server]) }
  } finally {
    await server.stop()
  }
}

/** The rows on servers that share one database; `options` are those of `compare`. */
export async function rowsOf(servers, options = {}) {
  const call = caller(servers[0])
  const organization = (await call('GET', '/orgs')).items[0].id
  const space = (await call('POST', `/orgs/${organization}/spaces`, { title: 'Bench' })).id
  const [page, ...rest] = await fill(call, space, 2000)
  const S = `/v1/spaces/${space}`
  const etag = (await fetch(`${servers[0].url}${S}/content/page/${page}`, { headers })).headers.get('etag')
  const rows = []
  const add = async (row) => isWanted(row) && rows.push(await compare({ servers, headers, ...options, ...row }))
  const small = await fillSmall(call, organization)
  await add({ name: 'get user', path: '/v1/user', goal: 0.5 })
  await add({ name: 'get space', path: S, goal: 0.5 })
  await add({ name: 'get page, 20 KB Markdown', path: `${S}/content/page/${page}`, goal: 0.4 })
  const held = { ...headers, 'if-none-match': etag }
  await add({ name: 'get page, 304', path: `${S}/content/page/${page}`, headers: held, goal: 0.7 })
  await add({ name: 'page list of 1,000', path: `/v1/spaces/${small}/content/pages`, goal: 0.5 })
  await add({ name: 'member list', path: `/v1/orgs/${organization}/members` })
  // Other words each time: none is answered from what was kept of the one before.
  const pairs = Array.from(
    { length: 10_000 },
    (_, i) => `${wordOf(20 + (i % 100))}+${wordOf(121 + Math.floor(i / 100))}`,
  )
  await add({ name: 'search, two terms', path: `${S}/search?query=`, suffixes: pairs, goal: 1 / 40 })
  // The same words by an address that is another each time: only the answer of the index can have been kept.
  const others = Array.from({ length: 20_000 }, (_, i) => i)
  const asked = { path: `${S}/search?query=${pairs[4090]}&n=`, suffixes: others }
  await add({ name: 'search, two terms, asked before', ...asked, goal: 1 / 40 })
  const rare = Array.from({ length: 10_000 }, (_, i) => wordOf(10_000 + i))
  await add({ name: 'search, rare word', path: `${S}/search?query=`, suffixes: rare })
  const beginnings = [...new Set(Array.from({ length: 10_000 }, (_, i) => wordOf(i).slice(0, 4)))]
  await add({ name: 'search, prefix', path: `${S}/search?query=`, suffixes: beginnings })
  const comment = (i) => JSON.stringify({ body: { markdown: `A **short** comment, number ${i}.` } })
  await add({
    name: 'post comment, 64 writers',
    path: `${S}/comments`,
    method: 'POST',
    bodies: Array.from({ length: 1000 }, (_, i) => comment(i)),
    connections: 64,
    goal: 0.2,
  })
  const edit = (i) =>
    JSON.stringify({
      changes: [
        {
          operation: 'update_page',
          page: rest[i % rest.length],
          document: { markdown: `## Part\n\nEdit ${i}. ${text.repeat(5)}` },
        },
      ],
    })
  await add({
    name: 'edit a page of 2,000',
    path: `${S}/content`,
    method: 'POST',
    bodies: Array.from({ length: 1000 }, (_, i) => edit(i)),
  })
  await beside(call, S, () =>
    add({ name: 'get page beside a writer', path: `${S}/content/page/${page}`, connections: 8 }),
  )
  return rows
}

const text = 'Lorem ipsum dolor sit amet, consectetur adipiscing elit, sed do eiusmod tempor incididunt ut labore. '

/** While somebody writes twenty times a second, so that what is kept of answers is never kept for long. */
async function beside(call, S, work) {
  let isDone = false
  const writing = (async () => {
    while (!isDone) {
      await call('POST', `${S.replace('/v1', '')}/comments`, { body: { markdown: 'Beside.' } })
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
  })()
  await work()
  isDone = true
  await writing
}

async function fillSmall(call, organization) {
  const space = (await call('POST', `/orgs/${organization}/spaces`, { title: 'Thousand' })).id
  await fill(call, space, 1000)
  return space
}

/** Pages of a hundred words, the first of twenty kilobytes. */
async function fill(call, space, pages) {
  const words = makeWords()
  const ids = []
  for (let done = 0; done < pages; done += 50) {
    const changes = Array.from({ length: Math.min(50, pages - done) }, (_, i) => ({
      operation: 'insert_page',
      title: `Page ${done + i}`,
      document: { markdown: `## Part ${done + i}\n\n${done + i === 0 ? text.repeat(200) : `${words(100)}.`}\n` },
    }))
    const result = await call('POST', `/spaces/${space}/content`, { changes })
    ids.push(...result.changes.map((change) => change.page.id))
  }
  return ids
}
