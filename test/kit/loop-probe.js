// Loaded into a server under test (`--import`): the CPU time that its event loop was held at a stretch. A signal has the
// longest since the last one written to LOOP_PROBE, with what a fixed piece of work takes at this moment on this machine.
import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { isMainThread } from 'node:worker_threads'

const every = 2
/** Of the thread that has the event loop, which is the one that gave the process its number. */
const usedCpu = () => Number(readFileSync(`/proc/self/task/${process.pid}/schedstat`, 'utf8').split(' ')[0]) / 1e6

const words = JSON.stringify(Array.from({ length: 4000 }, (_, i) => ({ text: `${i}`, marks: [{ type: 'bold' }] })))
/** In milliseconds; the scheduler counts in steps of some, so that one time is the mean of many. */
function pace() {
  const before = usedCpu()
  for (let i = 0; i < rounds; i++) JSON.parse(words)
  return (usedCpu() - before) / rounds
}
const rounds = 30

if (isMainThread) {
  setFlagsFromString('--expose-gc')
  const collectGarbage = runInNewContext('gc')
  let longest = 0
  let last = usedCpu()
  setInterval(() => {
    const now = usedCpu()
    longest = Math.max(longest, now - last)
    last = now
  }, every).unref()
  let told = 0
  process.on('SIGUSR2', () => {
    const file = process.env.LOOP_PROBE
    const seen = { told: ++told, longest, pace: pace() }
    // What was there before is not for the next request to clear away.
    collectGarbage()
    writeFileSync(`${file}.new`, JSON.stringify(seen))
    renameSync(`${file}.new`, file)
    last = usedCpu()
    longest = 0
  })
}
