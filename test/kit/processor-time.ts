/**
 * Time of the processor, which other work on the machine does not change. On Linux it is that of this thread alone; elsewhere that
 * of the process, in which a second worker of the tests counts too.
 */
import { existsSync, readFileSync } from 'node:fs'

export interface Timed<Result> {
  ms: number
  result: Result
}

const ofThread = '/proc/thread-self/schedstat'
const isTold = existsSync(ofThread)

/** Milliseconds since some time in the past. */
export function processorTime(): number {
  // Nanoseconds on a processor, nanoseconds of waiting for one, turns.
  if (isTold) return Number(readFileSync(ofThread, 'utf8').split(' ')[0]) / 1e6
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

export function timeOf<Result>(run: () => Result): Timed<Result> {
  const from = processorTime()
  const result = run()
  return { ms: processorTime() - from, result }
}

/** The least of three times, unless one is below `most` before: what is too slow by itself is too slow each time. */
export function leastTimeOf<Result>(run: () => Result, most: number): Timed<Result> {
  let least = timeOf(run)
  for (let tries = 1; tries < 3 && least.ms >= most; tries++) {
    const again = timeOf(run)
    if (again.ms < least.ms) least = again
  }
  return least
}
