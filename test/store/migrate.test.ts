import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { openDatabase } from '../../src/store/database.ts'
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
