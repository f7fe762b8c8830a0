/** Readers of a server that cannot keep up: what is at hand goes on, what would have to be made is refused for a moment. */
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { sqlite } from '../../kit/backends.ts'
import { useKit } from '../../kit/server.ts'
import { type Ask, asker, portOf, publishedSite, tokenFor } from './site-kit.ts'

const kit = useKit(sqlite, { delayLimit: 250 })
const patience = 20_000

/** Holds the event loop up until `ask` is refused. */
async function overloaded(ask: Ask, path: string) {
  const until = Date.now() + patience
  let answer = await ask(path)
  while (answer.status !== 503 && Date.now() < until) {
    const end = Date.now() + 700
    while (Date.now() < end);
    await sleep(10)
    answer = await ask(path)
  }
  return answer
}

/** Requests in progress: whoever comes alone is served, however late the event loop is. */
async function keepBusy(): Promise<() => void> {
  const port = await portOf(kit)
  const { token } = kit.people.admin
  const head = `POST /v1/orgs HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n{`
  const sockets = Array.from({ length: 6 }, () => connect(port, '127.0.0.1').on('error', () => {}))
  for (const socket of sockets) socket.write(head)
  await sleep(200)
  return () => {
    for (const socket of sockets) socket.destroy()
  }
}

async function recovered(ask: Ask, path: string) {
  const until = Date.now() + patience
  let answer = await ask(path)
  while (answer.status === 503 && Date.now() < until) {
    await sleep(200)
    answer = await ask(path)
  }
  return answer
}

test('what is kept is sent, what is not is refused, and all of it is there again later', async () => {
  const site = await publishedSite(kit, [{ title: 'Start' }, { title: 'Cold', markdown: 'Made for who asks.' }])
  await kit.as.admin.updateSiteById({ ...site, body: { hostname: 'busy.readers.org' } })
  const hosted: Ask = async (path) => (await asker(kit))(path, { headers: { host: 'busy.readers.org' } })
  const other = await publishedSite(kit, [{ title: 'Start' }], { isPublished: false })
  const closed = await publishedSite(kit, [{ title: 'Start' }], { visibility: 'visitor-auth' })
  const authorization = `Bearer ${await tokenFor(kit, closed)}`
  const open = await publishedSite(kit, [{ title: 'Start' }, { title: 'Cold', markdown: 'Made for who asks.' }])
  const asset = /"([^"]+\/~assets\/[^"]+\.js)"/.exec((await recovered(open.ask, '')).text)?.[1] ?? ''
  expect((await (await asker(kit))(asset)).status).toBe(200)
  await recovered(hosted, '/')

  const rest = await keepBusy()
  const refused = await overloaded(open.ask, '/never-made')
  expect(refused.status).toBe(503)
  expect(refused.headers).toMatchObject({ 'retry-after': '1', 'cache-control': 'private, no-store' })
  const mcp = { 'content-type': 'application/json', accept: 'application/json' }
  const [page, file, cold, found, called, shut, hidden, signed, never, far, farCold, farMetrics] = await Promise.all([
    open.ask(''),
    (await asker(kit))(asset),
    open.ask('/cold'),
    open.ask('/~search?q=made', { headers: { accept: 'application/json' } }),
    open.ask('/~mcp', { method: 'POST', headers: mcp, body: '{}' }),
    closed.ask(''),
    other.ask(''),
    closed.ask('', { headers: { authorization } }),
    (await asker(kit))('/sites/never-was'),
    hosted('/'),
    hosted('/cold'),
    hosted('/metrics'),
  ])
  // At hand: a page for all that was read before, and the files of the look.
  expect([page.status, file.status, far.status]).toEqual([200, 200, 200])
  const refusals = [cold, found, called, signed, farCold, farMetrics]
  expect(refusals.map((answer) => answer.status)).toEqual([503, 503, 503, 503, 503, 503])
  for (const answer of refusals) expect(answer.headers['retry-after']).toBe('1')
  // Which sites there are is told by no refusal.
  expect([shut, hidden, never].map((answer) => [answer.status, answer.text])).toEqual(
    [1, 2, 3].map(() => [503, cold.text]),
  )

  rest()
  expect((await recovered(open.ask, '/cold')).text).toContain('Made for who asks.')
  expect((await closed.ask('', { headers: { authorization } })).status).toBe(200)
  expect((await other.ask('')).status).toBe(404)
}, 60_000)
