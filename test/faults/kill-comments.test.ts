/**
 * kill -9 while many write comments that share transactions: what was acknowledged is there once, and counts and events are those of
 * the comments that are there. `KILL_COMMENT_ROUNDS` makes a longer run.
 */
import { rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { expect, test } from 'vitest'
import { walk } from '../../src/client/walk.ts'
import { openDatabase } from '../../src/store/database.ts'
import { eachBackend, makeFolder } from '../kit/backends.ts'
import { type Running, startProcess } from './process.ts'

const rounds = Number(process.env.KILL_COMMENT_ROUNDS ?? 3)
const writers = 32

eachBackend((backend) => {
  test(`loses no comment and counts none twice in ${rounds} kills`, {
    timeout: 300_000 + rounds * 20_000,
  }, async () => {
    const place = await backend.make()
    // The disk, not memory: this is about what a sync is worth.
    const folder = makeFolder(tmpdir())
    const location = backend.name === 'sqlite' ? `${folder}/lectern.db` : place.location
    const acknowledged = new Map<string, string>()
    let spaceId = ''
    try {
      for (let round = 0; round < rounds; round++) {
        const server = await startProcess({ location, folder, env: { LECTERN_RATE_LIMIT: '0' } })
        spaceId ||= await newSpace(server)
        await writeUntilKilled(server, { spaceId, round, acknowledged })
      }
      const server = await startProcess({ location, folder, env: { LECTERN_RATE_LIMIT: '0' } })
      const found = await commentsIn(server, spaceId)
      const { comments } = await server.client().getSpaceById({ spaceId })
      await server.end('SIGTERM')
      expect([...acknowledged].filter(([id, text]) => found.get(id) !== text)).toEqual([])
      expect(new Set(found.values()).size).toBe(found.size)
      expect(comments).toBe(found.size)
      expect(await eventsOf(location, spaceId)).toEqual(new Set(found.keys()))
      console.log(`${backend.name}: ${acknowledged.size} acknowledged comments, ${found.size} landed`)
      expect(acknowledged.size).toBeGreaterThan(rounds * writers)
    } finally {
      rmSync(folder, { recursive: true, force: true })
      await place.drop()
    }
  })
})

async function newSpace(server: Running): Promise<string> {
  const client = server.client()
  const organizationId = (await client.listOrganizationsForAuthenticatedUser()).items[0]?.id ?? ''
  return (await client.createSpace({ organizationId, body: { title: 'Comments' } })).id
}

/** Killed with comments under way, after each writer has had some acknowledged. */
async function writeUntilKilled(
  server: Running,
  { spaceId, round, acknowledged }: { spaceId: string; round: number; acknowledged: Map<string, string> },
): Promise<void> {
  const client = server.client()
  const enough = acknowledged.size + 3 * writers + Math.floor(Math.random() * 300)
  let isKilled = false
  const write = async (writer: number): Promise<void> => {
    for (let i = 0; !isKilled; i++) {
      const markdown = `r${round} w${writer} n${i}`
      try {
        const { id } = await client.postCommentInSpace({ spaceId, body: { body: { markdown } } })
        acknowledged.set(id, markdown)
      } catch {
        return
      }
      if (acknowledged.size >= enough) {
        isKilled = true
        server.process.kill('SIGKILL')
      }
    }
  }
  await Promise.all(Array.from({ length: writers }, (_, writer) => write(writer)))
  expect(await server.end('SIGKILL')).toBe('SIGKILL')
}

async function commentsIn(server: Running, spaceId: string): Promise<Map<string, string>> {
  const found = new Map<string, string>()
  const asked = { spaceId, query: { limit: 1000 } }
  for await (const { id, body } of walk(server.client().listCommentsInSpace, asked))
    found.set(id, 'markdown' in body ? (body.markdown ?? '') : '')
  return found
}

/** The comments that events tell of. */
async function eventsOf(location: string, spaceId: string): Promise<Set<unknown>> {
  const db = await openDatabase({ location })
  const sql = `select "targetId" from "event" where "action" = 'comment_posted' and "spaceId" = '${spaceId}'`
  const rows = await db.all({ sql, name: '' }, [])
  await db.close()
  const told = rows.map(({ targetId }) => targetId)
  expect(new Set(told).size).toBe(told.length)
  return new Set(told)
}
