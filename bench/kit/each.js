// Calls one after the other: their median time, and what each took of CPU and wrote to disk.
import { cpuSeconds, writtenBytes } from './process.js'

/** A call that measures itself says its time. */
export async function each(server, count, work) {
  const times = []
  const cpu = cpuSeconds(server.pid)
  const bytes = writtenBytes(server.pid)
  for (let i = 0; i < count; i++) {
    const started = performance.now()
    const own = await work(i)
    times.push(typeof own === 'number' ? own : performance.now() - started)
  }
  times.sort((a, b) => a - b)
  return {
    milliseconds: times[count >> 1],
    cpu: ((cpuSeconds(server.pid) - cpu) / count) * 1000,
    kilobytes: (writtenBytes(server.pid) - bytes) / count / 1024,
  }
}

/** Beside each row how its CPU time compares with the same operation at the smallest size. */
export const withGrowth = (rows) =>
  rows.map((row) => {
    const smallest = rows.find((other) => other.operation === row.operation)
    return { ...row, growth: row.cpu / smallest.cpu }
  })
