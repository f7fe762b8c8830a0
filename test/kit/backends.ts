/** Every test of the store and of the API runs on both databases. `BACKENDS=sqlite` runs one, while you work. */
import { accessSync, constants, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { beforeAll, describe, inject } from 'vitest'
import { type Database, type EngineName, openDatabase } from '../../src/store/database.ts'
import { migrate } from '../../src/store/upkeep/migrate.ts'

/** A database of its own, which goes when it is dropped. */
export interface Place {
  /** What `DATABASE_URL` would say. */
  location: string
  /** A folder for files beside it. */
  folder: string
  drop(): Promise<void>
}

export interface Backend {
  name: EngineName
  /** An empty place: no tables yet, or (`migrated`) with the tables of this version. */
  make(options?: { migrated?: boolean }): Promise<Place>
}

export function eachBackend(body: (backend: Backend) => void): void {
  const wanted = process.env.BACKENDS?.split(',')
  for (const backend of backends) {
    if (!wanted || wanted.includes(backend.name)) describe(backend.name, () => body(backend))
  }
}

/** An open, migrated database for the tests of a `describe`; it goes after them. */
export function useStore(backend: Backend): { readonly db: Database; readonly place: Place } {
  let opened: { db: Database; place: Place } | undefined
  beforeAll(async () => {
    const place = await backend.make()
    const db = await openDatabase({ location: place.location })
    await migrate(db)
    opened = { db, place }
    return async () => {
      await db.close()
      await place.drop()
    }
  })
  const open = () => {
    if (!opened) throw new Error('The store is open while tests run, not while they are collected.')
    return opened
  }
  return {
    get db() {
      return open().db
    },
    get place() {
      return open().place
    },
  }
}

// Memory where there is any: these tests are about what is written, not about the disk. `faults/` uses the disk.
const scratch = ['/dev/shm', tmpdir()].find(isWritable) ?? tmpdir()

export const makeFolder = (parent = scratch): string => mkdtempSync(join(parent, 'lectern-test-'))

export const sqlite: Backend = {
  name: 'sqlite',
  async make() {
    const folder = makeFolder()
    return {
      location: join(folder, 'lectern.db'),
      folder,
      drop: async () => rmSync(folder, { recursive: true, force: true }),
    }
  },
}

export const postgres: Backend = {
  name: 'postgres',
  async make({ migrated = true } = {}) {
    const url = new URL(inject('postgres'))
    const source = url.pathname.slice(1)
    const name = `test_${process.pid}_${Math.random().toString(36).slice(2, 12)}`
    const folder = makeFolder()
    await maintain(url, `create database ${name} template ${migrated ? source : 'template0'}`)
    return {
      location: urlOf(url, name),
      folder,
      drop: async () => {
        rmSync(folder, { recursive: true, force: true })
        await maintain(url, `drop database if exists ${name} with (force)`)
      },
    }
  },
}

export const backends: readonly Backend[] = [sqlite, postgres]

function urlOf(url: URL, database: string): string {
  const copy = new URL(url)
  copy.pathname = `/${database}`
  return copy.href
}

async function maintain(url: URL, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: urlOf(url, 'postgres') })
  await client.connect()
  try {
    await retried(() => client.query(sql))
  } finally {
    await client.end()
  }
}

/** Two copies of one template at the same moment: PostgreSQL asks the second to come back. */
async function retried<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work()
    } catch (error) {
      if (attempt === 20 || (error as { code?: string }).code !== '55006') throw error
      await new Promise((resolve) => setTimeout(resolve, 25 * attempt))
    }
  }
}

function isWritable(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK)
    return true
  } catch {
    return false
  }
}
