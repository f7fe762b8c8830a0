/** `lectern check`: is everything in order? Reads only; exit code 1 when something is not. */
import { createHash } from 'node:crypto'
import { defineCommand } from 'citty'
import type { BlobReader } from '../core/blobs.ts'
import { findContentProblems } from '../domain/content/check.ts'
import { findSpace } from '../store/content/spaces.ts'
import type { Connection } from '../store/database.ts'
import { listJobs, listTroubledJobs } from '../store/jobs.ts'
import { newestStep, stepOf } from '../store/upkeep/migrate.ts'
import { listSpaceIds } from '../store/upkeep/rebuild.ts'
import { archivedTables, countRows, findDamage } from '../store/upkeep/rows.ts'
import { makeProgress, type Progress } from './progress.ts'
import { type OpenedDatabase, withDatabase } from './with-store.ts'

export const check = defineCommand({
  meta: {
    name: 'check',
    description:
      'Check the settings, the database, the jobs, that every file is there and every page can be found; with --files and --content also the bytes of every file and the text of every page. Changes nothing.',
  },
  args: {
    files: { type: 'boolean', description: 'Read every file and compare it with its hash.' },
    content: { type: 'boolean', description: 'Read all content, and compare links and search with it.' },
    json: { type: 'boolean', description: 'Print JSON, and no progress.' },
  },
  async run({ args }) {
    const progress = makeProgress({ quiet: args.json === true })
    const found = await withDatabase({ mustExist: true }, async ({ db, blobs, config }) => {
      const problems = [...(await findDamage(db.slow)), ...(await stepProblems(db))]
      const tables = (await stepOf(db)) === 0 ? {} : await countTables(db)
      const files = await checkFiles(blobs, { read: args.files === true, problems, progress })
      const step = await stepOf(db)
      const isCurrent = step === newestStep()
      const jobs = isCurrent ? await checkJobs(db) : { failedJobs: 0, problems: [], isRebuilding: false }
      problems.push(...jobs.problems)
      const { isRebuilding, failedJobs } = jobs
      const deep = args.content === true
      if (isCurrent) problems.push(...(await checkContent({ db, blobs, config }, progress, { deep, isRebuilding })))
      const leftOut = [
        ...(args.files ? [] : ['the bytes of files (--files)']),
        ...(deep ? [] : ['the text of pages, and links and search in full (--content)']),
        ...(isRebuilding ? ['links and search, which a worker makes again after the restore'] : []),
        ...(isCurrent ? [] : ['content and jobs, until the tables are upgraded']),
      ]
      return { database: db.engine, url: config.url, step, tables, files, failedJobs, leftOut, problems }
    })
    progress.end()
    if (args.json) console.log(JSON.stringify(found))
    else {
      console.log(`Database   ${found.database}, step ${found.step} of ${newestStep()}`)
      for (const [name, rows] of Object.entries(found.tables))
        console.log(`  ${name.padEnd(20)} ${rows.toLocaleString('en')}`)
      console.log(`Files      ${found.files.count}, ${(found.files.bytes / 1024 / 1024).toFixed(1)} MiB`)
      if (found.leftOut.length > 0) console.log(`Not read   ${found.leftOut.join('; ')}`)
      console.log(found.problems.length === 0 ? 'Everything is in order.' : found.problems.join('\n'))
    }
    if (found.problems.length > 0) process.exitCode = 1
  },
})

async function stepProblems(db: Connection): Promise<string[]> {
  const step = await stepOf(db)
  if (step < newestStep()) return [`The tables are at step ${step} of ${newestStep()}: run \`lectern migrate\`.`]
  if (step > newestStep())
    return [`The tables are at step ${step}; this version knows ${newestStep()}. Run a newer one.`]
  return []
}

async function countTables(db: Connection): Promise<Record<string, number>> {
  const counts: Record<string, number> = {}
  for (const { name } of await archivedTables(db)) counts[name] = await countRows(db, name)
  return counts
}

/** What workers could not do; and whether what a restore leaves out is still to be made. */
async function checkJobs(db: Connection) {
  const troubled = await listTroubledJobs(db)
  const failed = troubled.filter(({ state }) => state === 'failed')
  const problems = [...new Set(troubled.map(({ kind }) => kind))].map((kind) => {
    const jobs = troubled.filter((job) => job.kind === kind)
    const last = jobs.at(-1)
    const given = jobs.filter(({ state }) => state === 'failed').length
    return `Jobs \`${kind}\`: ${given} given up, ${jobs.length - given} to be tried again; the last one (${last?.attempts} attempts): ${last?.lastError}`
  })
  const rebuilds = await listJobs(db, { kind: 'rebuild' })
  const isRebuilding = rebuilds.some(({ state, lastError }) => state !== 'failed' && lastError === null)
  return { failedJobs: failed.length, problems, isRebuilding }
}

async function checkContent(
  { db, blobs, config }: OpenedDatabase,
  progress: Progress,
  depth: { deep: boolean; isRebuilding: boolean },
): Promise<string[]> {
  progress.begin('Reading content', undefined)
  const problems: string[] = []
  for (let after = ''; ; ) {
    const spaces = await listSpaceIds(db, { after, limit: 100 })
    for (const { id } of spaces) {
      // At one moment: a space that is being edited is not torn.
      const found = await db.snapshot(async (moment) => {
        const space = await findSpace(moment, { id })
        return space ? findContentProblems({ db: moment, blobs, space, appUrl: config.url, ...depth }) : []
      })
      problems.push(...found)
      progress.advance(1)
    }
    const last = spaces.at(-1)
    if (!last) return problems
    after = last.id
  }
}

async function checkFiles(
  blobs: BlobReader,
  { read, problems, progress }: { read: boolean; problems: string[]; progress: Progress },
): Promise<{ count: number; bytes: number }> {
  const files = { count: 0, bytes: 0 }
  if (read) progress.begin('Reading files', undefined)
  for await (const { hash, size } of blobs.list()) {
    files.count++
    files.bytes += size
    progress.advance(1)
    if (read && (await hashOf(blobs, hash)) !== hash) problems.push(`The file ${hash} is damaged.`)
  }
  return files
}

async function hashOf(blobs: BlobReader, hash: string): Promise<string> {
  const sha = createHash('sha256')
  for await (const bytes of (await blobs.open(hash)) ?? []) sha.update(bytes)
  return sha.digest('hex')
}
