/** Fills an empty database: from a backup, or from another database. All or nothing: one transaction holds every row. */
import type { BlobReader, BlobStore } from '../core/blobs.ts'
import type { Connection, Database } from '../store/database.ts'
import { settleRestoredEvents } from '../store/events/events.ts'
import { enqueue } from '../store/jobs.ts'
import { migrate, newestStep, stepOf } from '../store/upkeep/migrate.ts'
import {
  archivedTables,
  countRows,
  firstFilled,
  insertRows,
  listTables,
  readPages,
  type Table,
} from '../store/upkeep/rows.ts'
import { type Archive, rowsOf } from './archive.ts'
import { CommandError } from './plain-errors.ts'
import type { Progress } from './progress.ts'

export interface Target {
  db: Database
  blobs: BlobStore
}

export interface Filled {
  tables: Record<string, number>
  blobs: { count: number; bytes: number }
  /** Upgrades that ran afterwards, because what was put in came from an older version. */
  migrated: string[]
}

export async function restoreArchive(archive: Archive, target: Target, progress: Progress): Promise<Filled> {
  const { head, manifest } = archive
  if (head.schema > newestStep()) {
    throw new CommandError(
      `The backup was made by a newer Lectern (${head.lectern}): its tables are at step ${head.schema}, and this version knows ${newestStep()}.`,
    )
  }
  await prepare(target.db, head.schema)
  const blobs = { count: 0, bytes: 0 }
  const damaged = new Set(manifest.lost?.damaged)
  progress.begin('Restoring files', manifest.blobs.count)
  for await (const { name, size, body } of archive.entries()) {
    const hash = /^blobs\/([0-9a-f]{64})$/.exec(name)?.[1]
    if (hash === undefined || damaged.has(hash)) continue
    const stored = await target.blobs.put(body, { limit: size })
    if (stored.hash !== hash) throw new CommandError(`The file ${hash} of the backup is damaged.`)
    blobs.count++
    blobs.bytes += size
    progress.advance(1)
  }
  const tables = await target.db.transaction(
    async (tx) => {
      await refuseFilled(tx)
      const known = new Map((await archivedTables(tx)).map((table) => [table.name, table]))
      progress.begin(
        'Restoring rows',
        Object.values(manifest.tables).reduce((sum, rows) => sum + rows, 0),
      )
      for await (const entry of archive.entries()) {
        const page = await rowsOf(entry)
        if (!page) continue
        const table = known.get(page.table)
        if (!table) throw new CommandError(`The backup holds a table that this version does not know: ${page.table}.`)
        await insertRows(tx, table, page.rows)
        progress.advance(page.rows.length)
      }
      return checkCounts(tx, manifest.tables)
    },
    { lock: 'migrate' },
  )
  progress.end()
  return { tables, blobs, migrated: await complete(target.db) }
}

/** Copies a moment of one database with its files into another. */
export async function copyAll(source: Database, from: BlobStore, target: Target, progress: Progress): Promise<Filled> {
  const release = await from.hold()
  try {
    return await source.snapshot(async (moment) => {
      await prepare(target.db, await stepOf(moment))
      const blobs = await copyBlobs(from, target.blobs, progress)
      const tables = await target.db.transaction(
        async (tx) => {
          await refuseFilled(tx)
          const counts: Record<string, number> = {}
          for (const table of await archivedTables(moment)) {
            counts[table.name] = await copyTable(moment, tx, table, progress)
          }
          return checkCounts(tx, counts)
        },
        { lock: 'migrate' },
      )
      progress.end()
      return { tables, blobs, migrated: await complete(target.db) }
    })
  } finally {
    await release()
  }
}

/** Brings the tables up to this version, and has what was left out of the rows made again. */
async function complete(db: Database): Promise<string[]> {
  const migrated = await migrate(db)
  await db.transaction(async (tx) => {
    await settleRestoredEvents(tx)
    await enqueue(tx, { kind: 'rebuild', uniqueKey: 'all' })
  })
  return migrated
}

/** Gives an empty database the tables that the rows fit into. */
async function prepare(db: Database, step: number): Promise<void> {
  const present = await stepOf(db)
  if (present === 0 && (await listTables(db)).length > 0) {
    throw new CommandError('The database belongs to something else: it holds tables that are not ours.')
  }
  await refuseFilled(db)
  if (present > step) {
    throw new CommandError(
      `The tables of the database are at step ${present} already, and the rows come from step ${step}. Start from a database without tables.`,
    )
  }
  await migrate(db, { upTo: step })
}

async function refuseFilled(db: Connection): Promise<void> {
  const filled = await firstFilled(db)
  if (filled !== undefined) {
    throw new CommandError(`The database is not empty (there is something in ${filled}). Nothing was changed.`)
  }
}

async function copyBlobs(
  from: BlobReader,
  to: BlobStore,
  progress: Progress,
): Promise<{ count: number; bytes: number }> {
  const copied = { count: 0, bytes: 0 }
  progress.begin('Copying files', undefined)
  for await (const { hash, size } of from.list()) {
    const body = await from.open(hash)
    if (!body) continue
    const stored = await to.put(body, { limit: size })
    if (stored.hash !== hash) throw new CommandError(`The file ${hash} is damaged: its bytes do not fit its name.`)
    copied.count++
    copied.bytes += size
    progress.advance(1)
  }
  return copied
}

async function copyTable(moment: Connection, tx: Connection, table: Table, progress: Progress): Promise<number> {
  const total = await countRows(moment, table.name)
  progress.begin(`Copying ${table.name}`, total)
  for await (const page of readPages(moment, table)) {
    await insertRows(tx, table, page)
    progress.advance(page.length)
  }
  return total
}

async function checkCounts(tx: Connection, expected: Record<string, number>): Promise<Record<string, number>> {
  for (const [name, rows] of Object.entries(expected)) {
    const found = await countRows(tx, name)
    if (found !== rows) throw new CommandError(`${name} has ${found} rows instead of ${rows}. Nothing was changed.`)
  }
  return expected
}
