// Under a minute, for CI: fails only when something has become slower by an order of magnitude.
import { caller, headers } from './kit/call.js'
import { compare } from './kit/compare.js'
import { startLectern } from './kit/process.js'

const quick = { seconds: 0.5, rounds: 3, headers }
const server = await startLectern()
const call = caller(server)
const organization = (await call('GET', '/orgs')).items[0].id
const space = (await call('POST', `/orgs/${organization}/spaces`, { title: 'Smoke' })).id
const changes = Array.from({ length: 50 }, (_, i) => ({
  operation: 'insert_page',
  title: `Page ${i}`,
  document: { markdown: `## Part\n\n${'Lorem ipsum dolor sit amet. '.repeat(i === 0 ? 700 : 20)}` },
}))
const page = (await call('POST', `/spaces/${space}/content`, { changes })).changes[0].page.id
const bodies = Array.from({ length: 100 }, (_, i) => JSON.stringify({ body: { markdown: `Comment ${i}.` } }))

// A tenth of what is measured on a calm machine.
const rows = [
  await compare({ ...quick, name: 'get space', server, path: `/v1/spaces/${space}`, goal: 0.08 }),
  await compare({ ...quick, name: 'get page', server, path: `/v1/spaces/${space}/content/page/${page}`, goal: 0.08 }),
  await compare({
    ...quick,
    name: 'search',
    server,
    path: `/v1/spaces/${space}/search?query=lorem+amet&n=`,
    suffixes: 1000,
    goal: 0.001,
  }),
  await compare({
    ...quick,
    name: 'post comment',
    server,
    path: `/v1/spaces/${space}/comments`,
    method: 'POST',
    bodies,
    connections: 64,
    goal: 0.005,
  }),
]
await server.stop()

const slow = rows.filter((row) => row.ratio < row.goal)
for (const row of rows)
  console.log(
    `${row.name.padEnd(14)} ${row.ratio.toFixed(3)} of the floor, at least ${row.goal}${row.errors ? `, ${row.errors} errors` : ''}`,
  )
if (slow.length > 0) {
  console.error(`Slower by an order of magnitude: ${slow.map((row) => row.name).join(', ')}.`)
  process.exit(1)
}
