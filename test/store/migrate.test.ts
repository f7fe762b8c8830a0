import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { type Database, openDatabase } from '../../src/store/database.ts'
import { DatabaseTooNew, migrate, migrations } from '../../src/store/upkeep/migrate.ts'
import { eachBackend } from '../kit/backends.ts'
import { snapshotOf } from '../kit/snapshot.ts'

const numbers = { sql: 'select "number" from "migration" order by "number"', name: 'test_migrations' }

eachBackend((backend) => {
  test('migrations stand in the order of their numbers, each of its own', () => {
    const numbers = migrations.map((migration) => migration.number)
    expect(numbers).toEqual([...new Set(numbers)].toSorted((a, b) => a - b))
  })

  test('run once, however many start at once', async () => {
    const place = await backend.make({ migrated: false })
    const open = await Promise.all(
      Array.from({ length: 8 }, () => openDatabase({ location: place.location, poolSize: 2 })),
    )
    const ran = await Promise.all(open.map((db) => migrate(db)))
    expect(ran.flat().sort()).toEqual(migrations.map(({ number, name }) => `${number} ${name}`).sort())
    for (const db of open)
      expect((await db.all(numbers, [])).map((row) => row.number)).toEqual(migrations.map((m) => m.number))
    const before = await snapshotOf(open[0] ?? (await openDatabase({ location: place.location })))
    expect(await migrate(open[1] ?? (await openDatabase({ location: place.location })))).toEqual([])
    expect(before.size).toBeGreaterThan(migrations.length)
    for (const db of open) await db.close()
    await place.drop()
  })

  test('run once with eight processes, too', async () => {
    const place = await backend.make({ migrated: false })
    const codes = await Promise.all(Array.from({ length: 8 }, () => migrateApart(place.location, place.folder)))
    expect(codes).toEqual(Array(8).fill('0 '))
    const db = await openDatabase({ location: place.location })
    expect((await db.all(numbers, [])).map((row) => row.number)).toEqual(migrations.map((m) => m.number))
    await db.close()
    await place.drop()
  }, 60_000)

  test('take away rights of organizations that a thing does not belong to', async () => {
    const place = await backend.make({ migrated: false })
    const db = await openDatabase({ location: place.location })
    await migrate(db, { upTo: 96 })
    const at = '2026-01-01T00:00:00.000Z'
    const organization = { emailDomains: '[]', type: 'business', sso: 0, ai: 0, inviteLinks: 1, createdAt: at }
    const moved = { organizationId: 'new', rank: 'a', title: 't', createdAt: at }
    const space = { emoji: '', editMode: 'live', revisionId: 'r', createdBy: 'ann', updatedAt: at, ...counts }
    await insert(db, 'organization', { id: 'old', title: 'Old', ...organization })
    await insert(db, 'organization', { id: 'new', title: 'New', ...organization })
    await insert(db, 'collection', { id: 'shelf', ...moved })
    await insert(db, 'space', { id: 'manual', ...moved, ...space })
    const things = [['space', 'manual'], ['collection', 'shelf'], ['collection', 'gone'], ['site', 'docs']] as const // biome-ignore format: a table reads best as one.
    for (const [thingKind, thingId] of things)
      for (const organizationId of ['old', 'new']) {
        const subject = { subjectKind: 'user', subjectId: organizationId, role: 'read' }
        await insert(db, 'accessGrant', { thingKind, thingId, organizationId, createdAt: at, ...subject })
        await insert(db, 'invite', {
          id: `${organizationId} ${thingId}`,
          thingKind,
          thingId,
          organizationId,
          createdAt: at,
        })
      }
    await insert(db, 'invite', { id: 'whole', organizationId: 'old', role: 'read', createdAt: at })
    await migrate(db)
    const left = (sql: string) => db.all({ sql, name: '' }, [])
    expect(
      await left(`select "thingId", "organizationId" from "accessGrant" order by "thingId", "organizationId"`),
    ).toEqual([
      { thingId: 'docs', organizationId: 'new' },
      { thingId: 'docs', organizationId: 'old' },
      { thingId: 'manual', organizationId: 'new' },
      { thingId: 'shelf', organizationId: 'new' },
    ])
    expect(
      (await left(`select "id" from "invite" where "thingKind" is null or "thingKind" <> 'site' order by "id"`)).map(
        ({ id }) => id,
      ),
    ).toEqual(['new manual', 'new shelf', 'whole'])
    await db.close()
    await place.drop()
  })

  test('refuse a database that is newer than the code', async () => {
    const place = await backend.make()
    const db = await openDatabase({ location: place.location })
    await migrate(db)
    await db.script(`insert into "migration" ("number", "name", "ranAt") values (9999, 'future', '')`)
    await expect(migrate(db)).rejects.toThrow(DatabaseTooNew)
    await expect(migrate(db)).rejects.toThrow('step 9999')
    await db.close()
    await place.drop()
  })
})

const counts = { comments: 0, changeRequests: 0, changeRequestsOpen: 0, changeRequestsDraft: 0 }

/** A row of a table as it stood before later migrations. */
function insert(db: Database, table: string, row: Record<string, string | number>): Promise<unknown> {
  const values = Object.values(row).map((value) => (typeof value === 'number' ? value : `'${value}'`))
  const columns = Object.keys(row).map((name) => `"${name}"`)
  return db.script(`insert into "${table}" (${columns.join()}) values (${values.join()})`)
}

/** The built `lectern migrate`; its exit code and what it complained about. */
function migrateApart(location: string, folder: string): Promise<string> {
  const main = fileURLToPath(new URL('../../bin/lectern.js', import.meta.url))
  const env = { PATH: process.env.PATH, DATABASE_URL: location, LECTERN_DATA: folder }
  const child = spawn(process.execPath, [main, 'migrate'], { env, stdio: ['ignore', 'ignore', 'pipe'] })
  let errors = ''
  child.stderr.on('data', (bytes) => {
    errors += bytes
  })
  return new Promise((resolve) => child.on('exit', (code) => resolve(`${code} ${errors}`)))
}
