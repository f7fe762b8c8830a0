// What a megabyte of Markdown costs: read to a tree, and printed from it, for prose and for the densest of every kind. The
// floor is markdown-it's own tokens, from which reading begins. CPU of this process, the less of two runs.
import { plainFields } from '../scripts/plain-fields.js'
import { bundled } from './kit/from-tests.js'

const megabyte = 1_000_000
const sizes = (process.env.SIZES ?? '0.25,0.5,1').split(',').map(Number)
const wanted = process.env.SHAPES?.split(',')

export async function run() {
  const parts = await bundled(
    { 'markdown-parts': 'bench/markdown-parts.ts' },
    { packages: 'bundle', external: ['yaml'], plugins: [plainFields] },
  )
  const shapes = Object.entries(parts.dense).filter(([name]) => wanted?.includes(name) ?? true)
  for (const [, shape] of shapes) measure(parts, shape(20_000))
  const rows = []
  for (const [name, shape] of shapes) {
    const measured = sizes.map((size) => measure(parts, shape(size * megabyte)))
    const [smallest] = measured
    const largest = measured.at(-1)
    rows.push({ name, markdown: { ...largest, growth: growthOf(smallest, largest) } })
  }
  return { rows }
}

/** Seconds for each megabyte of source. */
function measure({ fromMarkdown, toMarkdown, parseTokens, walk }, markdown) {
  const scale = megabyte / Buffer.byteLength(markdown)
  const floor = timeOf(() => parseTokens(markdown, {})).seconds * scale
  const read = timeOf(() => fromMarkdown(markdown))
  const { document, title } = read.result
  let nodes = 0
  walk(document, () => {
    nodes += 1
  })
  const printed = timeOf(() => toMarkdown(document, { title }))
  return { floor, read: read.seconds * scale, printed: printed.seconds * scale, nodes }
}

/** How much more a byte costs in the largest than in the smallest. */
const growthOf = (smallest, largest) => (largest.read + largest.printed) / (smallest.read + smallest.printed)

function timeOf(work) {
  let seconds = Number.POSITIVE_INFINITY
  let result
  for (let round = 0; round < 2; round++) {
    globalThis.gc?.()
    const from = process.cpuUsage()
    result = work()
    const { user, system } = process.cpuUsage(from)
    seconds = Math.min(seconds, (user + system) / 1e6)
  }
  return { seconds, result }
}
