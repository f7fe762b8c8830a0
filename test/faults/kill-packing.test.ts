/**
 * A database as earlier builds wrote it opens, serves while its content is packed, and loses nothing to kill -9 in the middle
 * of that, round after round. `KILL_PACKING_ROUNDS=20` makes a longer run.
 */
import { rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { contentHash } from '../../src/store/content/content-hash.ts'
import { linksOfSpace } from '../../src/store/content/links.ts'
import { type Database, openDatabase } from '../../src/store/database.ts'
import { enqueue } from '../../src/store/jobs.ts'
import { unpackShort } from '../../src/store/packed/short-texts.ts'
import { archivedTables, readPages } from '../../src/store/upkeep/rows.ts'
import { eachBackend, makeFolder } from '../kit/backends.ts'
import { countVectors, storeVectors } from '../kit/search-vectors.ts'
import { type Running, startProcess } from './process.ts'

const rounds = Number(process.env.KILL_PACKING_ROUNDS ?? 3)
const pages = 120

eachBackend((backend) => {
  test(`loses no page in ${rounds} kills while content is packed`, async () => {
    const made = await backend.make()
    const folder = makeFolder(tmpdir())
    const place = { folder, location: backend.name === 'sqlite' ? `${folder}/lectern.db` : made.location }
    const env = { LECTERN_RATE_LIMIT: '0' }
    let packedInTheEnd = 0
    const started: Running[] = []
    const start = async () => {
      const server = await startProcess({ ...place, env })
      started.push(server)
      return server
    }
    try {
      let server = await start()
      const { spaceId, markdown } = await fill(server)
      const links = await withDatabase(place.location, (db) => linksIn(db, spaceId))
      expect(links.length).toBe(pages * 3)
      const found = await searchAll(server, spaceId)
      await server.end('SIGKILL')
      for (let round = 0; round < rounds; round++) {
        const hashes = await withDatabase(place.location, asBefore)
        server = await start()
        const reading = readAll(server, spaceId).catch(() => undefined)
        await untilPacking(place.location, round)
        await sleep(Math.random() * 100)
        await server.end('SIGKILL')
        await reading
        const stored = await withDatabase(place.location, textsOf)
        expect(stored.hashes).toEqual(hashes)
        packedInTheEnd += stored.packed
        expect(await withDatabase(place.location, (db) => linksIn(db, spaceId))).toEqual(links)
        server = await start()
        expect(await readAll(server, spaceId)).toEqual(markdown)
        expect(await searchAll(server, spaceId)).toEqual(found)
        await server.end('SIGKILL')
      }
      // Not every kill came before the first row was packed.
      expect(packedInTheEnd).toBeGreaterThan(0)
      if (backend.name === 'sqlite') return
      server = await start()
      await untilMoved(place.location)
      expect(await searchAll(server, spaceId)).toEqual(found)
    } finally {
      for (const server of started) await server.end('SIGKILL')
      await made.drop()
      rmSync(folder, { recursive: true, force: true })
    }
  }, 600_000)
})

async function fill(server: Running): Promise<{ spaceId: string; markdown: string[] }> {
  const client = server.client()
  const organizationId = (await client.listOrganizationsForAuthenticatedUser({ query: {} })).items[0]?.id ?? ''
  const { id: spaceId } = await client.createSpace({ organizationId, body: { title: 'Old' } })
  for (let from = 0; from < pages; from += 40) {
    const changes = Array.from({ length: 40 }, (_, i) => ({
      operation: 'insert_page' as const,
      title: `Page ${from + i}`,
      document: { markdown: `## Part ${from + i}\n\n${'Some *words* of it. '.repeat(30)}${linksOf(from + i)}` },
    }))
    await client.updateSpaceContent({ spaceId, body: { changes } })
  }
  return { spaceId, markdown: await readAll(server, spaceId) }
}

const linksOf = (n: number): string =>
  [1, 2, 3].map((to) => `[link ${to}](https://example.com/${(n * to) % 50})`).join(' ')

/** Where every link of the space stands and what it leads to. */
async function linksIn(db: Database, spaceId: string): Promise<string[]> {
  const rows = await linksOfSpace(db, { spaceId })
  return rows
    .map(({ pageId, position, nodeKey, ref, status }) => [pageId, position, nodeKey, ref, status].join(' '))
    .sort()
}

async function readAll(server: Running, spaceId: string): Promise<string[]> {
  const client = server.client()
  const { pages: list } = await client.listPages({ spaceId, query: {} })
  const read: string[] = []
  for (const { id } of list) read.push((await client.getPageById({ spaceId, pageId: id, query: {} })).markdown ?? '')
  return read
}

/** What is found, with what is shown of it. */
async function searchAll(server: Running, spaceId: string): Promise<string[]> {
  const client = server.client()
  const found: string[] = []
  for (const query of ['words', 'some words', 'part 77', '"words of it"']) {
    const { items } = await client.searchSpaceContent({ spaceId, query: { query } })
    found.push(JSON.stringify(items).replaceAll(server.url, ''))
  }
  return found
}

async function withDatabase<T>(location: string, work: (db: Database) => Promise<T>): Promise<T> {
  const db = await openDatabase({ location })
  try {
    return await work(db)
  } finally {
    await db.close()
  }
}

/** Whether the job has come to each of its parts: content, the texts of the search, links and, on PostgreSQL, words. */
const waits = [
  `select 1 from "treeNode" where "packed" is not null limit 1`,
  `select 1 from "searchText" where "packed" is not null limit 1`,
  `select 1 from "linkRow" limit 1`,
]
const waitsOf = (engine: Database['engine']) =>
  engine === 'sqlite' ? waits : [`select 1 from "searchText" where "words" is not null limit 1`, ...waits]

const untilPacking = (location: string, round: number): Promise<void> =>
  withDatabase(location, async (db) => {
    const all = waitsOf(db.engine)
    const sql = all[round % all.length] ?? ''
    for (let i = 0; i < 3000 && (await db.all({ sql, name: '' }, [])).length === 0; i++) await sleep(10)
  })

/** Whoever goes on after the last kill brings it to its end. */
const untilMoved = (location: string): Promise<void> =>
  withDatabase(location, async (db) => {
    for (let i = 0; i < 3000 && (await countVectors(db)) > 0; i++) await sleep(20)
    expect(await countVectors(db)).toBe(0)
  })

/** Every row as its hash says, and how many of them are packed. */
async function textsOf(db: Database): Promise<{ hashes: string[]; packed: number }> {
  const hashes: string[] = []
  let packed = 0
  for (const table of (await archivedTables(db)).filter(({ isPacked }) => isPacked)) {
    for await (const rows of readPages(db, table))
      for (const { hash, value } of rows) {
        if (contentHash(String(value)) !== hash) throw new Error(`${table.name} ${hash} is another text.`)
        hashes.push(String(hash))
      }
    packed += await countPacked(db, table.name)
  }
  packed += await countPacked(db, 'searchText')
  return { hashes, packed }
}

async function countPacked(db: Database, table: string): Promise<number> {
  const count = `select count(*) as "n" from "${table}" where "packed" is not null`
  return Number((await db.all({ sql: count, name: '' }, []))[0]?.n)
}

/** The rows as an earlier build would have left them, with the job that the upgrade writes. */
async function asBefore(db: Database): Promise<string[]> {
  await db.transaction(async (tx) => {
    for (const table of (await archivedTables(tx)).filter(({ isPacked }) => isPacked)) {
      const base = table.packing.includes('base') && table.name === 'document' ? ', "base" = null' : ''
      const [value, hash] = tx.engine === 'sqlite' ? ['?', '?'] : ['$1', '$2']
      const sql = `update "${table.name}" set "value" = ${value}, "packed" = null${base} where "hash" = ${hash}`
      const all = []
      for await (const rows of readPages(tx, table)) all.push(...rows)
      for (const row of all) await tx.run({ sql, name: '' }, [row.value ?? '', row.hash ?? ''])
    }
    await tx.run({ sql: `delete from "printed"`, name: '' }, [])
    const [body, number] = tx.engine === 'sqlite' ? ['?', '?'] : ['$1', '$2']
    const plain = `update "searchText" set "body" = ${body}, "packed" = null where "number" = ${number}`
    const sections = await tx.all({ sql: `select "number", "packed" from "searchText"`, name: '' }, [])
    for (const { number: at, packed } of sections)
      if (packed instanceof Uint8Array)
        await tx.run({ sql: plain, name: '' }, [unpackShort([packed])[0] ?? '', Number(at)])
    if (tx.engine === 'postgres') await storeVectors(tx)
    await tx.run({ sql: `${oldLinks} select * from (${numberedLinks}) as "numbered"`, name: '' }, [])
    await tx.run({ sql: `delete from "linkSpace"`, name: '' }, [])
    // The one that was killed would hold its lease for a while.
    await tx.run({ sql: `delete from "job" where "kind" = 'pack'`, name: '' }, [])
    await enqueue(tx, { kind: 'pack', uniqueKey: 'all' })
  })
  return (await textsOf(db)).hashes
}

const linkColumns = ['spaceId', 'pageId', 'position', 'nodeKey', 'kind', 'target', 'ref', 'status']
  .map((name) => `"${name}"`)
  .join()
const oldLinks = `insert into "link" (${linkColumns})`
/** Those that are not there as texts already, because the job had not come to them. */
const numberedLinks = `select ${linkColumns} from "everyLink" except select ${linkColumns} from "link"`
