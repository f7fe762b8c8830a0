/**
 * The backup: one file for both engines, so that what was saved on SQLite can be restored into PostgreSQL and back.
 *
 * It is a tar archive (gzipped when its name ends in .gz):
 *
 *   lectern.json                 the format, the version and the step that the tables are at
 *   tables/<table>/000001.jsonl  rows, one JSON object a line, in an order in which they can be put in
 *   blobs/<hash>                 files, by the SHA-256 of their bytes
 *   manifest.json                counts of both, and a checksum of everything before it: without it, it is no backup
 */
import { createHash, type Hash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { type FileHandle, open, rename, rm, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip, createGzip } from 'node:zlib'
import { z } from 'zod'
import type { BlobReader, BlobStore, Bytes } from '../core/blobs.ts'
import { filesOfContent } from '../domain/content/check.ts'
import { readTar, type TarEntry, tarEnd, tarEntry } from '../platform/tar.ts'
import { version } from '../platform/version.ts'
import { readBlobs } from '../store/content/blobs.ts'
import type { Connection, Database, Row, Value } from '../store/database.ts'
import { newestStep, stepOf } from '../store/upkeep/migrate.ts'
import { archivedTables, countRows, readPages } from '../store/upkeep/rows.ts'
import { CommandError } from './plain-errors.ts'
import type { Progress } from './progress.ts'

const Head = z.object({
  format: z.literal(1),
  lectern: z.string(),
  schema: z.int().min(1),
  engine: z.string(),
  createdAt: z.string(),
})

const Manifest = z.object({
  tables: z.record(z.string(), z.int().min(0)),
  blobs: z.object({ count: z.int().min(0), bytes: z.int().min(0) }),
  /** Files that content refers to and the backup does not hold whole. */
  lost: z.object({ damaged: z.array(z.string()), missing: z.array(z.string()) }).optional(),
  sha256: z.string(),
})

export type ArchiveHead = z.infer<typeof Head>
export type ArchiveManifest = z.infer<typeof Manifest>
export type LostFiles = NonNullable<ArchiveManifest['lost']>

/** The most that one entry other than a file may hold in memory. */
const entryLimit = 512 * 1024 * 1024

/** Writes a backup of one moment of the database, while others go on writing. Nothing stays of one that fails. */
export async function writeArchive(
  file: string,
  {
    db,
    blobs,
    progress,
    allowMissing = false,
  }: { db: Database; blobs: BlobStore; progress: Progress; allowMissing?: boolean },
): Promise<ArchiveManifest> {
  if (await stat(file).catch(() => undefined)) throw new CommandError(`${file} exists already. Name another file.`)
  if ((await stepOf(db)) === 0) throw new CommandError('The database holds nothing yet: there is nothing to save.')
  const draft = `${file}.part`
  // It holds the signing key and the hashes of tokens.
  const out = await open(draft, 'w', 0o600)
  // Files that the moment's rows refer to must not go while they are being read.
  const release = await blobs.hold()
  try {
    const manifest = await db.snapshot(async (moment) => {
      const entries = new Entries(moment, moment.engine === 'postgres' ? readBlobs(moment) : blobs, progress)
      await drain(file.endsWith('.gz') ? gzipped(entries.bytes()) : entries.bytes(), out)
      return entries.manifest
    })
    if (manifest.lost && !allowMissing) throw new CommandError(sentenceOf(manifest.lost))
    await out.sync()
    await out.close()
    await rename(draft, file)
    await syncFolder(dirname(file))
    return manifest
  } catch (error) {
    await out.close().catch(() => {})
    await rm(draft, { force: true })
    throw error
  } finally {
    await release()
  }
}

class Entries {
  readonly #db: Connection
  readonly #blobs: BlobReader
  readonly #progress: Progress
  readonly #sum = createHash('sha256')
  readonly manifest: ArchiveManifest = { tables: {}, blobs: { count: 0, bytes: 0 }, sha256: '' }

  constructor(db: Connection, blobs: BlobReader, progress: Progress) {
    this.#db = db
    this.#blobs = blobs
    this.#progress = progress
  }

  async *bytes(): AsyncGenerator<Uint8Array> {
    const { engine } = this.#db
    const head: ArchiveHead = {
      format: 1,
      lectern: version,
      schema: await stepOf(this.#db),
      engine,
      createdAt: new Date().toISOString(),
    }
    yield* this.#json('lectern.json', head)
    yield* this.#tables()
    yield* this.#files()
    this.manifest.sha256 = this.#sum.digest('hex')
    yield* tarEntry(entryOf('manifest.json', JSON.stringify(this.manifest)))
    yield tarEnd()
  }

  async *#tables(): AsyncGenerator<Uint8Array> {
    const tables = await archivedTables(this.#db)
    for (const table of tables) {
      const total = await countRows(this.#db, table.name)
      this.#progress.begin(`Saving ${table.name}`, total)
      let pages = 0
      let count = 0
      for await (const page of readPages(this.#db, table)) {
        const name = `tables/${table.name}/${String(++pages).padStart(6, '0')}.jsonl`
        yield* this.#entry(entryOf(name, page.map((row) => `${JSON.stringify(toJson(row))}\n`).join('')))
        count += page.length
        this.#progress.advance(page.length)
      }
      if (count !== total)
        throw new CommandError(`${table.name} changed while it was read: ${count} rows instead of ${total}.`)
      this.manifest.tables[table.name] = count
    }
  }

  async *#files(): AsyncGenerator<Uint8Array> {
    this.#progress.begin('Saving files', undefined)
    const damaged: string[] = []
    const present = new Set<string>()
    for await (const { hash, size } of this.#blobs.list()) {
      const body = await this.#blobs.open(hash)
      if (!body) throw new CommandError(`The file ${hash} went away while the backup ran. Run it again.`)
      const sha = createHash('sha256')
      yield* this.#entry({ name: `blobs/${hash}`, size, body: hashed(body, sha) })
      if (sha.digest('hex') !== hash) damaged.push(hash)
      present.add(hash)
      this.manifest.blobs.count++
      this.manifest.blobs.bytes += size
      this.#progress.advance(1)
    }
    const missing = new Set<string>()
    // Content of older tables cannot be read by this version; a restore upgrades them first.
    if ((await stepOf(this.#db)) === newestStep())
      for await (const hash of filesOfContent(this.#db)) if (!present.has(hash)) missing.add(hash)
    if (damaged.length + missing.size > 0) this.manifest.lost = { damaged, missing: [...missing] }
  }

  #json(name: string, value: unknown): AsyncGenerator<Uint8Array> {
    return this.#entry(entryOf(name, JSON.stringify(value)))
  }

  #entry(entry: TarEntry): AsyncGenerator<Uint8Array> {
    return tarEntry(summed(entry, this.#sum))
  }
}

const sentenceOf = ({ damaged, missing }: LostFiles): string =>
  [
    `${damaged.length} files are damaged and ${missing.length} that content refers to are missing:`,
    ...damaged.map((hash) => `  damaged  ${hash}`),
    ...missing.map((hash) => `  missing  ${hash}`),
    'Nothing was saved. Put the files back, or run it again with --allow-missing to save everything else.',
  ].join('\n')

export interface Archive {
  head: ArchiveHead
  manifest: ArchiveManifest
  /** All entries again, in their order. */
  entries(): AsyncGenerator<TarEntry>
}

/** Reads a backup once from end to end and believes it only when its checksum and its counts are right. */
export async function openArchive(file: string, progress: Progress): Promise<Archive> {
  const info = await stat(file).catch(() => undefined)
  if (!info?.isFile()) throw new CommandError(`There is no file ${file}.`)
  progress.begin('Checking the backup', undefined)
  const sum = createHash('sha256')
  const counted: ArchiveManifest = { tables: {}, blobs: { count: 0, bytes: 0 }, sha256: '' }
  let head: ArchiveHead | undefined
  let manifest: ArchiveManifest | undefined
  const unknown: string[] = []
  for await (const entry of entriesOf(file)) {
    progress.advance(1)
    if (entry.name === 'manifest.json') {
      counted.sha256 = sum.digest('hex')
      manifest = parse(Manifest, await textOf(entry))
      break
    }
    const { body } = summed(entry, sum)
    if (entry.name === 'lectern.json') head = parse(Head, await textOf({ ...entry, body }))
    else {
      if (!isKnown(entry.name)) unknown.push(entry.name)
      await count(counted, { ...entry, body })
    }
  }
  if (!head || !manifest) throw new CommandError(`${file} is no complete backup of Lectern.`)
  if (JSON.stringify(sorted(counted)) !== JSON.stringify(sorted(manifest))) {
    throw new CommandError(`${file} is damaged: its checksum or its counts do not match what it holds.`)
  }
  if (unknown.length > 0) {
    throw new CommandError(
      `${file} holds ${unknown.length} parts that this version does not know (${unknown.slice(0, 5).join(', ')}). Nothing was restored: a newer Lectern made it (${head.lectern}).`,
    )
  }
  return { head, manifest, entries: () => entriesOf(file) }
}

/** The rows of an entry, when it holds rows. */
export async function rowsOf(entry: TarEntry): Promise<{ table: string; rows: Row[] } | undefined> {
  const table = /^tables\/(\w+)\/\d+\.jsonl$/.exec(entry.name)?.[1]
  if (table === undefined) return undefined
  const lines = (await textOf(entry)).split('\n').filter((line) => line !== '')
  return { table, rows: lines.map((line) => fromJson(JSON.parse(line))) }
}

async function count(counted: ArchiveManifest, entry: TarEntry): Promise<void> {
  const table = /^tables\/(\w+)\/\d+\.jsonl$/.exec(entry.name)?.[1]
  let lines = 0
  for await (const bytes of entry.body) if (table) for (const byte of bytes) if (byte === 10) lines++
  if (table) counted.tables[table] = (counted.tables[table] ?? 0) + lines
  if (!entry.name.startsWith('blobs/')) return
  counted.blobs.count++
  counted.blobs.bytes += entry.size
}

const isKnown = (name: string): boolean => /^(tables\/\w+\/\d+\.jsonl|blobs\/[0-9a-f]{64})$/.test(name)

/** Tables without rows have no entry to be counted by, and what is lost has none either. */
const sorted = ({ lost: _, ...manifest }: ArchiveManifest) => ({
  ...manifest,
  tables: Object.entries(manifest.tables)
    .filter(([, rows]) => rows > 0)
    .sort(([a], [b]) => (a < b ? -1 : 1)),
})

function summed({ name, size, body }: TarEntry, sum: Hash): TarEntry {
  async function* through(): AsyncGenerator<Uint8Array> {
    sum.update(`${name}\n${size}\n`)
    for await (const bytes of body) {
      sum.update(bytes)
      yield bytes
    }
  }
  return { name, size, body: through() }
}

async function* hashed(body: Bytes, sha: Hash): AsyncGenerator<Uint8Array> {
  for await (const bytes of body) {
    sha.update(bytes)
    yield bytes
  }
}

function entryOf(name: string, text: string): TarEntry {
  const bytes = Buffer.from(text)
  return { name, size: bytes.length, body: Readable.from([bytes]) }
}

async function textOf({ name, size, body }: TarEntry): Promise<string> {
  if (size > entryLimit) throw new CommandError(`The backup is damaged: ${name} is too large.`)
  const parts: Uint8Array[] = []
  for await (const bytes of body) parts.push(bytes)
  return Buffer.concat(parts).toString()
}

function parse<T>(schema: z.ZodType<T>, text: string): T {
  try {
    return schema.parse(JSON.parse(text))
  } catch {
    throw new CommandError('The backup is damaged, or was made by another version of Lectern.')
  }
}

async function* entriesOf(file: string): AsyncGenerator<TarEntry> {
  const handle = await open(file, 'r')
  const magic = Buffer.alloc(2)
  await handle.read(magic, 0, 2, 0)
  await handle.close()
  const stream = createReadStream(file, { highWaterMark: 256 * 1024 })
  const isGzipped = magic[0] === 0x1f && magic[1] === 0x8b
  const source: Bytes = isGzipped ? through(stream, createGunzip()) : stream
  try {
    yield* readTar(source)
  } finally {
    stream.destroy()
  }
}

const gzipped = (bytes: Bytes): Bytes => through(Readable.from(bytes), createGzip({ level: 1 }))

/** An error of the first ends the second, so that who reads it hears of it. */
function through<T extends NodeJS.ReadWriteStream & Bytes>(from: Readable, to: T): Bytes {
  pipeline(from, to).catch(() => {})
  return to
}

async function drain(bytes: Bytes, file: FileHandle): Promise<void> {
  for await (const part of bytes) await file.writeFile(part)
}

async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r')
  await handle.sync().finally(() => handle.close())
}

const toJson = (row: Row): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(row).map(([name, value]) => [
      name,
      value instanceof Uint8Array ? { bytes: Buffer.from(value).toString('base64') } : value,
    ]),
  )

const fromJson = (row: Record<string, Value | { bytes: string }>): Row =>
  Object.fromEntries(
    Object.entries(row).map(([name, value]) => [
      name,
      value !== null && typeof value === 'object' && 'bytes' in value
        ? Buffer.from(value.bytes.toString(), 'base64')
        : value,
    ]),
  )
