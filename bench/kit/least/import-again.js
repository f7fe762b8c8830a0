// An import of unchanged files by hand, as a command: every file read and hashed, and held against what was noted of it the last time.
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { openDatabase } from './database.js'

const { folder, database } = JSON.parse(process.argv[2])
const db = await openDatabase(database)
await db.exec('create table if not exists "importedFile" ("path" text primary key, "hash" text not null)')
const known = new Map(
  (await db.statement('select "path", "hash" from "importedFile"').all()).map(({ path, hash }) => [path, hash]),
)
const note = db.statement(
  'insert into "importedFile" values (?, ?) on conflict ("path") do update set "hash" = excluded."hash"',
)
const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
let changed = 0
for (const entry of files) {
  const path = join(entry.parentPath, entry.name)
  const hash = createHash('sha256').update(readFileSync(path)).digest('base64url')
  if (known.get(path) === hash) continue
  changed++
  await note.run(path, hash)
}
await db.close()
console.log(JSON.stringify({ changed }))
