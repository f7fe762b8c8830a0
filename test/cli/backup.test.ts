/** Backup, restore and copy, run as an operator would. */
import { createHash } from 'node:crypto'
import { readFileSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openBlobs } from '../../src/open.ts'
import { tarEnd, tarEntry } from '../../src/platform/tar.ts'
import { type Connection, openDatabase, type Row } from '../../src/store/database.ts'
import { archivedTables, listTables, readPages } from '../../src/store/upkeep/rows.ts'
import { tableList } from '../../src/store/upkeep/table-list.ts'
import { type Backend, backends, eachBackend, type Place, postgres, sqlite, useStore } from '../kit/backends.ts'
import { bundleChild, startChild } from '../kit/child.ts'

const lectern = fileURLToPath(new URL('../../bin/lectern.js', import.meta.url))

const variablesOf = (place: Place): Record<string, string> => ({
  LECTERN_DATA: place.folder,
  ...(place.location.startsWith('postgres') ? { DATABASE_URL: place.location } : {}),
})

async function run(place: Place, ...args: string[]): Promise<{ code: number | null; out: string; err: string }> {
  const child = startChild(lectern, args, variablesOf(place))
  const code = await child.ended
  return { code, out: child.output.join('\n'), err: child.errors.join('\n') }
}

const places: Place[] = []
async function makePlace(backend: Backend): Promise<Place> {
  const place = await backend.make({ migrated: false })
  places.push(place)
  return place
}
afterAll(() => Promise.all(places.map((place) => place.drop())))

/** Every row of every table, but for the job that a restore adds. */
async function contentOf(place: Place): Promise<Record<string, Row[]>> {
  const db = await openDatabase({ location: place.location })
  try {
    const content: Record<string, Row[]> = {}
    for (const table of await archivedTables(db)) {
      content[table.name] = await rowsOf(db, table)
    }
    content.job = (content.job ?? []).filter(({ kind }) => kind !== 'rebuild')
    return content
  } finally {
    await db.close()
  }
}

async function rowsOf(db: Connection, table: Parameters<typeof readPages>[1]): Promise<Row[]> {
  const rows: Row[] = []
  for await (const page of readPages(db, table)) rows.push(...page)
  return rows
}

async function filesOf(place: Place): Promise<string[]> {
  const db = await openDatabase({ location: place.location })
  try {
    const hashes: string[] = []
    for await (const { hash } of openBlobs(db, { data: place.folder }).list()) hashes.push(hash)
    return hashes
  } finally {
    await db.close()
  }
}

let writer = ''
beforeAll(async () => {
  writer = await bundleChild('test/cli/writer.ts')
})

/** Lets the writer run for a while; what it says it committed. */
async function fill(place: Place, milliseconds: number): Promise<string[]> {
  const child = startChild(writer, [], variablesOf(place))
  await child.says('wrote')
  await sleep(milliseconds)
  await child.kill()
  return child.output
}

eachBackend((backend) => {
  const store = useStore(backend)

  it('knows every table of the database', async () => {
    expect(Object.keys(tableList).sort()).toEqual((await listTables(store.db)).sort())
    for (const table of await archivedTables(store.db)) expect(table.key.length, table.name).toBeGreaterThan(0)
  })

  it('saves one moment while others write, and restores it on both engines', async () => {
    const place = await makePlace(backend)
    const child = startChild(writer, [], variablesOf(place))
    await child.says('wrote')
    await sleep(400)
    const file = join(place.folder, 'under-load.tar')
    const before = [...child.output]
    const began = performance.now()
    const saved = await run(place, 'backup', file, '--json')
    const took = Math.round(performance.now() - began)
    const during = child.output.length - before.length
    await child.kill()
    expect(saved.err).toBe('')
    const manifest = JSON.parse(saved.out)
    console.log(`${backend.name}: ${manifest.tables.user} users in ${took} ms, while ${during} were written`)
    expect(during).toBeGreaterThan(0)
    // One moment: accounts and tokens are written together. The first account has the token of the first start.
    expect(manifest.tables.user).toBe(manifest.tables.apiToken)

    for (const target of backends) {
      const other = await makePlace(target)
      const restored = await run(other, 'restore', file, '--json')
      expect(restored.err).toBe('')
      expect(JSON.parse(restored.out)).toMatchObject({ tables: manifest.tables, blobs: manifest.blobs })
      const content = await contentOf(other)
      const emails = new Set(content.user?.map(({ email }) => email))
      const hashes = new Set(content.apiToken?.map(({ hash }) => hash))
      const files = new Set(await filesOf(other))
      for (const line of before) {
        const [, email = '', hash = ''] = line.split(' ')
        expect(emails.has(email), line).toBe(true)
        expect(hashes.has(hash), line).toBe(true)
        if (/^[0-9a-f]{64}$/.test(hash)) expect(files.has(hash), line).toBe(true)
      }
      for (const hash of hashes) if (/^[0-9a-f]{64}$/.test(String(hash))) expect(files.has(String(hash))).toBe(true)

      // Saved again from there, it is the same, to the checksum (but for the times, the engine and the job of the restore).
      const db = await openDatabase({ location: other.location })
      await db.run({ sql: `delete from "job" where "kind" = 'rebuild'`, name: '' }, [])
      await db.close()
      const again = await run(other, 'backup', join(other.folder, 'again.tar'), '--json')
      expect(JSON.parse(again.out).tables).toEqual(manifest.tables)
      expect(bodiesOf(join(other.folder, 'again.tar'))).toEqual(bodiesOf(file))
    }
  }, 120_000)

  it('refuses to overwrite, and changes nothing by it', async () => {
    const place = await makePlace(backend)
    await fill(place, 100)
    const file = join(place.folder, 'a.tar.gz')
    expect((await run(place, 'backup', file)).code).toBe(0)
    expect(await run(place, 'backup', file)).toMatchObject({ code: 1, err: expect.stringContaining('exists already') })
    const before = await contentOf(place)
    const refused = await run(place, 'restore', file)
    expect(refused).toMatchObject({ code: 1, err: expect.stringContaining('The database is not empty') })
    expect(refused.err).not.toContain('    at ')
    expect(await contentOf(place)).toEqual(before)
  })
})

describe('copy', () => {
  it('moves everything from SQLite to PostgreSQL: equal counts, equal rows, equal files', async () => {
    const source = await makePlace(sqlite)
    await fill(source, 500)
    const target = await makePlace(postgres)
    const copied = await run(source, 'copy', '--to', target.location, '--json')
    expect(copied.err).toBe('')
    const content = await contentOf(source)
    expect(await contentOf(target)).toEqual(content)
    expect(await filesOf(target)).toEqual(await filesOf(source))
    expect(JSON.parse(copied.out).tables.user).toBe(content.user?.length)
    const again = await run(source, 'copy', '--to', target.location)
    expect(again).toMatchObject({ code: 1, err: expect.stringContaining('The database is not empty') })
    expect(await run(target, 'check', '--files', '--json')).toMatchObject({ code: 0 })
    expect(await run(source, 'check', '--files', '--json')).toMatchObject({ code: 0 })
  }, 60_000)

  it('says what is wrong with an address', async () => {
    const source = await makePlace(sqlite)
    await run(source, 'migrate')
    const wrong = await run(source, 'copy', '--to', 'mysql://localhost/x')
    expect(wrong).toMatchObject({ code: 1, err: '--to must be a postgres:// address.' })
    const away = await run(source, 'copy', '--to', 'postgres://127.0.0.1:1/x')
    expect(away).toMatchObject({ code: 1, err: expect.stringContaining('cannot be reached') })
  })
})

describe('damaged backups', () => {
  it('are refused before anything is written', async () => {
    const place = await makePlace(sqlite)
    await fill(place, 200)
    const file = join(place.folder, 'good.tar')
    expect((await run(place, 'backup', file)).code).toBe(0)
    const good = readFileSync(file)
    const damaged: Record<string, (path: string) => void> = {
      cut: (path) => truncateSync(path, Math.floor(good.length / 2)),
      'cut at the end': (path) => truncateSync(path, good.length - 3000),
      'one bit': (path) => {
        const bytes = Buffer.from(good)
        bytes[good.length - 20_000] = (bytes[good.length - 20_000] ?? 0) ^ 1
        writeFileSync(path, bytes)
      },
      empty: (path) => writeFileSync(path, ''),
      nonsense: (path) => writeFileSync(path, 'hello '.repeat(1000)),
    }
    for (const [name, damage] of Object.entries(damaged)) {
      const target = await makePlace(sqlite)
      const path = join(target.folder, 'bad.tar')
      writeFileSync(path, good)
      damage(path)
      const refused = await run(target, 'restore', path)
      expect(refused.code, name).toBe(1)
      expect(refused.err, name).not.toContain('    at ')
      // No rows, and no database made for them.
      expect(await run(target, 'check'), name).toMatchObject({
        code: 1,
        err: expect.stringContaining('There is no database'),
      })
    }
    const target = await makePlace(sqlite)
    expect(await run(target, 'restore', '/nowhere/x.tar')).toMatchObject({
      code: 1,
      err: expect.stringContaining('There is no file'),
    })
    expect((await run(target, 'restore', file)).code).toBe(0)
  }, 60_000)
})

it('a backup with parts that this version does not know is not restored', async () => {
  const target = await makePlace(sqlite)
  const file = join(target.folder, 'newer.tar')
  const sum = createHash('sha256')
  const parts: Uint8Array[] = []
  const add = async (name: string, text: string) => {
    const body = Buffer.from(text)
    if (name !== 'manifest.json') sum.update(`${name}\n${body.length}\n`).update(body)
    for await (const bytes of tarEntry({ name, size: body.length, body: Readable.from([body]) })) parts.push(bytes)
  }
  const head = { format: 1, lectern: '9.9.9', schema: 1, engine: 'sqlite', createdAt: '2026-11-15' }
  await add('lectern.json', JSON.stringify(head))
  await add('drawings/one.svg', '<svg/>')
  await add('manifest.json', JSON.stringify({ tables: {}, blobs: { count: 0, bytes: 0 }, sha256: sum.digest('hex') }))
  writeFileSync(file, Buffer.concat([...parts, tarEnd()]))
  const refused = await run(target, 'restore', file)
  expect(refused).toMatchObject({ code: 1, err: expect.stringContaining('drawings/one.svg') })
})

/** The entries of an archive by name, without those that tell when and where it was made. */
function bodiesOf(file: string): Record<string, string> {
  const bytes = readFileSync(file)
  const bodies: Record<string, string> = {}
  for (let at = 0; bytes[at] !== 0; ) {
    const name = bytes.toString('utf8', at, at + 100).replace(/\0.*$/s, '')
    const size = Number.parseInt(bytes.toString('utf8', at + 124, at + 135), 8)
    if (name !== 'lectern.json' && name !== 'manifest.json')
      bodies[name] = bytes.toString('latin1', at + 512, at + 512 + size)
    at += 512 + Math.ceil(size / 512) * 512
  }
  return bodies
}
