/**
 * Fifty change requests edit different paragraphs of the same ten pages and are merged at once: by two server processes on
 * PostgreSQL, by one on SQLite. Nothing is lost, whatever the order. `MERGE_ROUNDS` makes a longer run.
 */
import { expect, test } from 'vitest'
import { CallFailed } from '../../src/client/client.ts'
import { eachBackend } from '../kit/backends.ts'
import { historyOf, makeGround, problemsIn, propose, wordsInMain } from './merging.ts'
import { type Running, startProcess } from './process.ts'

const rounds = Number(process.env.MERGE_ROUNDS ?? 1)
const requests = 50
const pages = 10

eachBackend((backend) => {
  test(`${requests} merges at once all land, ${rounds} times`, async () => {
    const place = await backend.make()
    const env = { LECTERN_RATE_LIMIT: '0' }
    const count = Number(process.env.MERGE_PROCESSES ?? (backend.name === 'postgres' ? 2 : 1))
    const servers: Running[] = []
    const times: number[] = []
    try {
      for (let i = 0; i < count; i++) servers.push(await startProcess({ ...place, env }))
      for (let round = 0; round < rounds; round++) times.push(await mergeAll(servers, round))
      expect(await problemsIn(place)).toEqual([])
      for (const server of servers) expect(server.output()).not.toContain('"level":50')
    } finally {
      await Promise.all(servers.map((server) => server.end('SIGTERM')))
      await place.drop()
    }
    const turnedAway = servers.reduce((sum, server) => sum + server.turnedAway(), 0)
    const median = times.sort((a, b) => a - b)[times.length >> 1] ?? 0
    console.log(
      `${backend.name}: ${rounds} × ${requests} merges, ${Math.round(median)} ms for all of a round, ${turnedAway} asked to come back`,
    )
  }, 3_600_000)
})

/** Milliseconds until all were merged. */
async function mergeAll(servers: readonly Running[], round: number): Promise<number> {
  const clients = Array.from({ length: requests }, (_, i) => {
    const server = servers[i % servers.length]
    if (!server) throw new Error('There is no server.')
    return server.client()
  })
  const [first] = clients
  if (!first) throw new Error('There is no client.')
  const ground = await makeGround(first, { pages, parts: requests })
  const { spaceId } = ground
  const before = await historyOf(first, spaceId)
  const proposed = await Promise.all(
    clients.map((client, part) => propose(client, ground, { part, word: `r${round}c${part}` })),
  )
  expect(proposed.map(({ number }) => number).sort((a, b) => a - b)).toEqual(
    Array.from({ length: requests }, (_, i) => i + 1),
  )
  const started = performance.now()
  const outcomes = await Promise.all(
    clients.map(async (client, i) => {
      try {
        return await client.mergeChangeRequest({ spaceId, changeRequestId: proposed[i]?.id ?? '' })
      } catch (error) {
        return { revision: '', result: error instanceof CallFailed ? `${error.status} ${error.message}` : `${error}` }
      }
    }),
  )
  const took = performance.now() - started
  expect(new Set(outcomes.map(({ result }) => result))).toEqual(new Set(['merge']))
  const words = proposed.map(({ word }) => word)
  expect(await wordsInMain(first, ground, words)).toEqual(words)
  // One line: every merge once, each upon the one before, and below them what was there.
  const line = await historyOf(first, spaceId)
  expect(line.slice(requests)).toEqual(before)
  expect(line.slice(0, requests).sort()).toEqual(outcomes.map(({ revision }) => revision).sort())
  const space = await first.getSpaceById({ spaceId })
  expect(space).toMatchObject({ changeRequests: requests, changeRequestsOpen: 0, changeRequestsDraft: 0 })
  return took
}
