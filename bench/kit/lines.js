// A measured row as a line of text.

export function lineOf(row) {
  if (row.beside !== undefined) return besideLine(row)
  if (row.times !== undefined) return timesLine(row)
  if (row.ratio !== undefined) return ratioLine(row)
  if (row.markdown !== undefined) return markdownLine(row)
  if (row.growth !== undefined) return growthLine(row)
  return row.value === undefined ? timeLine(row) : valueLine(row)
}

function ratioLine({ name, ratio, goal, perSecond, microseconds, p50, p99, low, high, errors, twoProcesses }) {
  const cpu = microseconds === undefined ? '' : `  ${microseconds.toFixed(0).padStart(5)} µs CPU`
  const two = twoProcesses
    ? `  two processes ${twoProcesses.perSecond.toFixed(2)}× (capacity ${twoProcesses.capacity.toFixed(2)}×)`
    : ''
  const trouble = errors ? `  ${errors} errors` : ''
  return `${label(name)} ${digits(ratio)} of the floor${cpu}  ${String(perSecond).padStart(6)}/s  p50 ${p50.toFixed(1)} ms  p99 ${p99.toFixed(1)} ms  half of them ${digits(low)}–${digits(high)}${two}${trouble}${atLeast(ratio, goal)}`
}

const besideLine = ({ name, beside, low, high, other, ours }) =>
  `${label(name)} ${beside.toFixed(2)}× the other build's CPU (half of them ${low}–${high})  ${other.microseconds} → ${ours.microseconds} µs  p50 ${other.p50} → ${ours.p50} ms  p99 ${other.p99} → ${ours.p99} ms`

const timesLine = ({ name, times, microseconds, floor, started, startedTimes, spread, most, mostSpread }) =>
  `${label(name)} ${rounded(times)}× the floor  ${microseconds.toFixed(0)} µs CPU, bare ${floor.toFixed(0)} µs${started ? `  ${rounded(startedTimes)}× one just started, ${started.toFixed(0)} µs` : ''}${spread ? `  p99 ${spread.toFixed(1)}× p50${atMost(spread, mostSpread, '×')}` : ''}${atMost(times, most, '×')}`

const rounded = (times) => times.toFixed(times < 10 ? 1 : 0)

export const digits = (ratio) => ratio.toFixed(ratio < 0.1 ? 3 : 2)

function growthLine({ name, milliseconds, cpu, kilobytes, growth, turn }) {
  const held = turn ? `  loop held ${turn.cpu.toFixed(1)} ms of CPU, ${turn.clock.toFixed(1)} ms` : ''
  return `${label(name)} ${milliseconds.toFixed(1).padStart(8)} ms  CPU ${cpu.toFixed(2).padStart(7)} ms  ${kilobytes.toFixed(0).padStart(6)} KB written  ${growth.toFixed(2)}× the smallest${held}`
}

function markdownLine({ name, markdown }) {
  const { bytes, floor, read, printed, growth, refused } = markdown
  const end = refused === undefined ? '' : `  a megabyte refused in ${refused.toFixed(2)} s`
  return `${label(name)} ${String(Math.round(bytes / 1000)).padStart(5)} KB  read ${read.toFixed(2)} s, ${(read / floor).toFixed(1)}× markdown-it  printed ${printed.toFixed(2)} s  ${growth.toFixed(2)}× a quarter${end}${atMost(Math.max(read, printed, refused ?? 0), 1, ' s')}`
}

const timeLine = ({ name, p50, p99, most, note = '' }) =>
  `${label(name)} p50 ${p50.toFixed(1)} ms  p99 ${p99.toFixed(1)} ms  ${note}${atMost(p50, most, ' ms')}`

function valueLine({ name, value, unit, most, syncs, cpu, p99, errors }) {
  const more =
    syncs === undefined
      ? ''
      : `  ${syncs.toFixed(0)} syncs/s of the disk  ${cpu.toFixed(2)} ms CPU each  p99 ${p99.toFixed(1)} ms${errors ? `  ${errors} errors` : ''}`
  return `${label(name)} ${value.toFixed(value < 10 ? 1 : 0)} ${unit}${more}${atMost(value, most, ` ${unit}`)}`
}

const label = (name) => name.padEnd(32)
const atLeast = (value, goal) => (goal === undefined ? '' : value >= goal ? `  ≥ ${goal}` : `  below ${goal}`)
const atMost = (value, most, unit) =>
  most === undefined ? '' : value <= most ? `  ≤ ${most}${unit}` : `  above ${most}${unit}`
