/**
 * A newer version is started beside this one on the same PostgreSQL: it adds columns to every table and a table of its own,
 * and writes jobs that this one does not know. This one goes on under load as if nothing had happened, and leaves those jobs
 * to the newer one (docs/decisions/0028-rolling-upgrades.md).
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { openDatabase } from '../../src/store/database.ts'
import { newestStep } from '../../src/store/upkeep/migrate.ts'
import { listTables } from '../../src/store/upkeep/rows.ts'
import { postgres } from '../kit/backends.ts'
import { faultsIn, startWriters } from './ledger.ts'
import { adminToken, startProcess } from './process.ts'

test('processes of this version go on while a newer one moves the tables on', async () => {
  const place = await postgres.make()
  const servers = await Promise.all([startProcess(place), startProcess(place)])
  const [first] = servers
  const newer = await openDatabase({ location: place.location, poolSize: 1 })
  const run = (sql: string) => newer.run({ sql, name: '' }, [])
  try {
    const client = first?.client()
    if (!first || !client) throw new Error('There is no server.')
    const organizationId = (await client.listOrganizationsForAuthenticatedUser()).items[0]?.id ?? ''
    const ledger = startWriters(servers, { organizationId })
    // Searches, content and lists have prepared their statements before the tables change, too.
    const read = async () => {
      const { id: spaceId } = await client.createSpace({ organizationId, body: { title: 'Read' } })
      await client.updateSpaceContent({
        spaceId,
        body: { changes: [{ operation: 'insert_page', title: 'One', document: { markdown: 'Words.' } }] },
      })
      await client.searchSpaceContent({ spaceId, query: { query: 'words' } })
      await client.listSpacesInOrganizationById({ organizationId })
    }
    await read()
    await sleep(300)
    for (const table of await listTables(newer)) await run(`alter table "${table}" add column "fromTheFuture" text`)
    await run('create table "futureThing" ("id" text primary key)')
    await run(`insert into "migration" ("number", "name", "ranAt") values (${newestStep() + 1}, 'future', '2027')`)
    await run(
      `insert into "job" ("id", "kind", "payload", "state", "attempts", "runAt", "createdAt") values ('j', 'from-the-future', 'null', 'waiting', 0, '2026', '2026')`,
    )
    for (let round = 0; round < 5; round++) await read()
    await sleep(1500)
    await ledger.stop()
    expect([...ledger.outcomes.keys()]).toEqual(['201'])
    expect(await faultsIn(first, organizationId, ledger)).toEqual([])
    const metrics = await (
      await fetch(`${first.url}/metrics`, { headers: { authorization: `Bearer ${adminToken}` } })
    ).text()
    expect(metrics).toContain('lectern_jobs{kind="from-the-future",state="waiting"} 1')
    // A process of this version that starts now says why it does not.
    await expect(startProcess(place)).rejects.toThrow(/newer Lectern/)
  } finally {
    await Promise.all(servers.map((server) => server.end('SIGKILL')))
    await newer.close()
    await place.drop()
  }
}, 120_000)
