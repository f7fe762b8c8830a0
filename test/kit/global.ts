/** Before all tests: the programs they need are here, the bundle is built (threads are loaded from it), and a PostgreSQL server of our own is running. */
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { TestProject } from 'vitest/node'
import { openDatabase } from '../../src/store/database.ts'
import { migrate } from '../../src/store/upkeep/migrate.ts'
import { startPostgres } from './postgres.ts'
import { installMissingPrograms } from './programs.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** The address of the migrated template database; others are copied from it. */
    postgres: string
  }
}

export const template = 'lectern_template'

const root = fileURLToPath(new URL('../..', import.meta.url))

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  installMissingPrograms()
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

/** Builds when the sources are not those that dist/ was built from; clocks and copies make times worthless for telling. */
function build(): void {
  const note = join(root, 'dist/sources.sha1')
  const wanted = sourcesHash()
  if (existsSync(note) && readFileSync(note, 'utf8') === wanted) return
  const done = spawnSync(process.execPath, [join(root, 'scripts/build.js')], { encoding: 'utf8' })
  if (done.status !== 0) throw new Error(`The build failed:\n${done.stdout}\n${done.stderr}`)
  writeFileSync(note, wanted)
}

function sourcesHash(): string {
  const hash = createHash('sha1')
  const files = readdirSync(join(root, 'src'), { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
  const scripts = ['build', 'build-app', 'build-client', 'contract-rows'].map((name) =>
    join(root, `scripts/${name}.js`),
  )
  for (const file of [...files, ...scripts, join(root, 'package.json')].sort()) {
    hash.update(file).update(readFileSync(file))
  }
  return hash.digest('hex')
}
