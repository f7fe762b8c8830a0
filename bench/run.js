// `npm run bench` runs all and writes docs/benchmarks; `npm run bench -- NAME` runs one. JSON goes to bench/results/.
import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { cpus, loadavg, totalmem } from 'node:os'
import { lineOf } from './kit/lines.js'

const known = [
  'start',
  'api',
  'published',
  'writes',
  'growth',
  'merge',
  'people',
  'postgres',
  'revocation',
  'markdown',
  'cold',
  'soak',
]
const others = { search: './search.js', smoke: './smoke.js', report: './report.js' }
const wanted = process.argv.slice(2)
/** Measured by name only: their numbers stand in docs/decisions and docs/benchmarks. */
const named = ['openapi', 'book', 'reference', 'copy', 'import', 'builds']
const unknown = wanted.find((name) => ![...known, ...named].includes(name) && !others[name])
if (unknown) {
  console.error(
    `There is no benchmark ${unknown}. There are: ${[...known, ...named, ...Object.keys(others)].join(', ')}.`,
  )
  process.exit(1)
}

const machine = {
  node: process.version,
  cpu: cpus()[0].model,
  cores: cpus().length,
  memoryGiB: Math.round(totalmem() / 2 ** 30),
  system: execFileSync('uname', ['-sr'], { encoding: 'utf8' }).trim(),
}
mkdirSync(new URL('results/', import.meta.url), { recursive: true })
for (const name of wanted.length > 0 ? wanted : [...known, 'report']) {
  if (others[name]) await import(others[name])
  else await measure(name)
}

async function measure(name) {
  const { run } = await import(`./${name}.js`)
  // What else the machine had to do: on a busy one, ratios and CPU times can be believed, times of day cannot.
  const busy = loadavg()[0]
  const started = performance.now()
  const result = await run()
  const seconds = (performance.now() - started) / 1000
  console.log(
    `\n${name} (${machine.cores} × ${machine.cpu}, Node ${machine.node}, load ${busy.toFixed(1)} before, ${seconds.toFixed(0)} s)`,
  )
  for (const row of result.rows) console.log(`  ${lineOf(row)}`)
  for (const [what, megabytes] of Object.entries(result.memory ?? {}))
    console.log(`  memory ${what}: ${megabytes.toFixed(0)} MB`)
  const file = new URL(`results/${name}.json`, import.meta.url)
  writeFileSync(
    file,
    JSON.stringify({ machine, at: new Date().toISOString(), load: busy, seconds, ...result }, null, 2),
  )
}
