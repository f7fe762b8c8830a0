// Loaded into a server under measurement (`--import`): how long its event loop was held at a stretch, by the clock and in
// CPU time. The clock counts the time that others had the processor; the CPU time does not.
import { readFileSync } from 'node:fs'

const every = 2
/** Of the thread that has the event loop, which is the one that gave the process its number. */
const usedCpu = () => Number(readFileSync(`/proc/self/task/${process.pid}/schedstat`, 'utf8').split(' ')[0]) / 1e6

let longest = { clock: 0, cpu: 0 }
let last = { clock: performance.now(), cpu: usedCpu() }
setInterval(() => {
  const now = { clock: performance.now(), cpu: usedCpu() }
  longest.clock = Math.max(longest.clock, now.clock - last.clock - every)
  longest.cpu = Math.max(longest.cpu, now.cpu - last.cpu)
  last = now
}, every).unref()

process.on('message', (message) => {
  if (message !== 'loop') return
  process.send(longest)
  longest = { clock: 0, cpu: 0 }
})
process.channel?.unref()
