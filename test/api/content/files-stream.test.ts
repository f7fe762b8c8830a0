/** Files over real sockets: large ones in little memory, and senders and readers that go away half-way. */
import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { readdirSync, readlinkSync, rmSync } from 'node:fs'
import { Agent, type ClientRequest, type IncomingMessage, request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { beforeAll, expect, test } from 'vitest'
import { eachBackend } from '../../kit/backends.ts'
import { bundleChild, type Child, startChild } from '../../kit/child.ts'
import { formEnd, formType, part } from '../../kit/forms.ts'

const MiB = 1024 * 1024
const token = 'lct_files-stream-test-token'
const opening = part({ name: 'large.bin', bytes: '' }).subarray(0, -2)
const piece = randomBytes(64 * 1024)

eachBackend((backend) => {
  let port = 0
  let child: Child
  let spaceId = ''
  let folder = ''

  beforeAll(async () => {
    const place = await backend.make()
    folder = place.folder
    child = startChild(await bundleChild('test/api/content/files-server.ts'), [], {
      DATABASE_URL: place.location,
      LECTERN_DATA: place.folder,
      LECTERN_ADMIN_TOKEN: token,
    })
    const [, at, organization] = (await child.says('port ')).split(' ')
    port = Number(at)
    spaceId = (await json<{ id: string }>('POST', `/v1/orgs/${organization}/spaces`, { title: 'Large' })).id
    return async () => {
      await child.kill()
      await place.drop()
    }
  })

  const json = async <T>(method: string, path: string, body?: object): Promise<T> => {
    const response = await fetch(`http://127.0.0.1:${port}${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, ...(body ? { 'content-type': 'application/json' } : {}) },
      ...(body ? { body: JSON.stringify(body) } : {}),
    })
    return (await response.json()) as T
  }
  const watched = (): Promise<{ peak: number; rss: number; delay: number }> => json('GET', '/watched')
  const revision = async (): Promise<string> =>
    (await json<{ revision: string }>('GET', `/v1/spaces/${spaceId}`)).revision

  interface Sent {
    status: number
    body: { files: { downloadURL: string; size: number }[]; error?: { type: string } }
    sent: number
    hash: string
    connection: string | undefined
  }

  /** Sends a form whose file is made on the way; stops when the answer comes first. */
  const send = (
    size: number,
    options: { bearer?: string; cutAfter?: number; agent?: Agent; space?: string } = {},
  ): Promise<Sent> =>
    new Promise((resolve, reject) => {
      const hash = createHash('sha256')
      let sent = 0
      let answered = false
      const outgoing = request({
        port,
        host: '127.0.0.1',
        method: 'POST',
        path: `/v1/spaces/${options.space ?? spaceId}/content/files`,
        headers: { authorization: `Bearer ${options.bearer ?? token}`, 'content-type': formType },
        ...(options.agent ? { agent: options.agent } : {}),
      })
      outgoing.on('error', (error) => {
        if (!answered) reject(error)
      })
      outgoing.on('response', async (response: IncomingMessage) => {
        answered = true
        let text = ''
        for await (const chunk of response) text += chunk
        resolve({
          status: response.statusCode ?? 0,
          body: JSON.parse(text),
          sent,
          hash: hash.digest('hex'),
          connection: response.headers.connection,
        })
      })
      const write = async () => {
        outgoing.write(opening)
        while (sent < size && !answered) {
          if (options.cutAfter !== undefined && sent >= options.cutAfter) return outgoing.destroy(new Error('cut'))
          const bytes = Buffer.from(piece)
          bytes.writeUInt32LE(sent / 1024)
          const part = bytes.subarray(0, Math.min(bytes.length, size - sent))
          hash.update(part)
          sent += part.length
          if (!outgoing.write(part)) await roomIn(outgoing)
          // A sender that only writes would never see an answer.
          await new Promise(setImmediate)
        }
        outgoing.end(Buffer.concat([Buffer.from('\r\n'), formEnd]))
      }
      write().catch(reject)
    })

  const download = async (url: string, headers: Record<string, string> = {}) => {
    const response = await fetch(`http://127.0.0.1:${port}${new URL(url).pathname}`, { headers })
    const hash = createHash('sha256')
    let size = 0
    for await (const chunk of response.body ?? []) {
      hash.update(chunk)
      size += chunk.length
    }
    return { status: response.status, size, hash: hash.digest('hex') }
  }

  /** 100 MiB there and back: how much memory grew, for how long the loop stood still. */
  const thereAndBack = async () => {
    await watched()
    const before = (await watched()).rss
    const began = performance.now()
    const { status, body, hash, connection } = await send(100 * MiB)
    const put = performance.now()
    const up = await watched()
    expect([status, body.files[0]?.size, connection]).toEqual([201, 100 * MiB, 'keep-alive'])
    const middle = performance.now()
    const got = await download(body.files[0]?.downloadURL ?? '')
    const taken = performance.now()
    const down = await watched()
    expect(got).toEqual({ status: 200, size: 100 * MiB, hash })
    const grown = { up: (up.peak - before) / MiB, down: (down.peak - before) / MiB }
    console.log(
      `${backend.name}: 100 MiB up in ${Math.round(put - began)} ms (RSS +${grown.up.toFixed(1)} MiB, loop ${up.delay.toFixed(0)} ms), ` +
        `down in ${Math.round(taken - middle)} ms (RSS +${grown.down.toFixed(1)} MiB, loop ${down.delay.toFixed(0)} ms); base ${(before / MiB).toFixed(0)} MiB`,
    )
    return grown
  }

  test('takes 100 MiB and gives them back in little memory', async () => {
    // What a process takes to warm up is not what a file takes.
    for (let round = 0; round < 3; round++) await download((await send(10 * MiB)).body.files[0]?.downloadURL ?? '')
    // The driver of PostgreSQL reads bytes as text, and the collector lets that garbage grow further.
    const most = backend.name === 'postgres' ? 100 : 40
    for (let round = 0; round < 2; round++) {
      const grown = await thereAndBack()
      expect(grown.up).toBeLessThan(40)
      expect(grown.down).toBeLessThan(most)
    }
  }, 120_000)

  test('stops a file that is larger while it comes, and tells the sender', async () => {
    const before = await revision()
    const { status, body, sent, connection } = await send(10_000 * MiB)
    expect([status, body.error?.type, connection]).toEqual([413, 'too_large', 'close'])
    // How much is on its way until the sender looks up is the sender's business; that it ends is ours.
    expect(sent).toBeLessThan(2000 * MiB)
    expect(await revision()).toBe(before)
    expect(leftovers()).toEqual([])
  }, 120_000)

  test('refuses before it reads: no token, no such space', async () => {
    for (const [options, status] of [
      [{ bearer: 'wrong' }, 401],
      [{ space: 'abcdefghij0123456789' }, 404],
    ] as const) {
      const answer = await send(10_000 * MiB, options)
      expect([answer.status, answer.connection]).toEqual([status, 'close'])
      expect(answer.sent).toBeLessThan(2000 * MiB)
    }
  }, 60_000)

  test('keeps nothing of a sender that goes away', async () => {
    const before = await revision()
    for (const cutAfter of [0, 64 * 1024, 3 * MiB, 20 * MiB])
      await expect(send(50 * MiB, { cutAfter })).rejects.toThrow('cut')
    await until(() => leftovers().length === 0)
    expect(await revision()).toBe(before)
    expect((await send(MiB)).status).toBe(201)
  }, 60_000)

  test('stops reading for a reader that goes away', async () => {
    const { body } = await send(100 * MiB)
    for (let round = 0; round < 10; round++) await readALittle(body.files[0]?.downloadURL ?? '')
    await until(() => openBlobs().length === 0)
    await watched()
    await sleep(300)
    // Nobody is served, so nothing turns the loop.
    expect((await watched()).rss).toBeLessThan(400 * MiB)
  }, 60_000)

  test('stops reading for a reader of an export who goes away', async () => {
    const { url } = await json<{ url: string }>('GET', `/v1/spaces/${spaceId}/content/export`)
    for (let round = 0; round < 5; round++) await readALittle(url)
    await until(() => openBlobs().length === 0)
  }, 60_000)

  test('keeps the connection of a sender that was heard to the end', async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    for (let round = 0; round < 3; round++) expect((await send(300_000, { agent })).status).toBe(201)
    expect(Object.values(agent.freeSockets).flat()).toHaveLength(1)
    agent.destroy()
  })

  test('takes many at once in little memory', async () => {
    await watched()
    const before = (await watched()).rss
    const answers = await Promise.all(Array.from({ length: 20 }, () => send(10 * MiB)))
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 20 }, () => 201))
    const { peak, delay } = await watched()
    console.log(
      `${backend.name}: 20 × 10 MiB at once, RSS +${((peak - before) / MiB).toFixed(1)} MiB, loop ${delay.toFixed(0)} ms`,
    )
    expect((peak - before) / MiB).toBeLessThan(150)
  }, 60_000)

  if (backend.name === 'sqlite')
    test('an export that meets a missing file breaks off, and the server goes on', async () => {
      const { url } = await json<{ url: string }>('GET', `/v1/spaces/${spaceId}/content/export`)
      rmSync(`${folder}/blobs`, { recursive: true })
      await expect(download(url)).rejects.toThrow()
      expect(await revision()).toMatch(/^\w+$/)
    })

  /** The first bytes of an answer, whose connection is closed then. */
  const readALittle = (url: string): Promise<void> =>
    new Promise((resolve) => {
      const incoming = request({ port, host: '127.0.0.1', path: new URL(url).pathname }, (response) => {
        response.once('data', () => {
          response.destroy()
          resolve()
        })
      })
      incoming.on('error', () => {})
      incoming.end()
    })

  /** Drafts in the folder; those in the database are gone with their put. */
  const leftovers = (): string[] =>
    backend.name === 'sqlite' ? readdirSync(`${folder}/blobs/tmp`).filter((name) => name !== '') : []

  /** Files of the store that the server holds open. */
  const openBlobs = (): string[] => {
    const fds = `/proc/${child.process.pid}/fd`
    return readdirSync(fds).filter((fd) => {
      try {
        return readlinkSync(`${fds}/${fd}`).includes('/blobs/')
      } catch {
        return false
      }
    })
  }
})

async function until(isSo: () => boolean): Promise<void> {
  for (let i = 0; i < 100 && !isSo(); i++) await sleep(50)
  expect(isSo()).toBe(true)
}

/** When more can be written, or an answer may have come that makes writing pointless. */
async function roomIn(outgoing: ClientRequest): Promise<void> {
  const waited = new AbortController()
  await Promise.race([once(outgoing, 'drain', { signal: waited.signal }).catch(() => {}), sleep(200)])
  waited.abort()
}
