/**
 * Two writers on one page of a real server that is killed while they write, over a network that loses requests and answers: at
 * the end both and the server hold the same, and every word is there. `APP_SERVER_SESSIONS` makes longer runs. The same with
 * simulated time, hundreds of times, is in `test/app/sessions.test.ts`.
 */
import { rmSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { memoryJournal } from '../../src/app/saving/journal.ts'
import { isEqual } from '../../src/app/saving/patch.ts'
import { pageRemote } from '../../src/app/saving/remote.ts'
import { type Client, makeClient } from '../../src/client/client.ts'
import { httpTransport } from '../../src/client/http.ts'
import { openWriter, type Random, randomFrom, type Writer, wordsOf } from '../app/writer.ts'
import { makeFolder, sqlite } from '../kit/backends.ts'
import { adminToken, type Running, startProcess } from './process.ts'

const sessions = Number(process.env.APP_SERVER_SESSIONS ?? 3)
/** How much faster than on the clock the writers' pauses pass. */
const speed = 10

const clock = {
  now: () => Date.now() * speed,
  after(pause: number, run: () => void) {
    const timer = setTimeout(run, pause / speed)
    return () => clearTimeout(timer)
  },
}

/** A client of whichever server runs now; one call in ten is lost on the way there, one in ten on the way back. */
function faultyClient(server: () => Running, random: Random): Client {
  return makeClient(async (call) => {
    if (random() < 0.1) throw new TypeError('The request was lost.')
    const answer = await httpTransport({ url: server().url, token: adminToken, timeout: 5_000 })(call)
    if (random() < 0.1) throw new TypeError('The answer was lost.')
    return answer
  })
}

test(`${sessions} sessions of two writers, with the server killed under them, end equal and lose nothing`, {
  timeout: 60_000 + sessions * 60_000,
}, async () => {
  const place = await sqlite.make()
  const folder = makeFolder()
  const location = `${folder}/lectern.db`
  const env = { LECTERN_RATE_LIMIT: '0' }
  let server = await startProcess({ location, folder, env })
  let kills = 0
  let words = 0
  try {
    const organizationId = (await server.client().listOrganizationsForAuthenticatedUser()).items[0]?.id ?? ''
    for (let seed = 1; seed <= sessions; seed += 1) {
      const random = randomFrom(seed)
      const space = (await server.client().createSpace({ organizationId, body: { title: `Session ${seed}` } })).id
      const made = await server.client().updateSpaceContent({
        spaceId: space,
        body: {
          changes: [
            { operation: 'insert_page', title: 'Page', document: { markdown: 'one two three\n\nfour five\n\nsix' } },
          ],
        },
      })
      const [change] = made.changes
      const page = change?.object === 'created_page' ? change.page.id : ''
      const remote = pageRemote(
        faultyClient(() => server, random),
        { space, page },
      )
      const sure = (): ReturnType<typeof remote.read> => pageRemote(server.client(), { space, page }).read()
      let count = 0
      const open = async (name: string): Promise<Writer> => {
        const writer = openWriter(
          {
            name,
            tab: name,
            remote,
            journal: memoryJournal(),
            clock,
            random,
            makeKey: () => `${name}-${seed}-${++count}`,
          },
          await sure(),
        )
        await writer.session.start()
        return writer
      }
      const writers = [await open('ann'), await open('ben')]
      const wanted = new Set<string>()
      for (let step = 0; step < 30; step += 1) {
        const at = random() < 0.5 ? 0 : 1
        const { wrote, deleted = [] } = writers[at]?.edit(`w${++count}${at === 0 ? 'a' : 'b'}`) ?? {}
        if (wrote !== undefined) wanted.add(wrote)
        for (const word of deleted) wanted.delete(word)
        if (step === 10 || step === 20) {
          kills += 1
          // In the middle of whatever is under way.
          await sleep(random() * 60)
          await server.end('SIGKILL')
          server = await startProcess({ location, folder, env })
        }
        await sleep(random() * 40)
      }
      const isDone = async (): Promise<boolean> => {
        const { revision } = await sure()
        for (const writer of writers) writer.session.remoteChanged(revision)
        await Promise.all(writers.map((writer) => writer.session.flush()))
        return writers.every((writer) => !writer.session.hasUnsaved && writer.session.revision === revision)
      }
      await expect.poll(isDone, { timeout: 40_000, interval: 100, message: `session ${seed} comes to rest` }).toBe(true)
      const head = await sure()
      for (const writer of writers) expect(isEqual(writer.blocks(), head.blocks), `session ${seed}: equal`).toBe(true)
      const there = wordsOf(head.blocks)
      expect(
        [...wanted].filter((word) => !there.has(word)),
        `session ${seed}: nothing is lost`,
      ).toEqual([])
      words += wanted.size
      for (const writer of writers) writer.session.stop()
    }
    console.log(`${sessions} sessions, ${kills} kills: ${words} words written and kept`)
  } finally {
    await server.end('SIGKILL')
    rmSync(folder, { recursive: true, force: true })
    await place.drop()
  }
})
