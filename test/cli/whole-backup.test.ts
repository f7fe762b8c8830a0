/**
 * A backup of an installation with everything in it (links, files, comments, a site), restored on both engines: it is
 * searched and linked as before, and `lectern check` says so. And what `backup` and `check` say when it is not whole.
 */
import {
  chmodSync,
  cpSync,
  existsSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import type { Client } from '../../src/client/client.ts'
import { openDatabase } from '../../src/store/database.ts'
import { type Running, startProcess } from '../faults/process.ts'
import { type Backend, backends, type Place, sqlite } from '../kit/backends.ts'
import { startChild } from '../kit/child.ts'
import { formOf } from '../kit/forms.ts'
import { samples } from '../kit/tiny-files.ts'

const lectern = fileURLToPath(new URL('../../bin/lectern.js', import.meta.url))

const places: Place[] = []
async function makePlace(backend: Backend): Promise<Place> {
  const place = await backend.make({ migrated: false })
  places.push(place)
  return place
}
afterAll(() => Promise.all(places.map((place) => place.drop())))

async function run(place: Place, ...args: string[]) {
  const child = startChild(lectern, args, {
    LECTERN_DATA: place.folder,
    LECTERN_SAMPLE: 'false',
    PORT: '0',
    ...(place.location.startsWith('postgres') ? { DATABASE_URL: place.location } : {}),
  })
  const code = await child.ended
  return { code, out: child.output.join('\n'), err: child.errors.join('\n') }
}

async function withServer<T>(place: Place, work: (client: Client, server: Running) => Promise<T>): Promise<T> {
  const server = await startProcess(place)
  try {
    return await work(server.client(), server)
  } finally {
    await server.end('SIGTERM')
  }
}

async function fill(client: Client): Promise<string> {
  const organizationId = (await client.listOrganizationsForAuthenticatedUser()).items[0]?.id ?? ''
  const { id: spaceId } = await client.createSpace({ organizationId, body: { title: 'Manual' } })
  const { files } = await client.uploadFiles({ spaceId, body: formOf({ name: 'x.png', bytes: samples.png }) })
  const made = await client.updateSpaceContent({
    spaceId,
    body: {
      changes: [
        { operation: 'insert_page', title: 'Install', ref: 'install', document: { markdown: 'Turn the crank.' } },
        {
          operation: 'insert_page',
          title: 'Use',
          document: { markdown: `See [install](install), [nothing](nowhere) and ![x](/files/${files[0]?.id}).` },
        },
      ],
    },
  })
  const page = made.changes.flatMap((change) => (change.object === 'created_page' ? [change.page.id] : []))[0] ?? ''
  await client.postCommentInSpace({ spaceId, body: { page, body: { markdown: 'Which crank?' } } })
  const site = await client.createSite({ organizationId, body: { title: 'Docs' } })
  await client.addSpaceToSite({ organizationId, siteId: site.id, body: { spaceId } })
  return spaceId
}

/** What is found and linked in the space. */
async function derivedOf(client: Client, spaceId: string) {
  const { items } = await client.searchSpaceContent({ spaceId, query: { query: 'crank' } })
  const links = await client.listSpaceLinks({ spaceId })
  return { found: items.map(({ title }) => title), links: links.items.length }
}

let source: Place
let spaceId = ''
let before: Awaited<ReturnType<typeof derivedOf>>
beforeAll(async () => {
  source = await makePlace(sqlite)
  await withServer(source, async (client) => {
    spaceId = await fill(client)
    before = await derivedOf(client, spaceId)
  })
})

it('is searched and linked as before, on both engines', async () => {
  expect(before.found).toEqual(['Install'])
  expect(before.links).toBeGreaterThan(0)
  const file = join(source.folder, 'whole.tar.gz')
  expect(await run(source, 'backup', file)).toMatchObject({ code: 0 })
  expect(statSync(file).mode & 0o777).toBe(0o600)
  for (const backend of backends) {
    const target = await makePlace(backend)
    expect(await run(target, 'restore', file)).toMatchObject({ code: 0 })
    expect(await run(target, 'check')).toMatchObject({ code: 0, out: expect.stringContaining('makes again') })
    await withServer(target, (client) =>
      vi.waitFor(async () => expect(await derivedOf(client, spaceId)).toEqual(before), {
        timeout: 20_000,
        interval: 200,
      }),
    )
    expect(await run(target, 'check', '--content', '--files')).toMatchObject({
      code: 0,
      out: expect.stringContaining('Everything is in order.'),
    })
  }
}, 120_000)

it('check sees an index that lags and a job that failed', async () => {
  const place = await copyOf(source)
  const db = await openDatabase({ location: place.location })
  const sql = (text: string) => db.run({ sql: text, name: '' }, [])
  await sql(`delete from "searchPage"`)
  await sql(
    `insert into "job" ("id", "kind", "payload", "state", "attempts", "runAt", "createdAt", "lastError") values ('x', 'rebuild', 'null', 'waiting', 3, '2999', '2026', 'It would not.')`,
  )
  await db.close()
  const { code, out } = await run(place, 'check')
  expect(code).toBe(1)
  expect(out).toContain('the search knows 0 of 2 pages')
  expect(out).toContain('It would not.')
})

it('backup and check list files that are damaged or missing', async () => {
  for (const [word, harm] of [
    ['damaged', (file: string) => writeFileSync(file, 'x')],
    ['missing', (file: string) => rmSync(file)],
  ] as const) {
    const place = await copyOf(source)
    const [file = ''] = blobsOf(place)
    harm(file)
    const refused = await run(place, 'backup', join(place.folder, 'a.tar'))
    expect(refused).toMatchObject({ code: 1, err: expect.stringMatching(new RegExp(`${word}  [0-9a-f]{64}`)) })
    expect(existsSync(join(place.folder, 'a.tar'))).toBe(false)
    expect(await run(place, 'check', '--files')).toMatchObject({ code: 1 })
    const allowed = await run(place, 'backup', join(place.folder, 'b.tar'), '--allow-missing')
    expect(allowed).toMatchObject({ code: 0, out: expect.stringContaining('Without 1 files') })
    const target = await makePlace(sqlite)
    const restored = await run(target, 'restore', join(place.folder, 'b.tar'))
    expect(restored).toMatchObject({ code: 0, out: expect.stringContaining('Without 1 files') })
    expect(await run(target, 'check')).toMatchObject({ code: 1, out: expect.stringContaining('are gone') })
  }
}, 60_000)

it('a lost, damaged or foreign database is told in a sentence, and left as it is', async () => {
  const faults: Record<string, [harm: (place: Place) => void | Promise<void>, sentence: string]> = {
    emptied: [({ location }) => truncateSync(location), 'no new installation'],
    gone: [({ location }) => rmSync(location), 'no new installation'],
    'emptied beside its journal': [
      ({ location }) => {
        truncateSync(location)
        writeFileSync(`${location}-wal`, Buffer.alloc(8192, 1))
      },
      'the database was lost',
    ],
    'no database': [({ location }) => writeFileSync(location, 'hello '.repeat(2000)), 'cannot be read'],
    damaged: [
      ({ location }) => {
        const bytes = readFileSync(location)
        writeFileSync(location, bytes.fill(0xff, 100, 20_000))
      },
      'cannot be read',
    ],
    foreign: [
      async ({ location, folder }) => {
        rmSync(location)
        rmSync(join(folder, 'blobs'), { recursive: true })
        const db = await openDatabase({ location })
        await db.script('create table "other" ("id" integer)')
        await db.close()
      },
      'belongs to something else',
    ],
  }
  for (const [name, [harm, sentence]] of Object.entries(faults)) {
    const place = await copyOf(source)
    await harm(place)
    const { code, err } = await run(place, 'serve')
    expect(code, name).toBe(1)
    expect(err, name).toContain(sentence)
    expect(err, name).not.toContain('    at ')
  }
}, 60_000)

it('the folder is closed to other accounts', async () => {
  const place = await copyOf(source)
  chmodSync(place.folder, 0o755)
  chmodSync(place.location, 0o644)
  chmodSync(join(place.folder, 'blobs'), 0o755)
  const modeOf = (path: string) => (statSync(path).mode & 0o777).toString(8)
  await withServer(place, async () => {
    expect(modeOf(place.folder)).toBe('700')
    expect(modeOf(join(place.folder, 'blobs'))).toBe('700')
    for (const part of ['', '-wal', '-shm']) expect(modeOf(`${place.location}${part}`), part).toBe('600')
  })
  for (const file of blobsOf(source)) expect(modeOf(file)).toBe('600')
})

const blobsOf = ({ folder }: Place): string[] =>
  readdirSync(join(folder, 'blobs'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /^[0-9a-f]{62}$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))

/** The folder of a stopped server, once more. */
async function copyOf(place: Place): Promise<Place> {
  const copy = await makePlace(sqlite)
  for (const name of ['lectern.db', 'blobs'])
    cpSync(join(place.folder, name), join(copy.folder, name), { recursive: true })
  return copy
}
