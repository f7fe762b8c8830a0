/** `lectern backup`, `lectern restore` and `lectern copy`: everything, out of a database and into another. */
import { defineCommand } from 'citty'
import { openBlobs } from '../open.ts'
import { isPostgres, openDatabase } from '../store/database.ts'
import { type LostFiles, openArchive, writeArchive } from './archive.ts'
import { CommandError } from './plain-errors.ts'
import { makeProgress } from './progress.ts'
import { copyAll, type Filled, restoreArchive } from './restore.ts'
import { withDatabase } from './with-store.ts'

const json = { type: 'boolean', description: 'Print JSON, and no progress.' } as const

export const backup = defineCommand({
  meta: {
    name: 'backup',
    description:
      'Save everything (rows and files) into one file, also while the server runs. The file can be restored into SQLite and into PostgreSQL.',
  },
  args: {
    file: { type: 'positional', required: true, description: 'The file to write; .tar, or .tar.gz to compress it.' },
    'allow-missing': { type: 'boolean', description: 'Save what is there when files are damaged or missing.' },
    json,
  },
  async run({ args }) {
    const progress = makeProgress({ quiet: args.json === true })
    await withDatabase({ mustExist: true }, async ({ db, blobs }) => {
      const allowMissing = args['allow-missing'] === true
      const manifest = await writeArchive(args.file, { db, blobs, progress, allowMissing })
      progress.end()
      if (args.json) console.log(JSON.stringify({ file: args.file, ...manifest }))
      else console.log(`Saved ${amount(manifest)} in ${args.file}.\nSHA-256 of its content: ${manifest.sha256}`)
      if (!args.json && manifest.lost) console.log(lostIn(manifest.lost))
    })
  },
})

export const restore = defineCommand({
  meta: {
    name: 'restore',
    description: 'Fill an empty database from a backup. A database that is not empty is left alone.',
  },
  args: {
    file: { type: 'positional', required: true, description: 'The file that `lectern backup` wrote.' },
    json,
  },
  async run({ args }) {
    const progress = makeProgress({ quiet: args.json === true })
    const archive = await openArchive(args.file, progress)
    await withDatabase({ mustExist: false }, async ({ db, blobs }) => {
      const filled = await restoreArchive(archive, { db, blobs }, progress)
      report(args.json === true, `Restored ${amount(filled)} from ${args.file}.`, filled)
      if (!args.json && archive.manifest.lost) console.log(lostIn(archive.manifest.lost))
    })
  },
})

export const copy = defineCommand({
  meta: {
    name: 'copy',
    description:
      'Copy everything into an empty PostgreSQL database. Stop the server first: what is written after the copy began stays behind.',
  },
  args: {
    to: { type: 'string', required: true, description: 'Where to: postgres://user:password@host/database.' },
    json,
  },
  async run({ args }) {
    if (!isPostgres(args.to)) throw new CommandError('--to must be a postgres:// address.')
    const progress = makeProgress({ quiet: args.json === true })
    await withDatabase({ mustExist: true }, async ({ db, blobs, config }) => {
      const target = await openDatabase({ location: args.to, patient: true })
      try {
        await target.check()
        const filled = await copyAll(db, blobs, { db: target, blobs: openBlobs(target, config) }, progress)
        report(
          args.json === true,
          `Copied ${amount(filled)}; the counts match. Now set DATABASE_URL to the new address.`,
          filled,
        )
      } finally {
        await target.close()
      }
    })
  },
})

const lostIn = ({ damaged, missing }: LostFiles): string =>
  `Without ${damaged.length + missing.length} files that were damaged or missing: ${[...damaged, ...missing].join(', ')}.`

function report(asJson: boolean, sentence: string, filled: Filled): void {
  console.log(asJson ? JSON.stringify(filled) : sentence)
  if (!asJson && filled.migrated.length > 0) console.log(`Upgraded its tables: ${filled.migrated.join(', ')}.`)
}

function amount({ tables, blobs }: Pick<Filled, 'tables' | 'blobs'>): string {
  const rows = Object.values(tables).reduce((sum, count) => sum + count, 0)
  const size = (blobs.bytes / 1024 / 1024).toFixed(1)
  return `${rows.toLocaleString('en')} rows of ${Object.keys(tables).length} tables and ${blobs.count.toLocaleString('en')} files (${size} MiB)`
}
