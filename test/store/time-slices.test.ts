/** Pauses of long work: who really comes between. */
import { mkdtempSync } from 'node:fs'
import { connect, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { TimeSlices, yieldLoop } from '../../src/store/time-slices.ts'

test('bytes that come while a socket is being answered are read in a pause of that work', async () => {
  const path = join(mkdtempSync(join(tmpdir(), 'lectern-slices-')), 'socket')
  const seen: string[] = []
  let second: Socket | undefined
  const done = new Promise<void>((resolve) => {
    const server = createServer((socket) =>
      socket.on('data', async (bytes) => {
        const word = bytes.toString()
        seen.push(word)
        if (word !== 'first') return
        second?.write('second')
        await yieldLoop()
        seen.push('first goes on')
        server.close()
        resolve()
      }),
    )
    server.listen(path, () => {
      const first = connect(path, () => {
        second = connect(path, () => first.write('first'))
        second.unref()
      })
      first.unref()
    })
  })
  await done
  second?.destroy()
  expect(seen).toEqual(['first', 'second', 'first goes on'])
})

test('those that wait are let on one in each round of the loop', async () => {
  const rounds: number[] = []
  let round = 0
  let isDone = false
  const count = (): void => {
    round += 1
    if (!isDone) setImmediate(count)
  }
  setImmediate(count)
  await Promise.all(
    Array.from({ length: 5 }, async () => {
      await new TimeSlices(0).next()
      rounds.push(round)
    }),
  )
  isDone = true
  expect(new Set(rounds).size).toBe(5)
})
