/**
 * Search on both engines over 20,000 sections: medians of alternating rounds, and how long the event loop was held. On a
 * busy machine the times say little: so beside them stands the processor time that this process took for a question, and
 * the loop counts as held for the processor time its thread took between two turns.
 *
 * Then what one page costs in that index. Run by search.js; `PAGES=100000` measures a large space.
 */
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Database, openDatabase } from '../../src/store/database.ts'
import { searchAnew } from '../../src/store/search-index/search.ts'
import { putPages } from '../../src/store/search-index/write.ts'
import { migrate } from '../../src/store/upkeep/migrate.ts'
import { startPostgres } from '../../test/kit/postgres.ts'
import { corpus, wordOf } from './corpus.ts'

const pages = Number(process.env.PAGES ?? 4000)
const sections = Number(process.env.SECTIONS ?? 5)
const rounds = Number(process.env.ROUNDS ?? 15)
const engines = (process.env.BACKENDS ?? 'sqlite,postgres').split(',')

const questions: Record<string, string> = {
  'two terms': `${wordOf(40)} ${wordOf(90)}`,
  'two rarer terms': `${wordOf(300)} ${wordOf(700)}`,
  'rare term': wordOf(19_000),
  'prefix of 4': wordOf(1200).slice(0, 4),
  'prefix of 2': wordOf(1200).slice(0, 2),
  'most common term': wordOf(0),
  'two most common': `${wordOf(0)} ${wordOf(1)}`,
  phrase: `"${wordOf(3)} ${wordOf(5)}"`,
  'common phrase': `"${wordOf(0)} ${wordOf(1)}"`,
  substring: 'etUser',
  'substring of few': wordOf(15_000).slice(1),
  Chinese: '搜索系统',
  'one character': '据',
  'no hits': 'xyzzyq plugh',
}

const folder = mkdtempSync(join(tmpdir(), 'lectern-bench-'))
const server = engines.includes('postgres') ? await startPostgres({ durable: true }) : undefined
try {
  const databases = new Map<string, Database>()
  for (const engine of engines) {
    if (engine === 'postgres') await server?.query('create database bench')
    const location = engine === 'sqlite' ? join(folder, 'bench.db') : (server?.url('bench') ?? '')
    const db = await openDatabase({ location })
    await migrate(db)
    databases.set(engine, db)
    await load(engine, db)
  }
  await ask(databases)
  for (const [engine, db] of databases) await change(engine, db)
  for (const db of databases.values()) await db.close()
} finally {
  await server?.stop()
  rmSync(folder, { recursive: true, force: true })
}

async function load(engine: string, db: Database): Promise<void> {
  const begin = performance.now()
  let batch = []
  for (const page of corpus({ pages, sections })) {
    batch.push(page)
    if (batch.length < 500) continue
    const ready = batch
    batch = []
    await db.transaction((tx) => putPages(tx, 'space', ready))
  }
  if (batch.length > 0) await db.transaction((tx) => putPages(tx, 'space', batch))
  const seconds = (performance.now() - begin) / 1000
  console.log(
    `${engine}: ${pages} pages, ${pages * sections} sections in ${seconds.toFixed(1)} s (${((seconds * 1000) / pages).toFixed(2)} ms a page), ${await sizeOf(engine, db)}`,
  )
}

async function sizeOf(engine: string, db: Database): Promise<string> {
  if (engine === 'sqlite') {
    await db.script('PRAGMA wal_checkpoint(TRUNCATE)')
    const rows = await db.all(
      {
        name: '',
        sql: `select sum(case when name like 'searchIndex%' then length(block) else 0 end) as "index" from (select 'searchIndex' as name, block from "searchIndex_data")`,
      },
      [],
    )
    return `index ${megabytes(Number(rows[0]?.index))}, file ${megabytes(statSync(join(folder, 'bench.db')).size)}`
  }
  const rows = await db.all(
    {
      name: '',
      sql: `select pg_relation_size('"searchIndex_vector"') as gin, pg_total_relation_size('"searchIndex"') as "index", pg_database_size(current_database()) as "all"`,
    },
    [],
  )
  return `index ${megabytes(Number(rows[0]?.index))} (GIN ${megabytes(Number(rows[0]?.gin))}), database ${megabytes(Number(rows[0]?.all))}`
}

function megabytes(bytes: number): string {
  return `${(bytes / 2 ** 20).toFixed(1)} MB`
}

interface Measured {
  times: number[]
  processor: number[]
  held: number
  count: number
}

/** The engines take turns within each round. */
async function ask(databases: ReadonlyMap<string, Database>): Promise<void> {
  const measured = new Map<string, Measured>()
  for (let round = 0; round < rounds + 2; round++) {
    for (const [name, query] of Object.entries(questions)) {
      for (const [engine, db] of databases) {
        const key = `${name} ${engine}`
        if (round === 2) measured.set(key, { times: [], processor: [], held: 0, count: 0 })
        const watch = watchLoop()
        const used = process.cpuUsage()
        const begin = performance.now()
        const answer = await searchAnew(db.slow, { spaces: ['space'], query, limit: 20, includeHidden: false })
        const time = performance.now() - begin
        const { user, system } = process.cpuUsage(used)
        const held = watch()
        const result = measured.get(key)
        if (!result) continue
        result.times.push(time)
        result.processor.push((user + system) / 1000)
        result.held = Math.max(result.held, held)
        result.count = answer.count
      }
    }
  }
  for (const name of Object.keys(questions)) {
    const line = [...databases.keys()].map((engine) => {
      const { times, processor, held, count } = measured.get(`${name} ${engine}`) as Measured
      return `${engine} p50 ${part(times, 0.5)} p95 ${part(times, 0.95)} cpu ${part(processor, 0.5)} held ${held.toFixed(1)} ms, ${count} pages`
    })
    console.log(`${name.padEnd(18)} ${line.join(' | ')}`)
  }
}

function part(values: readonly number[], at: number): string {
  const sorted = values.toSorted((a, b) => a - b)
  return (sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * at))] ?? 0).toFixed(1)
}

/** The longest stretch of processor time between two turns of the loop. */
function watchLoop(): () => number {
  let longest = 0
  let last = threadMilliseconds()
  let watching = true
  const turn = () => {
    const now = threadMilliseconds()
    longest = Math.max(longest, now - last)
    last = now
    if (watching) setTimeout(turn, 1)
  }
  setTimeout(turn, 1)
  return () => {
    watching = false
    return longest
  }
}

/** Processor time of this thread, where the system tells it; otherwise the clock. */
function threadMilliseconds(): number {
  try {
    return Number(readFileSync('/proc/thread-self/schedstat', 'utf8').split(' ')[0]) / 1e6
  } catch {
    return performance.now()
  }
}

/** One page put again, in an index of all the pages above. */
async function change(engine: string, db: Database): Promise<void> {
  const times: number[] = []
  const processor: number[] = []
  let held = 0
  for (const page of corpus({ pages: 200, sections, seed: 7 })) {
    const watch = watchLoop()
    const used = process.cpuUsage()
    const begin = performance.now()
    await db.transaction((tx) => putPages(tx, 'space', [page]))
    times.push(performance.now() - begin)
    const { user, system } = process.cpuUsage(used)
    processor.push((user + system) / 1000)
    held = Math.max(held, watch())
  }
  console.log(
    `${engine}: one page of ${sections} sections among ${pages}: p50 ${part(times, 0.5)} p95 ${part(times, 0.95)} worst ${part(times, 1)} cpu ${part(processor, 0.5)} held ${held.toFixed(1)} ms`,
  )
}
