/** Runs a command with the store open, and closes it whatever happens. */
import { existsSync } from 'node:fs'
import type { BlobStore } from '../core/blobs.ts'
import { folderOf, type Opened, open, openBlobs } from '../open.ts'
import { type Config, readConfig } from '../platform/config.ts'
import { closeDataFolder, refuseLostDatabase } from '../platform/data-folder.ts'
import { type Database, isPostgres, openDatabase } from '../store/database.ts'
import { CommandError } from './plain-errors.ts'

export async function withStore<T>(work: (opened: Opened & { config: Config }) => Promise<T>): Promise<T> {
  const config = readConfig(process.env)
  const opened = await open(config, { patient: true })
  try {
    return await work({ ...opened, config })
  } finally {
    await opened.db.close()
  }
}

export interface OpenedDatabase {
  db: Database
  blobs: BlobStore
  config: Config
}

/** The database as it is: nothing is upgraded or set up. With `mustExist`, an empty one is not made either. */
export async function withDatabase<T>(
  { mustExist }: { mustExist: boolean },
  work: (opened: OpenedDatabase) => Promise<T>,
): Promise<T> {
  const config = readConfig(process.env)
  if (mustExist && !isPostgres(config.database) && !existsSync(config.database)) {
    throw new CommandError(
      `There is no database at ${config.database}. LECTERN_DATA names its folder, or DATABASE_URL its address.`,
    )
  }
  const folder = folderOf(config)
  // A restore that broke off has left files behind, and is repeated.
  refuseLostDatabase(folder, { besideFiles: mustExist })
  if (!mustExist) closeDataFolder(folder)
  const db = await openDatabase({ location: config.database, poolSize: config.poolSize, patient: true })
  try {
    await db.check()
    return await work({ db, blobs: openBlobs(db, config), config })
  } finally {
    await db.close()
  }
}
