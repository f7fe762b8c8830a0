// `npm run bench` runs all, `npm run bench -- NAME` one. Prints a table; JSON goes to bench/results/.
import { mkdirSync, writeFileSync } from 'node:fs'
import { cpus, totalmem } from 'node:os'

const known = ['api', 'growth', 'merge', 'published']
const wanted = process.argv.slice(2)
const unknown = wanted.find((name) => !known.includes(name))
if (unknown) {
  console.error(`There is no benchmark ${unknown}. There are: ${known.join(', ')}.`)
  process.exit(1)
}

const machine = {
  node: process.version,
  cpu: cpus()[0].model,
  cores: cpus().length,
  memoryGiB: Math.round(totalmem() / 2 ** 30),
}
mkdirSync(new URL('results/', import.meta.url), { recursive: true })
for (const name of wanted.length > 0 ? wanted : known) {
  const { run } = await import(`./${name}.js`)
  const result = await run()
  console.log(`\n${name} (${machine.cores} × ${machine.cpu}, Node ${machine.node})`)
  for (const row of result.rows) console.log(`  ${lineOf(row)}`)
  if (result.memory)
    console.log(
      '  ',
      Object.entries(result.memory)
        .map(([key, value]) => `${key} ${value.toFixed(0)}`)
        .join(', '),
    )
  writeFileSync(
    new URL(`results/${name}.json`, import.meta.url),
    JSON.stringify({ machine, at: new Date().toISOString(), ...result }, null, 2),
  )
}

function lineOf(row) {
  if (row.ratio !== undefined) return ratioLine(row)
  return row.growth === undefined ? timeLine(row) : growthLine(row)
}

function timeLine({ name, p50, p99, most, note = '' }) {
  const verdict = most === undefined ? '' : p50 <= most ? `  ≤ ${most} ms` : `  above ${most} ms`
  return `${name.padEnd(28)} p50 ${p50.toFixed(1)} ms  p99 ${p99.toFixed(1)} ms  ${note}${verdict}`
}

function ratioLine({ name, ratio, goal, perSecond, p50, p99, spread, errors }) {
  const verdict = goal === undefined ? '' : ratio >= goal ? `  ≥ ${goal}` : `  below ${goal}`
  const trouble = errors ? `  ${errors} errors` : ''
  return `${name.padEnd(28)} ${ratio.toFixed(2)} of the floor  ${String(perSecond).padStart(6)}/s  p50 ${p50.toFixed(1)} ms  p99 ${p99.toFixed(1)} ms  spread ${spread.toFixed(2)}${trouble}${verdict}`
}

function growthLine({ name, milliseconds, cpu, kilobytes, growth, turn }) {
  const held = turn ? `  loop held ${turn.cpu.toFixed(1)} ms of CPU, ${turn.clock.toFixed(1)} ms` : ''
  return `${name.padEnd(28)} ${milliseconds.toFixed(1).padStart(8)} ms  CPU ${cpu.toFixed(2).padStart(7)} ms  ${kilobytes.toFixed(0).padStart(6)} KB written  ${growth.toFixed(2)}× the smallest${held}`
}
