// From bench/results to docs/benchmarks: a page with tables, and plots as SVG and PNG.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { fromTests } from './kit/from-tests.js'
import { digits } from './kit/lines.js'
import { bars, lines, slopeOf } from './kit/plot.js'

const folder = new URL('../docs/benchmarks/', import.meta.url)
mkdirSync(folder, { recursive: true })

const read = (name) => {
  const file = new URL(`results/${name}.json`, import.meta.url)
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined
}
const results = Object.fromEntries(
  ['start', 'api', 'published', 'writes', 'growth', 'merge', 'people', 'postgres', 'markdown'].map((name) => [
    name,
    read(name),
  ]),
)
const { machine } = Object.values(results).find(Boolean)
const plots = {}
const sections = []

const ratioTable = (rows) =>
  table(
    ['operation', 'of the floor', 'goal', 'CPU', 'requests/s', 'p50', 'p99', 'half of the rounds'],
    rows.map((row) => [
      row.name,
      digits(row.ratio),
      row.goal === undefined ? '' : `${Number(row.goal.toFixed(3))}${row.ratio >= row.goal ? '' : ' (missed)'}`,
      `${row.microseconds.toFixed(0)} µs`,
      row.perSecond,
      `${row.p50.toFixed(1)} ms`,
      `${row.p99.toFixed(1)} ms`,
      `${digits(row.low)}–${digits(row.high)}`,
    ]),
  )
const timeTable = (rows) =>
  table(
    ['', 'p50', 'p99', 'goal', ''],
    rows.map((row) => [
      row.name,
      `${row.p50.toFixed(1)} ms`,
      `${row.p99.toFixed(1)} ms`,
      mostOf(row, 'ms'),
      row.note ?? '',
    ]),
  )
const valueTable = (rows) =>
  table(
    ['', 'measured', 'goal'],
    rows.map((row) => [row.name, `${row.value.toFixed(row.value < 10 ? 1 : 0)} ${row.unit}`, mostOf(row, row.unit)]),
  )
const mostOf = ({ most }, unit) => (most === undefined ? '' : `≤ ${most} ${unit}`)

const growthTable = (rows) =>
  table(
    ['', 'time', 'CPU', 'written', 'of the smallest', 'loop held at most'],
    rows.map((row) => [
      row.name,
      `${row.milliseconds.toFixed(1)} ms`,
      `${row.cpu.toFixed(2)} ms`,
      `${row.kilobytes.toFixed(0)} KB`,
      `${row.growth.toFixed(2)}×`,
      row.turn ? `${row.turn.cpu.toFixed(1)} ms` : '',
    ]),
  )

function table(head, rows) {
  const line = (cells) => `| ${cells.join(' | ')} |`
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n')
}

function section(title, words, result, ...tables) {
  if (!result) return
  const when = `Measured ${result.at.slice(0, 10)} in ${Math.round(result.seconds)} s; load of the machine before it: ${result.load.toFixed(1)}.`
  sections.push(`## ${title}\n\n${words}\n\n${tables.filter(Boolean).join('\n\n')}\n\n${when}`)
}

const picture = (name, alt, svg) => {
  plots[name] = svg
  return `![${alt}](${name}.svg)`
}
const isRatio = (row) => row.ratio !== undefined
const isGrowth = (row) => row.growth !== undefined

const { start, api, published, writes, growth, merge, people, postgres, markdown } = results
if (api)
  section(
    'API',
    'One process on SQLite, 16 connections. Each row against bare `node:http` sending the same bytes in the same run.',
    api,
    picture(
      'api',
      'API: requests per CPU-second against bare node:http',
      bars('API: requests per CPU-second, bare node:http = 1', api.rows),
    ),
    ratioTable(api.rows),
  )
if (published)
  section(
    'Published sites',
    'What readers get: pages from memory, pages made for the first time, search while typing.',
    published,
    picture(
      'published',
      'Published sites',
      bars('Published sites: requests per CPU-second, bare node:http = 1', published.rows.filter(isRatio)),
    ),
    ratioTable(published.rows.filter(isRatio)),
    timeTable(published.rows.filter((row) => !isRatio(row))),
  )
if (growth)
  section(
    'As a space grows',
    `Every operation at several sizes, on both axes logarithmic. ${slopes(growth.rows.filter(isGrowth))}`,
    growth,
    picture(
      'growth',
      'CPU by number of pages',
      lines('CPU for each operation, by the pages of the space', growth.rows.filter(isGrowth), { unit: 'pages' }),
    ),
    growthTable(growth.rows.filter(isGrowth)),
    valueTable(growth.rows.filter((row) => !isGrowth(row))),
    Object.entries(growth.memory)
      .map(([what, value]) => `Memory ${what} pages: ${value.toFixed(0)} MB.`)
      .join(' '),
  )
if (merge)
  section(
    'Merging',
    'Both sides have changed the page, so that every merge is a true one.',
    merge,
    growthTable(merge.rows),
  )
if (people)
  section(
    'As an organization grows',
    slopes(people.rows),
    people,
    picture(
      'people',
      'CPU by number of members and comments',
      lines('CPU for each operation, by members and comments', people.rows, { unit: '' }),
    ),
    growthTable(people.rows),
  )
if (writes)
  section(
    'Durable writes',
    'Comments posted; each is on disk before it is acknowledged. Beside it how often this disk can sync four kilobytes.',
    writes,
    table(
      ['', 'commits/s', 'syncs/s of the disk', 'CPU each', 'p99'],
      writes.rows.map((row) => [
        row.name,
        row.value.toFixed(0),
        row.syncs.toFixed(0),
        `${row.cpu.toFixed(2)} ms`,
        `${row.p99.toFixed(0)} ms`,
      ]),
    ),
  )
if (postgres)
  section(
    'PostgreSQL, one process and two',
    'The load, the servers and PostgreSQL share the cores of this machine. *Capacity* is what a second process gives where it has a core of its own: twice the requests per CPU-second of the two, over those of the one.',
    postgres,
    table(
      ['operation', 'of the floor', 'CPU', 'requests/s', 'p50', 'two processes', 'capacity'],
      postgres.rows.map((row) => [
        row.name,
        digits(row.ratio),
        `${row.microseconds.toFixed(0)} µs`,
        row.perSecond,
        `${row.p50.toFixed(1)} ms`,
        `${row.twoProcesses.perSecond.toFixed(2)}×`,
        `${row.twoProcesses.capacity.toFixed(2)}×`,
      ]),
    ),
  )
if (markdown)
  section(
    'Markdown',
    'As much of each as a page may hold, at most a megabyte, and how soon a megabyte is refused that holds more. The goal is a second for each. Beside reading stands its part that is markdown-it; growth is the cost of a byte against a quarter of the page.',
    markdown,
    table(
      ['', 'size', 'read', 'of markdown-it', 'printed', 'growth', 'a megabyte refused'],
      markdown.rows.map(({ name, markdown: { bytes, floor, read, printed, growth, refused } }) => [
        name,
        `${Math.round(bytes / 1000)} KB`,
        `${read.toFixed(2)} s`,
        `${(read / floor).toFixed(1)}×`,
        `${printed.toFixed(2)} s`,
        `${growth.toFixed(2)}×`,
        refused === undefined ? '' : `${refused.toFixed(2)} s`,
      ]),
    ),
  )
if (start) section('Starting and size', 'On SQLite, as `npm start` starts it.', start, valueTable(start.rows))

function slopes(rows) {
  const operations = [...new Set(rows.map((row) => row.operation))]
  return `${operations.map((operation) => `${operation}: ${slopeOf(rows, operation).name}`).join(', ')}.`
}

// For machines, and to hold the next measurement against.
writeFileSync(new URL('results.json', folder), `${JSON.stringify(results, null, 1)}\n`)
writeFileSync(
  new URL('README.md', folder),
  `# Benchmarks

\`npm run bench\` measures all of this again and rewrites this page; \`npm run bench -- NAME\` measures one part; [results.json](results.json) has
it all as data. Real servers on real data in temporary folders, loaded over sockets from a process of their own. Ratios are requests per CPU-second against
bare \`node:http\` that gets the same requests and sends the same bytes: eleven short windows (five on PostgreSQL), each between two of the floor; the
median of those comparisons, and the range in which the middle half of them lies. Reading OpenAPI specs: [openapi.md](openapi.md).

Machine: ${machine.cores} × ${machine.cpu}, ${machine.memoryGiB} GiB, ${machine.system}, Node ${machine.node}.

${sections.join('\n\n')}
`,
)
const browser = await (await fromTests('site/chromium.ts')).launchChromium()
const page = await browser.newPage({ deviceScaleFactor: 2 })
for (const [name, svg] of Object.entries(plots)) {
  writeFileSync(new URL(`${name}.svg`, folder), svg)
  await page.setContent(`<style>body{margin:0}</style>${svg}`)
  await page.locator('svg').screenshot({ path: new URL(`${name}.png`, folder).pathname })
}
await browser.close()
console.log('docs/benchmarks is written.')
