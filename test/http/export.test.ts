/** An export that breaks off when nobody listens to its stream any more, or not yet. */
import { expect, test } from 'vitest'
import { archiveOf } from '../../src/http/export.ts'

async function* failing(): AsyncGenerator<never> {
  yield* []
  throw new Error('The disk is gone.')
}

test('an archive that fails while nobody reads it is told of, and does not end the process', async () => {
  const told: unknown[] = []
  const uncaught: unknown[] = []
  const onUncaught = (error: unknown): void => void uncaught.push(error)
  // In the place of the runner's listeners: what would end a server is counted here.
  const others = process.listeners('uncaughtException')
  process.removeAllListeners('uncaughtException')
  process.on('uncaughtException', onUncaught)
  try {
    const output = archiveOf({ files: failing() }, (error) => told.push(error))
    await new Promise((resolve) => output.on('close', resolve))
    await new Promise(setImmediate)
    expect(output.destroyed).toBe(true)
  } finally {
    process.off('uncaughtException', onUncaught)
    for (const listener of others) process.on('uncaughtException', listener)
  }
  expect(told).toEqual([new Error('The disk is gone.')])
  expect(uncaught).toEqual([])
})
