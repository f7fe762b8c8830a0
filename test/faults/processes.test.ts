/** Several processes on one PostgreSQL, and one that is asked to stop while it works. */
import { Agent, type RequestOptions, request } from 'node:http'
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { eachBackend, postgres } from '../kit/backends.ts'
import { adminToken, isCalm, type Running, startProcess } from './process.ts'

test('a token revoked on one process is refused by the other within a second', async () => {
  const place = await postgres.make()
  const [one, two] = await Promise.all([startProcess(place), startProcess(place)])
  try {
    const made = await one.client().createApiToken({ body: { label: 'shared' } })
    const onOther = two.client(made.token)
    expect((await onOther.getAuthenticatedUser()).id).toBe((await one.client().getAuthenticatedUser()).id)
    const wasCalm = await isCalm()
    // Used all the time, so that whatever the other process remembers is fresh.
    let refusedAfter = Number.POSITIVE_INFINITY
    await onOther.getAuthenticatedUser()
    await one.client().deleteApiToken({ tokenId: made.id })
    const revoked = performance.now()
    while (performance.now() - revoked < 30_000 && refusedAfter === Number.POSITIVE_INFINITY) {
      await onOther.getAuthenticatedUser().catch((error) => {
        expect(error).toMatchObject({ status: 401 })
        refusedAfter = performance.now() - revoked
      })
      await sleep(10)
    }
    expect(refusedAfter).toBeLessThan(wasCalm && (await isCalm()) ? 1000 : 30_000)
  } finally {
    await Promise.all([one.end('SIGKILL'), two.end('SIGKILL')])
    await place.drop()
  }
}, 240_000)

eachBackend((backend) => {
  test('a session ended on one process is refused by the other within a second', async () => {
    const place = await backend.make()
    const one = await startProcess(place)
    const two = await startProcess(place)
    try {
      const headers = { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin', 'x-lectern-app': '1' }
      const open = await fetch(`${one.url}/v1/sessions`, {
        method: 'POST',
        headers,
        body: JSON.stringify({ token: adminToken }),
      })
      expect(open.status).toBe(201)
      const session: { id: string } = JSON.parse(await open.text())
      const cookie = open.headers.get('set-cookie')?.split(';')[0] ?? ''
      const ask = async () => (await fetch(`${two.url}/v1/user`, { headers: { ...headers, cookie } })).status
      expect(await ask()).toBe(200)
      const wasCalm = await isCalm()
      await one.client().deleteSession({ sessionId: session.id })
      const ended = performance.now()
      while ((await ask()) === 200 && performance.now() - ended < 30_000) await sleep(10)
      expect(performance.now() - ended).toBeLessThan(wasCalm && (await isCalm()) ? 1000 : 30_000)
    } finally {
      await Promise.all([one.end('SIGKILL'), two.end('SIGKILL')])
      await place.drop()
    }
  }, 240_000)
})

test('four processes that start on an empty PostgreSQL make one organization', async () => {
  const place = await postgres.make({ migrated: false })
  const servers = await Promise.all(Array.from({ length: 4 }, () => startProcess(place)))
  try {
    for (const server of servers) {
      const { count, items } = await server.client().listOrganizationsForAuthenticatedUser()
      expect(count).toBe(1)
      const members = await server.client().listMembersInOrganizationById({ organizationId: items[0]?.id ?? '' })
      expect(members.count).toBe(1)
    }
    expect(servers.filter((server) => server.output().includes('first start'))).toHaveLength(1)
  } finally {
    await Promise.all(servers.map((server) => server.end('SIGKILL')))
    await place.drop()
  }
}, 240_000)

eachBackend((backend) => {
  test('SIGTERM lets accepted requests finish, resets none, and exits 0', async () => {
    const place = await backend.make()
    const server = await startProcess(place)
    const agent = new Agent({ keepAlive: true })
    try {
      const organizationId = (await server.client().listOrganizationsForAuthenticatedUser()).items[0]?.id ?? ''
      const slow = await halfRequest(server, organizationId)
      const site = await publishSite(server, organizationId)
      const answered = { team: 0, page: 0 }
      const broken: string[] = []
      const callers = Array.from({ length: 16 }, async (_, caller) => {
        for (let i = 0; ; i++) {
          const kind = (caller + i) % 2 === 0 ? 'team' : 'page'
          const outcome = await (kind === 'team'
            ? putTeam(server, { agent, organizationId, title: `c${caller} n${i}` })
            : readPage(server, { agent, path: site }))
          if (outcome === 'refused') return
          if (outcome === 200 || outcome === 201) answered[kind]++
          else return void broken.push(`${kind}: ${outcome}`)
        }
      })
      await sleep(300)
      const ended = server.end('SIGTERM')
      // As package managers do, which pass on what the terminal has sent to all.
      await sleep(20)
      server.process.kill('SIGTERM')
      await sleep(200)
      slow.finish()
      expect(await slow.answer).toMatch(/^HTTP\/1\.1 201 /)
      const code = await ended
      await Promise.all(callers)
      expect(Math.min(answered.team, answered.page)).toBeGreaterThan(0)
      expect(server.output()).not.toContain('"level":50')
      expect([code, broken]).toEqual([0, []])
    } finally {
      agent.destroy()
      await server.end('SIGKILL')
      await place.drop()
    }
  }, 240_000)
})

async function publishSite(server: Running, organizationId: string): Promise<string> {
  const client = server.client()
  const space = await client.createSpace({ organizationId, body: { title: 'Manual' } })
  const site = await client.createSite({ organizationId, body: { title: 'Manual', spaces: [space.id] } })
  await client.publishSite({ organizationId, siteId: site.id })
  return `/sites/${site.basename}`
}

const putTeam = (
  server: Running,
  { agent, organizationId, title }: { agent: Agent; organizationId: string; title: string },
) =>
  send(
    `${server.url}/v1/orgs/${organizationId}/teams`,
    {
      agent,
      method: 'PUT',
      headers: { authorization: `Bearer ${adminToken}`, 'content-type': 'application/json' },
    },
    JSON.stringify({ title }),
  )

const readPage = (server: Running, { agent, path }: { agent: Agent; path: string }) =>
  send(`${server.url}${path}`, { agent })

/** The status; `refused` when nobody listened; anything else is a request that was accepted and then dropped. */
function send(url: string, options: RequestOptions, body?: string) {
  return new Promise<number | string>((resolve) => {
    const sent = request(url, options)
    sent.on('response', (response) => {
      response.resume()
      response.on('end', () => resolve(response.statusCode ?? 0))
      response.on('error', (error) => resolve(`in the answer: ${error}`))
    })
    sent.on('error', (error: NodeJS.ErrnoException) => {
      // A connection that waited in the queue of the closed port was never accepted.
      const isRefused = error.code === 'ECONNREFUSED' || (error.code === 'ECONNRESET' && !sent.reusedSocket)
      resolve(isRefused ? 'refused' : `${error.code} ${error.message}`)
    })
    sent.end(body)
  })
}

/** A request whose body is still on its way when the server is asked to stop. */
async function halfRequest(server: Running, organizationId: string) {
  const { port } = new URL(server.url)
  const body = JSON.stringify({ title: 'Slow' })
  const socket = connect(Number(port), '127.0.0.1')
  let text = ''
  const answer = new Promise<string>((resolve, reject) => {
    socket.on('data', (bytes) => {
      text += bytes
    })
    socket.on('close', () => resolve(text))
    socket.on('error', reject)
  })
  socket.write(
    `PUT /v1/orgs/${organizationId}/teams HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${adminToken}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body.slice(0, 5)}`,
  )
  await sleep(50)
  return { answer, finish: () => socket.write(body.slice(5)) }
}
