// `npm run bench` runs all, `npm run bench -- NAME` one. Prints a table; JSON goes to bench/results/.
import { mkdirSync, writeFileSync } from 'node:fs'
import { cpus, totalmem } from 'node:os'

const known = ['api']
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
  for (const row of result.rows) {
    const verdict = row.goal === undefined ? '' : row.ratio >= row.goal ? `  ≥ ${row.goal}` : `  below ${row.goal}`
    console.log(
      `  ${row.name.padEnd(28)} ${row.ratio.toFixed(2)} of the floor  ${String(row.perSecond).padStart(6)}/s  p50 ${row.p50.toFixed(1)} ms  p99 ${row.p99.toFixed(1)} ms  spread ${row.spread.toFixed(2)}${row.errors ? `  ${row.errors} errors` : ''}${verdict}`,
    )
  }
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
