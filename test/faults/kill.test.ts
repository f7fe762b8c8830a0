/**
 * kill -9 in the middle of writes, again and again: what was acknowledged is there after the next start.
 *
 * The ledger of acknowledged writes is kept here, outside of the process that dies. `KILL_ROUNDS` makes a longer run.
 */
import { rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { expect, test } from 'vitest'
import { walk } from '../../src/client/walk.ts'
import { eachBackend, makeFolder } from '../kit/backends.ts'
import { isCalm, type Running, startProcess } from './process.ts'

const rounds = Number(process.env.KILL_ROUNDS ?? 8)
const longest = Math.max(600_000, rounds * 20_000)
const writers = 4

eachBackend((backend) => {
  test(
    `loses nothing acknowledged in ${rounds} kills, and starts in two seconds`,
    async () => {
      const place = await backend.make()
      // The disk, not memory: this is about what a sync is worth.
      const folder = makeFolder(tmpdir())
      const location = backend.name === 'sqlite' ? `${folder}/lectern.db` : place.location
      const acknowledged = new Set<string>()
      const unsure = new Set<string>()
      const starts: number[] = []
      try {
        for (let round = 0; round <= rounds; round++) {
          const server = await startProcess({ location, folder })
          starts.push(server.startedIn)
          if (round === rounds || round % 10 === 0) await compare(server, acknowledged, unsure)
          if (round === rounds) {
            await server.end('SIGTERM')
            break
          }
          await writeUntilKilled(server, { round, acknowledged, unsure })
        }
      } finally {
        rmSync(folder, { recursive: true, force: true })
        await place.drop()
      }
      console.log(
        `${backend.name}: ${acknowledged.size} acknowledged writes, slowest start ${Math.round(Math.max(...starts))} ms`,
      )
      expect(acknowledged.size).toBeGreaterThan(rounds)
      // Other tests run beside this one: the fastest of the starts is the one that had the machine.
      if (await isCalm()) expect(Math.min(...starts)).toBeLessThan(2000)
    },
    longest,
  )
})

interface Ledger {
  acknowledged: Set<string>
  unsure: Set<string>
}

async function writeUntilKilled(
  server: Running,
  { round, acknowledged, unsure }: Ledger & { round: number },
): Promise<void> {
  const client = server.client()
  const organizationId = (await client.listOrganizationsForAuthenticatedUser()).items[0]?.id ?? ''
  // Killed with writes under way, after some of them: how many differs from round to round.
  const enough = acknowledged.size + 1 + Math.floor(Math.random() * 40)
  let isKilled = false
  const write = async (writer: number) => {
    for (let i = 0; !isKilled; i++) {
      const title = `r${round} w${writer} n${i}`
      unsure.add(title)
      try {
        await client.createOrganizationTeam({ organizationId, body: { title } })
        acknowledged.add(title)
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

/** Everything acknowledged is there, once; nothing is there that was never asked for. */
async function compare(server: Running, acknowledged: Set<string>, unsure: Set<string>): Promise<void> {
  const client = server.client()
  const organizations = await client.listOrganizationsForAuthenticatedUser()
  expect(organizations.count).toBe(1)
  const organizationId = organizations.items[0]?.id ?? ''
  const found: string[] = []
  for await (const team of walk(client.listTeamsInOrganizationById, { organizationId, query: { limit: 1000 } }))
    found.push(team.title)
  const there = new Set(found)
  expect(there.size).toBe(found.length)
  expect([...acknowledged].filter((title) => !there.has(title))).toEqual([])
  expect(found.filter((title) => !unsure.has(title))).toEqual([])
}
