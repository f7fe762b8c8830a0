// The API: small reads, pages, lists and writes against bare node:http with the same bytes.
import { compare } from './kit/compare.js'
import { residentMegabytes, startLectern, token } from './kit/process.js'

const headers = { authorization: `Bearer ${token}` }

export async function run() {
  const server = await startLectern()
  const idle = residentMegabytes(server.pid)
  const call = async (method, path, body) => {
    const response = await fetch(`${server.url}/v1${path}`, {
      method,
      headers: { ...headers, ...(body ? { 'content-type': 'application/json' } : {}) },
      body: body && JSON.stringify(body),
    })
    if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${await response.text()}`)
    return response.json()
  }
  const organization = (await call('GET', '/orgs')).items[0].id
  const space = (await call('POST', `/orgs/${organization}/spaces`, { title: 'Bench' })).id
  const page = await fill(call, space, 1000)
  const S = `/v1/spaces/${space}`
  const etag = (await fetch(`${server.url}${S}/content/page/${page}`, { headers })).headers.get('etag')
  const comment = JSON.stringify({ body: { markdown: 'A **short** comment.' } })
  const rows = []
  const add = async (row) => rows.push(await compare({ server, headers, ...row }))
  await add({ name: 'get user', path: '/v1/user', goal: 0.5 })
  await add({ name: 'get space', path: S, goal: 0.5 })
  await add({ name: 'get page, 20 KB Markdown', path: `${S}/content/page/${page}`, goal: 0.4 })
  await add({
    name: 'get page, 304',
    path: `${S}/content/page/${page}`,
    headers: { ...headers, 'if-none-match': etag },
    expect: 304,
    goal: 0.7,
  })
  await add({ name: 'page list of 1,000', path: `${S}/content/pages`, goal: 0.5 })
  await add({ name: 'member list', path: `/v1/orgs/${organization}/members` })
  await add({ name: 'search, two terms', path: `${S}/search?query=lorem+amet` })
  await add({
    name: 'post comment, 64 writers',
    path: `${S}/comments`,
    method: 'POST',
    bodies: [comment],
    connections: 64,
    goal: 0.2,
  })
  const memory = { idle, loaded: residentMegabytes(server.pid), start: server.startMilliseconds }
  await server.stop()
  return { rows, memory }
}

const text = 'Lorem ipsum dolor sit amet, consectetur adipiscing elit, sed do eiusmod tempor incididunt ut labore. '

async function fill(call, space, pages) {
  let first
  for (let done = 0; done < pages; done += 50) {
    const changes = Array.from({ length: Math.min(50, pages - done) }, (_, i) => ({
      operation: 'insert_page',
      title: `Page ${done + i}`,
      document: { markdown: `## Part\n\n${text.repeat(done + i === 0 ? 200 : 5)}\n` },
    }))
    const result = await call('POST', `/spaces/${space}/content`, { changes })
    first ??= result.changes[0].page.id
  }
  return first
}
