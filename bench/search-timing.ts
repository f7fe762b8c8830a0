/**
 * Search on both engines over 20,000 sections: medians of alternating rounds, and how long the event loop was held.
 * Then what one page costs in that index. Run by search.js; `PAGES=100000` measures a large space.
 */
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Database, openDatabase } from '../src/store/database.ts'
import { migrate } from '../src/store/migrate.ts'
import { search } from '../src/store/search-index/search.ts'
import { putPages } from '../src/store/search-index/write.ts'
import { startPostgres } from '../test/kit/postgres.ts'
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

/** The engines take turns within each round; the loop's longest hold is measured by a timer of 1 ms. */
async function ask(databases: ReadonlyMap<string, Database>): Promise<void> {
  const times = new Map<string, number[]>()
  const holds = new Map<string, number>()
  const counts = new Map<string, number>()
  for (let round = 0; round < rounds + 2; round++) {
    for (const [name, query] of Object.entries(questions)) {
      for (const [engine, db] of databases) {
        const key = `${name} ${engine}`
        const watch = watchLoop()
        const begin = performance.now()
        const answer = await search(db.slow, { spaces: ['space'], query, limit: 20, includeHidden: false })
        const time = performance.now() - begin
        const held = watch()
        if (round < 2) continue
        times.set(key, [...(times.get(key) ?? []), time])
        holds.set(key, Math.max(holds.get(key) ?? 0, held))
        counts.set(key, answer.count)
      }
    }
  }
  for (const name of Object.keys(questions)) {
    const line = [...databases.keys()].map((engine) => {
      const key = `${name} ${engine}`
      const sorted = (times.get(key) ?? []).sort((a, b) => a - b)
      const at = (part: number) =>
        (sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0).toFixed(1)
      return `${engine} p50 ${at(0.5)} p95 ${at(0.95)} ms, ${counts.get(key)} pages, loop held ${(holds.get(key) ?? 0).toFixed(1)} ms`
    })
    console.log(`${name.padEnd(18)} ${line.join(' | ')}`)
  }
}

function watchLoop(): () => number {
  let longest = 0
  let last = performance.now()
  const timer = setInterval(() => {
    const now = performance.now()
    longest = Math.max(longest, now - last - 1)
    last = now
  }, 1)
  return () => {
    clearInterval(timer)
    return Math.max(longest, performance.now() - last - 1)
  }
}

/** One page put again, in an index of all the pages above: median and worst of 200. */
async function change(engine: string, db: Database): Promise<void> {
  const times: number[] = []
  for (const page of corpus({ pages: 200, sections, seed: 7 })) {
    const begin = performance.now()
    await db.transaction((tx) => putPages(tx, 'space', [page]))
    times.push(performance.now() - begin)
  }
  times.sort((a, b) => a - b)
  console.log(
    `${engine}: one page among ${pages}: p50 ${times[100]?.toFixed(2)} ms, p95 ${times[190]?.toFixed(2)} ms, worst ${times.at(-1)?.toFixed(2)} ms`,
  )
}
