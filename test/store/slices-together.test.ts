/** Branches of one piece of work that give way go on in the same round of the event loop; other work in rounds of its own. */
import { expect, test } from 'vitest'
import { TimeSlices } from '../../src/store/time-slices.ts'

async function roundsOf(all: readonly TimeSlices[]): Promise<number> {
  let round = 0
  let isOver = false
  const count = (): void => {
    round += 1
    if (!isOver) setImmediate(count)
  }
  setImmediate(count)
  const rounds = await Promise.all(all.map((slices) => slices.next().then(() => round)))
  isOver = true
  return new Set(rounds).size
}

test('branches go on together', async () => {
  const slices = new TimeSlices(0)
  expect(await roundsOf([slices, slices, slices])).toBe(1)
})

test('others one by one', async () => {
  expect(await roundsOf([new TimeSlices(0), new TimeSlices(0), new TimeSlices(0)])).toBe(3)
})
