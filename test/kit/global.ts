/** Before all tests: the bundle is built (threads are loaded from it), and a PostgreSQL server of our own is running. */
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { TestProject } from 'vitest/node'
import { openDatabase } from '../../src/store/database.ts'
import { migrate } from '../../src/store/migrate.ts'
import { startPostgres } from './postgres.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** The address of the migrated template database; others are copied from it. */
    postgres: string
  }
}

export const template = 'lectern_template'

const root = fileURLToPath(new URL('../..', import.meta.url))

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  build()
  const server = await startPostgres()
  try {
    await server.query(`create database ${template}`)
    const db = await openDatabase({ location: server.url(template), poolSize: 1 })
    await migrate(db)
    await db.close()
  } catch (error) {
    await server.stop()
    throw error
  }
  project.provide('postgres', server.url(template))
  return () => server.stop()
}

function build(): void {
  const built = join(root, 'dist/main.js')
  if (existsSync(built) && statSync(built).mtimeMs > newest(join(root, 'src'))) return
  const done = spawnSync(process.execPath, [join(root, 'scripts/build.js')], { encoding: 'utf8' })
  if (done.status !== 0) throw new Error(`The build failed:\n${done.stdout}\n${done.stderr}`)
}

const newest = (folder: string): number =>
  Math.max(
    ...readdirSync(folder, { withFileTypes: true, recursive: true }).map(
      (entry) => statSync(join(entry.parentPath, entry.name)).mtimeMs,
    ),
  )
