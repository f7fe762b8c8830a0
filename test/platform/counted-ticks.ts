/** Says how much longer a tick takes after the collector has run several times than before. Needs `--expose-gc`. */
import { setTimeout as sleep } from 'node:timers/promises'
import { keepTickShape } from '../../src/platform/tick-shape.ts'

const count = 200_000

/** CPU time of so many ticks, the least of a few times. */
async function measure(): Promise<number> {
  let least = Number.POSITIVE_INFINITY
  for (let time = 0; time < 4; time++) {
    await sleep(1)
    const before = process.cpuUsage()
    await new Promise<void>((resolve) => {
      let done = 0
      const next = () => (++done < count ? process.nextTick(next) : resolve())
      process.nextTick(next)
    })
    const { user, system } = process.cpuUsage(before)
    least = Math.min(least, user + system)
  }
  return least
}

keepTickShape()
const before = await measure()
await new Promise((resolve) =>
  setTimeout(() => {
    for (let time = 0; time < 8; time++) globalThis.gc?.()
    resolve(undefined)
  }, 1),
)
process.stdout.write(`${(await measure()) / before}\n`)
