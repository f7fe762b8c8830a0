/**
 * The folder with the database and the files, before anything is opened: it is ours alone (the signing key lies in it), and
 * what is left of a lost database is not taken for a new installation.
 */
import {
  accessSync,
  chmodSync,
  closeSync,
  constants,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  statSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'

export interface DataFolder {
  /** `LECTERN_DATA`. */
  data: string
  /** The SQLite file; undefined on PostgreSQL. */
  file: string | undefined
}

export class DataFolderError extends Error {
  override name = 'DataFolderError'
}

/** Closes the folder to other accounts; what could not be closed, in sentences. */
export function closeDataFolder({ data, file }: DataFolder): string[] {
  if (process.platform === 'win32') return []
  const warnings: string[] = []
  const isNew = mkdirSync(data, { recursive: true, mode: 0o700 }) !== undefined
  // A folder that holds other things as well may be someone's home: only what is ours in it is closed.
  if (isNew || readdirSync(data).every((name) => isOurs(name, file))) close(data, 0o700, warnings)
  if (existsSync(join(data, 'blobs'))) close(join(data, 'blobs'), 0o700, warnings)
  if (file === undefined) return warnings
  if (!existsSync(file)) {
    // SQLite gives its journal the mode of the database, so that it is enough to make this one with the right mode.
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
    closeSync(openSync(file, 'a', 0o600))
  }
  for (const part of [file, `${file}-wal`, `${file}-shm`]) if (existsSync(part)) close(part, 0o600, warnings)
  return warnings
}

/** Throws when there was a database here and it is gone. */
export function refuseLostDatabase({ data, file }: DataFolder, { besideFiles }: { besideFiles: boolean }): void {
  if (file === undefined || sizeOf(file) > 0) return
  const journal = sizeOf(`${file}-wal`)
  if (journal > 0) {
    throw new DataFolderError(
      `${file} is empty or gone, but its journal ${file}-wal holds ${journal} bytes: the database was lost. Keep a copy of the journal, put both aside and restore a backup.`,
    )
  }
  if (besideFiles && holdsFiles(join(data, 'blobs'))) {
    throw new DataFolderError(
      `${file} is empty or gone, but ${join(data, 'blobs')} holds files: this is no new installation. Put the database back, restore a backup, or move the files away to start anew.`,
    )
  }
}

/** Throws when this account may not write the database, which would be found out by everyone who changes something. */
export function refuseUnwritable({ file }: DataFolder): void {
  if (file === undefined) return
  for (const path of [dirname(file), file, `${file}-wal`, `${file}-shm`]) {
    try {
      if (existsSync(path)) accessSync(path, constants.W_OK)
    } catch (error) {
      throw new DataFolderError(
        `${path} cannot be written (${codeOf(error)}): it has to belong to the account that runs Lectern, on a disk that is not read-only.`,
      )
    }
  }
}

const codeOf = (error: unknown): string => String((error as NodeJS.ErrnoException).code)

const isOurs = (name: string, file: string | undefined): boolean =>
  name === 'blobs' || name.startsWith('lectern') || (file !== undefined && name.startsWith(basename(file)))

function close(path: string, mode: number, warnings: string[]): void {
  if ((statSync(path).mode & 0o077) === 0) return
  try {
    chmodSync(path, mode)
  } catch {
    warnings.push(
      `Other accounts can read ${path}, which belongs to another one: run \`chmod ${mode.toString(8)}\` there.`,
    )
  }
}

const sizeOf = (file: string): number => statSync(file, { throwIfNoEntry: false })?.size ?? 0

function holdsFiles(folder: string): boolean {
  if (!existsSync(folder)) return false
  const prefixes = readdirSync(folder).filter((name) => /^[0-9a-f]{2}$/.test(name))
  return prefixes.some((prefix) => readdirSync(join(folder, prefix)).length > 0)
}
