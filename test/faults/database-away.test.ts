/**
 * PostgreSQL comes and goes under eight writers, on one process and on two: no process ends, nobody waits long, nothing is
 * lost or doubled, and all is well within a second of the database's return.
 *
 * `TERMINATIONS` and `DATABASE_STOPS` make longer runs.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openDatabase } from '../../src/store/database.ts'
import { migrate } from '../../src/store/upkeep/migrate.ts'
import { makeFolder } from '../kit/backends.ts'
import { type PostgresServer, startPostgres } from '../kit/postgres.ts'
import { faultsIn, type Ledger, startWriters } from './ledger.ts'
import { isCalm, type Running, startProcess } from './process.ts'
import { startProxy } from './swallowing-proxy.ts'

const terminations = Number(process.env.TERMINATIONS ?? 4)
const stops = Number(process.env.DATABASE_STOPS ?? 1)

let postgres: PostgresServer
beforeAll(async () => {
  postgres = await startPostgres({ durable: true })
  return () => postgres.stop()
})

interface Scene {
  servers: Running[]
  ledger: Ledger
}

/** Runs a fault under load, then holds what is stored against what was told. */
async function underLoad(
  { processes, location }: { processes: number; location?: (name: string) => string },
  fault: (scene: Scene) => Promise<void>,
): Promise<Ledger> {
  const name = `away_${Math.random().toString(36).slice(2, 10)}`
  await postgres.query(`create database ${name}`)
  const db = await openDatabase({ location: postgres.url(name), poolSize: 1 })
  await migrate(db)
  await db.close()
  const folder = makeFolder()
  const place = { location: location?.(name) ?? postgres.url(name), folder, env: { LECTERN_RATE_LIMIT: '0' } }
  const first = await startProcess(place)
  const others = await Promise.all(Array.from({ length: processes - 1 }, () => startProcess(place)))
  const servers = [first, ...others]
  try {
    const organizationId = (await first.client().listOrganizationsForAuthenticatedUser()).items[0]?.id ?? ''
    const ledger = startWriters(servers, { organizationId })
    await sleep(300)
    await fault({ servers, ledger })
    const before = ledger.acknowledged.size
    await sleep(300)
    await ledger.stop()
    expect(ledger.acknowledged.size, 'it goes on writing').toBeGreaterThan(before)
    const ended = servers
      .filter((server) => server.process.exitCode !== null)
      .map((server) => server.output().slice(-2000))
    expect(ended, 'no process has ended').toEqual([])
    expect(await faultsIn(first, organizationId, ledger)).toEqual([])
    console.log(
      `${processes} process(es): ${JSON.stringify(Object.fromEntries(ledger.outcomes))}, slowest ${Math.round(ledger.slowest)} ms`,
    )
    return ledger
  } finally {
    await Promise.all(servers.map((server) => server.end('SIGKILL')))
  }
}

/** How long after now it takes until something is acknowledged. */
async function untilWritten(ledger: Ledger): Promise<number> {
  const started = performance.now()
  while (ledger.lastAt < started) {
    if (performance.now() - started > 30_000) throw new Error('Nothing was written for 30 s.')
    await sleep(10)
  }
  return ledger.lastAt - started
}

describe.each([1, 2])('%i process(es)', (processes) => {
  test(`${terminations} times every connection is terminated`, async () => {
    const ledger = await underLoad({ processes }, async ({ ledger }) => {
      for (let round = 0; round < terminations; round++) {
        await postgres.query(
          `select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'lectern' and pid <> pg_backend_pid()`,
        )
        await untilWritten(ledger)
        await sleep(Math.random() * 60)
      }
    })
    expect(ledger.outcomes.get('storage_unavailable')).toBeGreaterThan(0)
  }, 600_000)

  test(`${stops} times the server is stopped and started`, async () => {
    const healed: number[] = []
    await underLoad({ processes }, async ({ ledger }) => {
      for (let round = 0; round < stops; round++) {
        await postgres.order(round % 2 === 0 ? 'stop' : 'crash')
        await sleep(200)
        await postgres.order('start')
        await untilAnswering()
        healed.push(await untilWritten(ledger))
      }
    })
    console.log(`healed after ${healed.map(Math.round).join(', ')} ms`)
    if (await isCalm()) expect(Math.max(...healed)).toBeLessThan(1000)
  }, 600_000)
})

/** A server that replays its journal refuses callers for a while; what we promise is counted from its return. */
async function untilAnswering(): Promise<void> {
  for (let attempt = 0; attempt < 600; attempt++) {
    try {
      return await postgres.query('select 1')
    } catch {
      await sleep(20)
    }
  }
  throw new Error('PostgreSQL did not come back.')
}

test('a server that hangs for ten seconds holds no request that long', async () => {
  let healed = 0
  const ledger = await underLoad({ processes: 1 }, async ({ ledger, servers }) => {
    await postgres.order('freeze')
    await sleep(8000)
    // By now it is known to be away, and whoever asks is told so at once.
    const started = performance.now()
    await expect(servers[0]?.client().listOrganizationsForAuthenticatedUser()).rejects.toMatchObject({ status: 503 })
    expect(performance.now() - started).toBeLessThan(1000)
    await sleep(2000)
    await postgres.order('thaw')
    healed = await untilWritten(ledger)
  })
  expect(ledger.slowest).toBeLessThan(9000)
  if (await isCalm()) expect(healed).toBeLessThan(1000)
}, 120_000)

test('a network that swallows packets heals', async () => {
  const proxy = await startProxy(postgres.socket)
  afterAll(() => proxy.close())
  let healed = 0
  const location = (name: string) => `postgres://lectern@127.0.0.1:${proxy.port}/${name}`
  const ledger = await underLoad({ processes: 1, location }, async ({ ledger }) => {
    proxy.swallow()
    await sleep(7000)
    proxy.heal()
    healed = await untilWritten(ledger)
  })
  expect(ledger.slowest).toBeLessThan(9000)
  // An attempt that began in the silence has to be given up first.
  if (await isCalm()) expect(healed).toBeLessThan(5000)
}, 120_000)
