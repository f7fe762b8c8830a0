/** A process that may open few files, and more connections than that: it turns some away, and goes on as before. */
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { sqlite } from '../kit/backends.ts'
import { startProcess } from './process.ts'

test('more connections than files may be open do not break what is loaded later', async () => {
  const place = await sqlite.make()
  const server = await startProcess({ ...place, openFiles: 256 })
  const sockets: Socket[] = []
  try {
    await sleep(1500)
    for (let i = 0; i < 400; i++)
      sockets.push(connect(Number(new URL(server.url).port), '127.0.0.1').on('error', () => {}))
    // Longer than the server waits to load what answers assistants.
    await sleep(3000)
    const open = sockets.filter((socket) => socket.readyState === 'open')
    expect(open.length).toBeGreaterThan(100)
    expect(open.length).toBeLessThan(200)
    for (const socket of sockets) socket.destroy()
    await sleep(500)
    // Passwords, signatures and the reference have had no reason to be loaded before.
    const client = server.client()
    const organizationId = (await client.listOrganizationsForAuthenticatedUser()).items[0]?.id ?? ''
    await client.updateOrganizationMemberLastSeenAt({ organizationId })
    expect((await fetch(`${server.url}/reference`)).status).toBe(200)
    expect(server.output()).not.toContain('EMFILE')
    expect(await server.end('SIGTERM')).toBe(0)
  } finally {
    for (const socket of sockets) socket.destroy()
    await server.end('SIGKILL')
    await place.drop()
  }
}, 60_000)
