import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { fromMarkdown } from '../../src/core/document/read/from-markdown.ts'
import { renderAside } from '../../src/site/render/aside.ts'
import { ThreadError, ThreadPool } from '../../src/threads/pool.ts'
import { Threads } from '../../src/threads/supervisor.ts'

const hog = fileURLToPath(new URL('./hog.js', import.meta.url))
const pool = new ThreadPool({ script: hog, threads: 2, memory: 32, waiting: 1000, idleMilliseconds: 30_000 })
const run = (act: string, value?: unknown, milliseconds = 5000, signal?: AbortSignal) =>
  pool.run({ act, value }, { milliseconds, ...(signal ? { signal } : {}) })

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

  it('hands memory over instead of copying it', async () => {
    const bytes = new Uint8Array([1, 2, 3])
    const echo = pool.run({ act: 'echo', value: bytes }, { transfer: [bytes.buffer] })
    expect(bytes.length).toBe(0)
    expect(await echo).toEqual(new Uint8Array([1, 2, 3]))
  })

  it('runs many tasks on few threads', async () => {
    const answers = await Promise.all(Array.from({ length: 200 }, (_, index) => run('echo', index)))
    expect(answers).toEqual(Array.from({ length: 200 }, (_, index) => index))
  })

  it('counts threads, and tasks that run and wait', async () => {
    const counted = new ThreadPool({ script: hog, threads: 2, memory: 32, waiting: 10 })
    expect(counted.counts).toEqual({ threads: 0, running: 0, waiting: 0 })
    const spinning = Array.from({ length: 5 }, () => codeOf(counted.run({ act: 'spin' })))
    expect(counted.counts).toEqual({ threads: 2, running: 2, waiting: 3 })
    await counted.close()
    expect(await Promise.all(spinning)).toEqual(Array.from({ length: 5 }, () => 'stopped'))
    expect(counted.counts).toEqual({ threads: 0, running: 0, waiting: 0 })
  })

  it('kills what takes too long, and goes on with a fresh thread', async () => {
    expect(await codeOf(run('spin', undefined, 150))).toBe('timeout')
    expect(await run('echo', 1, 60_000)).toBe(1)
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

  it('hands what waits behind a bad task to another thread', async () => {
    const fed = new ThreadPool({ script: hog, threads: 1, memory: 32, waiting: 10, ahead: 5 })
    const outcomes = ['echo', 'crash', 'echo', 'exit', 'echo'].map((act) => codeOf(fed.run({ act, value: act })))
    expect(await Promise.all(outcomes)).toEqual(['done', 'crashed', 'done', 'crashed', 'done'])
    const spinning = codeOf(fed.run({ act: 'spin' }, { milliseconds: 200 }))
    // Its deadline begins when it begins, not while the other holds the thread.
    const after = codeOf(fed.run({ act: 'echo' }, { milliseconds: 30_000 }))
    expect([await spinning, await after]).toEqual(['timeout', 'done'])
    const held = [codeOf(fed.run({ act: 'spin' })), codeOf(fed.run({ act: 'echo' }))]
    await fed.close()
    expect(await Promise.all(held)).toEqual(['stopped', 'stopped'])
  })

  // The word of a crash takes another way than answers do, and comes first now and then.
  it('has what was answered right before a crash', async () => {
    for (let round = 0; round < 60; round++) {
      const fed = new ThreadPool({ script: hog, threads: 1, memory: 32, waiting: 10, ahead: 5 })
      const outcomes = ['echo', 'echo', 'crash', 'echo'].map((act) => codeOf(fed.run({ act })))
      expect(await Promise.all(outcomes)).toEqual(['done', 'done', 'crashed', 'done'])
      await fed.close()
    }
  })

  it('says so when there is no such thread', async () => {
    const none = new ThreadPool({ script: 'no-such-thread', threads: 1, waiting: 1 })
    expect(await codeOf(none.run(1))).toBe('crashed')
  })
})

describe('what threads cache', () => {
  it('is told by name, with how often it was of use', async () => {
    const threads = new Threads()
    const { document } = fromMarkdown('```js\nconst one = 1\n```')
    const rest = {
      refs: new Map(),
      icons: 'regular',
      siteUrl: 'http://a.test',
      basePath: '/',
      reservedIds: [],
    } as const
    const render = () => renderAside({ threads }, { document, locale: 'en', externalTarget: 'self', ...rest }, 'a page')
    expect(threads.listCaches()).toEqual([])
    expect(await render()).toBeDefined()
    const [first] = threads.listCaches()
    expect(first).toMatchObject({ name: expect.stringMatching(/^render threads: /), hits: 0 })
    await render()
    const again = threads.listCaches().find(({ name }) => name === first?.name)
    expect(again?.hits).toBeGreaterThan(0)
    expect(again?.bytes).toBeGreaterThan(0)
    await threads.close()
  })
})
