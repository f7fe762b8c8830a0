// What Markdown costs to read and to print, for prose and for the densest of every kind: as much of it as a page may hold, at
// most a megabyte, and how soon a whole megabyte is refused where it holds more. The floor is markdown-it's own tokens, from
// which reading begins. CPU of this process, the lesser of two runs.
import { bundled } from './kit/from-tests.js'

const megabyte = 1_000_000
const sample = 20_000
const wanted = process.env.SHAPES?.split(',')

export async function run() {
  const parts = await bundled(
    { 'markdown-parts': 'bench/kit/markdown-parts.ts' },
    { packages: 'bundle', external: ['yaml'] },
  )
  const shapes = Object.entries(parts.dense).filter(([name]) => wanted?.includes(name) ?? true)
  for (const [, shape] of shapes) measure(parts, shape(sample))
  return { rows: shapes.map(([name, shape]) => ({ name, markdown: measureShape(parts, shape) })) }
}

function measureShape(parts, shape) {
  const { fromMarkdown, sizeOf, maxSize } = parts
  const share = (0.98 * maxSize) / sizeOf(fromMarkdown(shape(sample)).document)
  const bytes = Math.min(megabyte, Math.floor(sample * share))
  const quarter = measure(parts, shape(bytes / 4))
  const whole = measure(parts, shape(bytes))
  const growth = (whole.read + whole.printed) / (quarter.read + quarter.printed) / 4
  return { ...whole, growth, ...(bytes < megabyte ? { refused: timeOfRefusal(parts, shape(megabyte)) } : {}) }
}

function measure({ fromMarkdown, toMarkdown, parseTokens, sizeOf, maxSize }, markdown) {
  const floor = timeOf(() => parseTokens(markdown, {}))
  const read = timeOf(() => fromMarkdown(markdown, { maxSize }))
  const { document, title } = read.result
  const printed = timeOf(() => toMarkdown(document, { title }))
  return {
    bytes: Buffer.byteLength(markdown),
    size: sizeOf(document),
    floor: floor.seconds,
    read: read.seconds,
    printed: printed.seconds,
  }
}

function timeOfRefusal({ fromMarkdown, maxSize, TooLarge }, markdown) {
  const { seconds, result } = timeOf(() => {
    try {
      return fromMarkdown(markdown, { maxSize })
    } catch (error) {
      return error
    }
  })
  if (!(result instanceof TooLarge)) throw new Error('A megabyte was read that holds more than a page may.')
  return seconds
}

function timeOf(work) {
  let seconds = Number.POSITIVE_INFINITY
  let result
  for (let round = 0; round < 2; round++) {
    const from = process.cpuUsage()
    result = work()
    const { user, system } = process.cpuUsage(from)
    seconds = Math.min(seconds, (user + system) / 1e6)
  }
  return { seconds, result }
}
