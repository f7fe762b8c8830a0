/** The other commands: plain errors, help, migrate, work. */
import { fileURLToPath } from 'node:url'
import { afterAll, describe, expect, it, vi } from 'vitest'
import { openDatabase } from '../../src/store/database.ts'
import { migrations } from '../../src/store/upkeep/migrate.ts'
import { backends, type Place } from '../kit/backends.ts'
import { startChild } from '../kit/child.ts'

const lectern = fileURLToPath(new URL('../../bin/lectern.js', import.meta.url))

async function run(args: string[], env: Record<string, string>) {
  const child = startChild(lectern, args, env)
  const code = await child.ended
  return { code, out: child.output.join('\n'), err: child.errors.join('\n') }
}

const places: Place[] = []
afterAll(() => Promise.all(places.map((place) => place.drop())))

describe('errors', () => {
  it('are sentences, without a stack', async () => {
    const env = { LECTERN_DATA: '/dev/shm/lectern-none' }
    const cases: [string[], Record<string, string>, string][] = [
      [['serve'], { PORT: 'many' }, 'PORT must be a port from 0 to 65535, and is "many".'],
      [['serve'], { LECTERN_WORKER: '1' }, 'LECTERN_WORKER is no setting of Lectern.'],
      [['serve'], { DATABASE_URL: 'postgres://127.0.0.1:1/x' }, 'The cause: connect ECONNREFUSED 127.0.0.1:1'],
      [['work', '--concurrency', '0'], {}, '--concurrency must be a number from 1 to 100'],
      [['check'], {}, 'There is no database at /dev/shm/lectern-none/lectern.db.'],
      [['token', 'create', '--email', 'a@b.c'], {}, 'There is no database at /dev/shm/lectern-none/lectern.db.'],
      [['user', 'link', '--email', 'a@b.c'], {}, 'There is no database at /dev/shm/lectern-none/lectern.db.'],
      [['domain', 'verify', '--domain', 'b.c'], {}, 'There is no database at /dev/shm/lectern-none/lectern.db.'],
      [['secret', 'rotate'], {}, 'There is no database at /dev/shm/lectern-none/lectern.db.'],
      [['user', 'add', '--email', 'x'], {}, '--email must be an e-mail address, and is x.'],
      [['import', '.', '--space', 'x', '--dry-run'], {}, '--dry-run is no option of this command.'],
      [['publish', '.', '--url', '', '--token', 'x'], {}, '--url asks for a value.'],
      [['export', '.', '--space'], {}, '--space asks for a value.'],
      [['backup', 'one.tar', 'two.tar'], {}, 'two.tar is one argument too many.'],
      [['check', '-x'], {}, '-x is no option of this command.'],
      [['constructor'], {}, 'Unknown command'],
      [['user', 'toString'], {}, 'Unknown command'],
    ]
    for (const [args, more, sentence] of cases) {
      const { code, err } = await run(args, { ...env, ...more })
      expect(code, args.join(' ')).toBe(1)
      expect(err).toContain(sentence)
      expect(err).not.toContain('    at ')
    }
  }, 60_000)

  it('and every command explains itself', async () => {
    const { code, out } = await run(['--help'], {})
    expect(code).toBe(0)
    expect(out).not.toContain('\u001b')
    for (const name of ['serve', 'work', 'migrate', 'backup', 'restore', 'copy', 'check', 'user', 'token']) {
      expect(out).toContain(name)
      expect((await run([name, '--help'], {})).code, name).toBe(0)
    }
  }, 60_000)
})

for (const backend of backends) {
  describe(backend.name, () => {
    it('migrates, and says what ran', async () => {
      const place = await backend.make({ migrated: false })
      places.push(place)
      const env = variablesOf(place)
      const dry = await run(['migrate', '--dry-run', '--json'], env)
      expect(JSON.parse(dry.out)).toMatchObject({ from: 0, step: 0, ran: [] })
      const first = await run(['migrate', '--json'], env)
      expect(JSON.parse(first.out)).toMatchObject({
        from: 0,
        step: migrations.at(-1)?.number,
        ran: expect.arrayContaining(['1 people']),
      })
      expect((await run(['migrate'], env)).out).toContain('up to date')
    }, 30_000)

    it('works apart from the server, takes over what is due, and stops when asked', async () => {
      const place = await backend.make()
      places.push(place)
      const env = variablesOf(place)
      await run(['migrate'], env)
      const db = await openDatabase({ location: place.location })
      const old = new Date(Date.now() - 8 * 86_400_000).toISOString()
      const lately = new Date(Date.now() - 6 * 86_400_000).toISOString()
      const insert = async (table: string, row: Record<string, string | number | null>) => {
        const names = Object.keys(row)
          .map((name) => `"${name}"`)
          .join(', ')
        const values = Object.values(row).map((value) => (typeof value === 'string' ? `'${value}'` : String(value)))
        await db.run({ sql: `insert into "${table}" (${names}) values (${values.join(', ')})`, name: '' }, [])
      }
      await insert('organization', {
        id: 'o1',
        title: 'O',
        emailDomains: '[]',
        type: 'business',
        sso: 0,
        ai: 0,
        inviteLinks: 0,
        createdAt: old,
      })
      for (const [id, deletedAt] of [
        ['gone', old],
        ['lately', lately],
        ['here', null],
      ] as const) {
        // biome-ignore format: one row.
        await insert('space', {
          id, organizationId: 'o1', rank: 'a', title: id, emoji: '', editMode: 'live', revisionId: 'r', createdBy: 'u', createdAt: old,
          updatedAt: old, deletedAt, comments: 0, changeRequests: 0, changeRequestsOpen: 0, changeRequestsDraft: 0,
        })
        // biome-ignore format: one row.
        await insert('accessGrant', {
          thingKind: 'space', thingId: id, subjectKind: 'user', subjectId: 'u', role: 'read', organizationId: 'o1', createdAt: old,
        })
        await insert('idempotency', {
          key: id,
          requestHash: 'h',
          status: 200,
          createdAt: id === 'gone' ? old : new Date().toISOString(),
        })
      }
      // The schedule's row, due since long: as after a day without workers.
      await insert('job', {
        id: 'p',
        kind: 'purge',
        payload: 'null',
        uniqueKey: '@schedule',
        state: 'waiting',
        attempts: 0,
        runAt: old,
        createdAt: old,
      })

      const worker = startChild(lectern, ['work'], { ...env, LECTERN_LOG_LEVEL: 'info' })
      await worker.says('purged spaces')
      const ids = async (sql: string) => (await db.all({ sql, name: '' }, [])).map((row) => row.id)
      await vi.waitFor(async () => {
        expect(await ids(`select "id" from "space" order by "id"`)).toEqual(['here', 'lately'])
        expect(await ids(`select "thingId" as "id" from "accessGrant" order by 1`)).toEqual(['here', 'lately'])
        expect(await ids(`select "key" as "id" from "idempotency" order by 1`)).toEqual(['here', 'lately'])
        const [job] = await db.all({ sql: `select * from "job" where "kind" = 'purge'`, name: '' }, [])
        expect(job).toMatchObject({ state: 'waiting', attempts: 0, uniqueKey: '@schedule' })
        expect(String(job?.runAt) > new Date().toISOString()).toBe(true)
      })
      const began = performance.now()
      worker.process.kill('SIGTERM')
      expect(await worker.ended).toBe(0)
      expect(performance.now() - began).toBeLessThan(2000)
      await db.close()
    }, 30_000)
  })
}

const variablesOf = (place: Place): Record<string, string> => ({
  LECTERN_DATA: place.folder,
  ...(place.location.startsWith('postgres') ? { DATABASE_URL: place.location } : {}),
})
