/** Runs a command with the store open, and closes it whatever happens. */
import { existsSync } from 'node:fs'
import type { BlobStore } from '../core/blobs.ts'
import { folderOf, type Opened, open, openBlobs } from '../open.ts'
import { type Config, readConfig } from '../platform/config.ts'
import { closeDataFolder, refuseLostDatabase } from '../platform/data-folder.ts'
import { type Database, isPostgres, openDatabase } from '../store/database.ts'
import { CommandError } from './plain-errors.ts'

/** With `mustExist`, an empty database is not made: it would be the wrong one. */
export async function withStore<T>(
  work: (opened: Opened & { config: Config }) => Promise<T>,
  { mustExist = false }: { mustExist?: boolean } = {},
): Promise<T> {
  const config = readConfig(process.env)
  if (mustExist) refuseMissing(config)
  const opened = await open(config, { patient: true })
  try {
    return await work({ ...opened, config })
  } finally {
    await opened.db.close()
  }
}

function refuseMissing({ database }: Config): void {
  if (isPostgres(database) || existsSync(database)) return
  throw new CommandError(
    `There is no database at ${database}. LECTERN_DATA names its folder, or DATABASE_URL its address.`,
  )
}

/** The database as a person would name it, without its password. */
export const nameOfDatabase = ({ database }: Config): string =>
  isPostgres(database) ? database.replace(/\/\/[^@/]*@/, '//').replace(/\?.*$/, '') : database

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
  if (mustExist) refuseMissing(config)
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
