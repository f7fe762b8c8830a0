/**
 * kill -9 in the middle of merges, again and again. After the next start main is what it was or what it became, whole: a
 * change request that was acknowledged as merged is there on every page, one that is not merged on none, and the search and
 * the links agree. `KILL_MERGE_ROUNDS` makes a longer run.
 */
import { rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { eachBackend, makeFolder } from '../kit/backends.ts'
import { type Ground, makeGround, problemsIn, propose, wordsInMain } from './merging.ts'
import { type Running, startProcess } from './process.ts'

const rounds = Number(process.env.KILL_MERGE_ROUNDS ?? 3)
const requests = 8
const size = { pages: 10, parts: 16 }

eachBackend((backend) => {
  test(`tears no merge apart in ${rounds} kills`, async () => {
    const made = await backend.make()
    // The disk, not memory: this is about what a sync is worth.
    const folder = makeFolder(tmpdir())
    const place = { folder, location: backend.name === 'sqlite' ? `${folder}/lectern.db` : made.location }
    const env = { LECTERN_RATE_LIMIT: '0' }
    const tally = { acknowledged: 0, landed: 0, refused: 0 }
    try {
      let server = await startProcess({ ...place, env })
      const ground = await makeGround(server.client(), size)
      for (let round = 0; round < rounds; round++) {
        const proposed = await Promise.all(
          Array.from({ length: requests }, (_, i) =>
            propose(server.client(), ground, { part: (round + i) % size.parts, word: `r${round}c${i}` }),
          ),
        )
        const acknowledged = await mergeUntilKilled(server, ground, proposed)
        server = await startProcess({ ...place, env })
        const merged = await compare(server, ground, { proposed, acknowledged })
        tally.acknowledged += acknowledged.size
        tally.landed += merged.length
        tally.refused += requests - merged.length
        for (const { part, text, id } of proposed)
          if (merged.includes(id)) ground.parts[part] = text
          else await archive(server, ground, id)
        if (round % 10 === 0 || round === rounds - 1) expect(await problemsIn(place)).toEqual([])
      }
      await server.end('SIGTERM')
    } finally {
      rmSync(folder, { recursive: true, force: true })
      await made.drop()
    }
    console.log(
      `${backend.name}: ${rounds} kills, ${tally.acknowledged} merges acknowledged, ${tally.landed} landed, ${tally.refused} not`,
    )
    expect(tally.landed).toBeGreaterThan(0)
    expect(tally.refused).toBeGreaterThan(0)
  }, 3_600_000)
})

const archive = (server: Running, { spaceId }: Ground, changeRequestId: string) =>
  server.client().updateChangeRequestById({ spaceId, changeRequestId, body: { status: 'archived' } })

type Proposed = Awaited<ReturnType<typeof propose>>

/** The ids of those whose merge was acknowledged before the process died. */
async function mergeUntilKilled(server: Running, { spaceId }: Ground, proposed: readonly Proposed[]) {
  const acknowledged = new Set<string>()
  // At some moment after some of them: never the same one twice.
  const enough = Math.floor(Math.random() * (requests - 1))
  const kill = async () => {
    await sleep(Math.random() * 20)
    server.process.kill('SIGKILL')
  }
  let killing: Promise<void> | undefined
  const merges = proposed.map(async ({ id }) => {
    try {
      const { result } = await server.client().mergeChangeRequest({ spaceId, changeRequestId: id })
      expect(result).toBe('merge')
      acknowledged.add(id)
      if (acknowledged.size > enough) killing ??= kill()
    } catch (error) {
      if (!killing) throw error
    }
  })
  if (enough === 0) killing ??= kill()
  await Promise.all(merges)
  await killing
  expect(await server.end('SIGKILL')).toBe('SIGKILL')
  return acknowledged
}

/** The ids of those that are merged now; each is whole, and found. */
async function compare(
  server: Running,
  ground: Ground,
  { proposed, acknowledged }: { proposed: readonly Proposed[]; acknowledged: ReadonlySet<string> },
): Promise<string[]> {
  const client = server.client()
  const { spaceId, pages } = ground
  const inMain = await wordsInMain(
    client,
    ground,
    proposed.map(({ word }) => word),
  )
  const merged: string[] = []
  for (const { id, word } of proposed) {
    const { status, revisionMerged } = await client.getChangeRequestById({ spaceId, changeRequestId: id })
    expect(status === 'merged', word).toBe(inMain.includes(word))
    expect(revisionMerged !== undefined).toBe(status === 'merged')
    if (status === 'merged') merged.push(id)
    const found = await client.searchSpaceContent({ spaceId, query: { query: word, limit: 50 } })
    expect(found.count, `search for ${word}`).toBe(status === 'merged' ? pages.length : 0)
  }
  expect([...acknowledged].filter((id) => !merged.includes(id))).toEqual([])
  return merged
}
