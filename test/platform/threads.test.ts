import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { runInThread, ThreadError } from '../../src/platform/threads.ts'

const hog = fileURLToPath(new URL('./hog.js', import.meta.url))
const run = (act: string, value?: unknown, milliseconds = 5000, signal?: AbortSignal) =>
  runInThread(hog, { act, value }, { milliseconds, memory: 32, ...(signal ? { signal } : {}) })

const codeOf = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'done',
    (error) => (error instanceof ThreadError ? error.code : String(error)),
  )

describe('work in threads', () => {
  it('gives back what the thread answers', async () => {
    expect(await run('echo', { a: [1, 'two', new Uint8Array([3])] })).toEqual({ a: [1, 'two', new Uint8Array([3])] })
    await expect(run('throw', 'no such page')).rejects.toMatchObject({ code: 'failed', message: 'no such page' })
  })

  it('runs many tasks on few threads', async () => {
    const answers = await Promise.all(Array.from({ length: 200 }, (_, index) => run('echo', index)))
    expect(answers).toEqual(Array.from({ length: 200 }, (_, index) => index))
  })

  it('kills what takes too long, and goes on with a fresh thread within a second', async () => {
    expect(await codeOf(run('spin', undefined, 150))).toBe('timeout')
    const began = performance.now()
    expect(await run('echo', 1)).toBe(1)
    expect(performance.now() - began).toBeLessThan(1000)
  })

  it('survives threads that crash, exit or eat memory', async () => {
    expect(await codeOf(run('crash', 'boom'))).toBe('crashed')
    expect(await codeOf(run('exit'))).toBe('crashed')
    expect(await codeOf(run('eat', undefined, 20_000))).toBe('out_of_memory')
    // One bad task takes only itself down.
    const both = await Promise.all([codeOf(run('crash', 'boom')), codeOf(run('echo', 1)), codeOf(run('echo', 2))])
    expect(both).toEqual(['crashed', 'done', 'done'])
  })

  it('calls off what nobody wants any more, running or waiting', async () => {
    const abort = new AbortController()
    const work = Array.from({ length: 4 }, () => codeOf(run('spin', undefined, 5000, abort.signal)))
    setTimeout(() => abort.abort(), 50)
    expect(await Promise.all(work)).toEqual(['stopped', 'stopped', 'stopped', 'stopped'])
    expect(await run('echo', 'still here')).toBe('still here')
  })

  it('says so when there is no such thread', async () => {
    expect(await codeOf(runInThread('no-such-thread', 1, { milliseconds: 1000 }))).toBe('crashed')
  })
})
