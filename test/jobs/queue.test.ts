/** The queue and its workers, on both databases. */
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeAll, expect, it, vi } from 'vitest'
import { z } from 'zod'
import { fail } from '../../src/core/errors.ts'
import type { Environment } from '../../src/domain/environment.ts'
import { defineJob, JobFailed, type JobKinds, LeaseLost } from '../../src/jobs/kinds.ts'
import { makeWorker, type Worker, type WorkerOptions } from '../../src/jobs/worker.ts'
import { open } from '../../src/open.ts'
import { readConfig } from '../../src/platform/config.ts'
import { makeLog } from '../../src/platform/log.ts'
import { type Database, openDatabase } from '../../src/store/database.ts'
import { dueJobsOf, enqueue as enqueueIn, ensureSchedule, listJobs, type NewJob } from '../../src/store/jobs.ts'
import { ensureSetting, readSetting } from '../../src/store/settings.ts'
import { eachBackend, useStore } from '../kit/backends.ts'
import { bundleChild, startChild } from '../kit/child.ts'

const log = makeLog('silent')

/** How often workers are killed; more in a long run. */
const killRounds = Number(process.env.KILL_ROUNDS ?? 8)

eachBackend((backend) => {
  const store = useStore(backend)
  const workers: Worker[] = []
  let db: Database
  let env: Environment
  beforeAll(async () => {
    db = store.db
    const opened = await open(readConfig(variables()))
    env = opened.env
    return () => opened.db.close()
  })
  afterEach(async () => {
    await Promise.all(workers.splice(0).map((worker) => worker.stop({ milliseconds: 0 })))
  })

  const variables = (): Record<string, string> => ({
    LECTERN_DATA: store.place.folder,
    ...(backend.name === 'postgres' ? { DATABASE_URL: store.place.location } : {}),
  })

  async function start(handlers: JobKinds, options: Partial<WorkerOptions> = {}): Promise<Worker> {
    const worker = makeWorker({ db, env, log, handlers, retryMilliseconds: 20, leaseMilliseconds: 300, ...options })
    workers.push(worker)
    await worker.start()
    return worker
  }

  const enqueue = (job: NewJob) => db.transaction((tx) => enqueueIn(tx, job))
  const until = (check: () => unknown) => vi.waitFor(check, { timeout: 8000, interval: 10 })
  const gone = (kind: string) => until(async () => expect(await listJobs(db, { kind })).toEqual([]))

  it('starts although the database is away just then, and schedules when it is back', async () => {
    const away = vi.spyOn(db, 'transaction')
    away.mockRejectedValueOnce(fail('storage_unavailable')).mockRejectedValueOnce(fail('outcome_unknown'))
    await start({ 'starts-late': { every: 60_000, run: async () => {} } }, { pollMilliseconds: 10 })
    expect(away).toHaveBeenCalledTimes(3)
    away.mockRestore()
    expect(await listJobs(db, { kind: 'starts-late' })).toMatchObject([{ state: 'waiting', attempts: 0 }])
  })

  it('runs a job at once after the transaction that wrote it, and never one that was undone', async () => {
    const seen: unknown[] = []
    await start({
      hello: defineJob({ payload: z.object({ n: z.number() }), run: async (job) => void seen.push(job.payload.n) }),
    })
    await sleep(50)
    const began = performance.now()
    await db.transaction(async (tx) => {
      await enqueueIn(tx, { kind: 'hello', payload: { n: 1 } })
    })
    await until(() => expect(seen).toEqual([1]))
    // Far less than the second after which it would have looked by itself.
    expect(performance.now() - began).toBeLessThan(500)
    const undone = db.transaction(async (tx) => {
      await enqueueIn(tx, { kind: 'hello', payload: { n: 2 } })
      throw new Error('undone')
    })
    await expect(undone).rejects.toThrow('undone')
    await sleep(100)
    expect(seen).toEqual([1])
    await gone('hello')
  })

  it('sees jobs of other processes within a second', async () => {
    const seen: number[] = []
    await start({ far: { run: async () => void seen.push(Date.now()) } })
    const other = await openDatabase({ location: store.place.location })
    // Written behind the back of this process: no hint, only the row.
    const at = new Date().toISOString()
    const sql = `insert into "job" ("id","kind","payload","state","attempts","runAt","createdAt") values ('far1','far','null','waiting',0,'${at}','${at}')`
    await other.run({ sql, name: '' }, [])
    const written = Date.now()
    await other.close()
    await until(() => expect(seen).toHaveLength(1))
    expect((seen[0] ?? 0) - written).toBeLessThan(1300)
  })

  it('waits until the time has come, and takes no kinds it does not know', async () => {
    const seen: number[] = []
    await enqueue({ kind: 'unknown' })
    const due = Date.now() + 400
    await enqueue({ kind: 'later', runAt: new Date(due) })
    await start({ later: { run: async () => void seen.push(Date.now()) } }, { pollMilliseconds: 50 })
    await until(() => expect(seen).toHaveLength(1))
    expect(seen[0]).toBeGreaterThanOrEqual(due)
    expect(await listJobs(db, { kind: 'unknown' })).toMatchObject([{ state: 'waiting', attempts: 0 }])
  })

  it('is one job for one key while it waits; a second one comes after the first, never beside it', async () => {
    const payloads: unknown[] = []
    let together = 0
    let most = 0
    const job = { kind: 'keyed', uniqueKey: 'space-1' }
    expect(await enqueue({ ...job, payload: 1 })).toBe(true)
    expect(await enqueue({ ...job, payload: 2 })).toBe(false)
    expect(await enqueue({ ...job, uniqueKey: 'space-2', payload: 3 })).toBe(true)
    expect(await listJobs(db, { kind: 'keyed' })).toHaveLength(2)
    await db.run({ sql: `delete from "job" where "uniqueKey" = 'space-2'`, name: '' }, [])
    await start({
      keyed: {
        async run({ payload, attempt }) {
          most = Math.max(most, ++together)
          payloads.push(payload)
          if (payload === 1) {
            expect(await enqueue({ ...job, payload: 4 })).toBe(true)
            expect(await enqueue({ ...job, payload: 5 })).toBe(false)
          }
          await sleep(80)
          together--
          if (payload === 4 && attempt === 1) throw new Error('once more')
        },
      },
    })
    await gone('keyed')
    expect(payloads).toEqual([1, 4, 4])
    expect(most).toBe(1)
  })

  it('tells of a failed run although the database is away just then', async () => {
    await enqueue({ kind: 'unlucky', payload: 'y' })
    const away = vi.spyOn(db, 'transaction')
    await start({
      unlucky: {
        async run() {
          away.mockRejectedValueOnce(fail('storage_unavailable')).mockRejectedValueOnce(fail('outcome_unknown'))
          throw new JobFailed('It cannot be done.')
        },
        failed: async (tx, { payload }, error) =>
          void (await ensureSetting(tx, `told-${payload}`, () => error.message)),
      },
    })
    await until(async () => expect(await readSetting(db, 'told-y')).toBe('It cannot be done.'))
    away.mockRestore()
    expect(await listJobs(db, { kind: 'unlucky' })).toMatchObject([
      { state: 'failed', lastError: 'It cannot be done.' },
    ])
  })

  it('gives the work of a failed run to the job that came under its key meanwhile', async () => {
    const payloads: unknown[] = []
    const job = { kind: 'merged', uniqueKey: 'k' }
    await enqueue({ ...job, payload: 'first' })
    await start({
      merged: {
        async run({ payload }) {
          payloads.push(payload)
          if (payload !== 'first') return
          await enqueue({ ...job, payload: 'second' })
          throw new Error('no')
        },
      },
    })
    await gone('merged')
    expect(payloads).toEqual(['first', 'second'])
  })

  it('retries with longer and longer waits, then gives up and tells so in the same transaction', async () => {
    const times: number[] = []
    await enqueue({ kind: 'bad', payload: 'x' })
    await start(
      {
        bad: {
          attempts: 4,
          async run() {
            times.push(performance.now())
            throw new Error(`attempt ${times.length}`)
          },
          failed: async (tx, { payload }, error) =>
            void (await ensureSetting(tx, `failed-${payload}`, () => error.message)),
        },
      },
      { pollMilliseconds: 10, retryMilliseconds: 40 },
    )
    await until(async () => expect(await readSetting(db, 'failed-x')).toBe('attempt 4'))
    expect(await listJobs(db, { kind: 'bad' })).toMatchObject([
      { state: 'failed', attempts: 4, lastError: 'attempt 4' },
    ])
    const waits = times.slice(1).map((time, index) => time - (times[index] ?? 0))
    expect(waits).toHaveLength(3)
    for (const [index, wait] of waits.entries()) expect(wait).toBeGreaterThanOrEqual(20 * 2 ** index - 2)
  })

  it('gives up at once what no retry can help, and what cannot be told about', async () => {
    await enqueue({ kind: 'hopeless' })
    await enqueue({ kind: 'misread', payload: 'no number' })
    await start(
      {
        hopeless: { run: () => Promise.reject(new JobFailed('There is no such space.')) },
        misread: defineJob({ payload: z.number(), attempts: 1, run: async () => {}, failed: async () => {} }),
      },
      {},
    )
    await until(async () => {
      expect(await listJobs(db, { kind: 'hopeless' })).toMatchObject([
        { state: 'failed', attempts: 1, lastError: 'There is no such space.' },
      ])
      expect(await listJobs(db, { kind: 'misread' })).toMatchObject([{ state: 'failed' }])
    })
  })

  it('cuts off a run that takes too long', async () => {
    let calledOff = 0
    await enqueue({ kind: 'slow' })
    await start(
      {
        slow: {
          milliseconds: 60,
          attempts: 2,
          run: ({ signal }) =>
            new Promise((resolve) => {
              signal.addEventListener('abort', () => {
                calledOff++
                setTimeout(resolve, 500)
              })
            }),
        },
      },
      { pollMilliseconds: 20 },
    )
    await until(async () =>
      expect(await listJobs(db, { kind: 'slow' })).toMatchObject([{ state: 'failed', attempts: 2 }]),
    )
    expect(calledOff).toBe(2)
  })

  it('runs no more at once than it may', async () => {
    let now = 0
    let most = 0
    for (let index = 0; index < 12; index++) await enqueue({ kind: 'many' })
    const run = async () => {
      most = Math.max(most, ++now)
      await sleep(20)
      now--
    }
    await start({ many: { run } }, { concurrency: 3 })
    await gone('many')
    expect(most).toBe(3)
  })

  it('keeps its lease while it works, and undoes its effect when it has lost it', async () => {
    const results: string[] = []
    await enqueue({ kind: 'leased' })
    let steal = false
    const handlers: JobKinds = {
      leased: {
        async run({ attempt, finish }) {
          // Several times the lease: only renewal keeps the other worker away.
          await sleep(2000)
          if (steal)
            await db.run(
              { sql: `update "job" set "leaseOwner" = 'other', "attempts" = 7 where "kind" = 'leased'`, name: '' },
              [],
            )
          await finish(async (tx) => void (await ensureSetting(tx, `leased-${attempt}-${steal}`, () => 'done'))).then(
            () => results.push('done'),
            (error) => {
              results.push(error instanceof LeaseLost ? 'lost' : String(error))
              throw error
            },
          )
        },
      },
    }
    await start(handlers, { leaseMilliseconds: 900 })
    await start(handlers, { leaseMilliseconds: 900 })
    await until(() => expect(results).toEqual(['done']))
    await gone('leased')
    expect(await readSetting(db, 'leased-1-false')).toBe('done')

    steal = true
    await enqueue({ kind: 'leased' })
    await until(() => expect(results).toEqual(['done', 'lost']))
    expect(await readSetting(db, 'leased-1-true')).toBeUndefined()
    await db.run({ sql: `delete from "job" where "kind" = 'leased'`, name: '' }, [])
  })

  it('finishes what is under way when it stops, and gives back what takes longer', async () => {
    const ended: string[] = []
    await enqueue({ kind: 'quick' })
    await enqueue({ kind: 'long' })
    const worker = await start({
      quick: {
        async run() {
          await sleep(100)
          ended.push('quick')
        },
      },
      long: {
        run: ({ signal }) => new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason))),
      },
    })
    await until(async () => expect(await listJobs(db, { kind: 'long' })).toMatchObject([{ state: 'running' }]))
    const began = performance.now()
    await worker.stop({ milliseconds: 300 })
    expect(performance.now() - began).toBeLessThan(600)
    expect(ended).toEqual(['quick'])
    expect(await listJobs(db, { kind: 'quick' })).toEqual([])
    expect(await listJobs(db, { kind: 'long' })).toMatchObject([{ state: 'waiting', attempts: 0, leaseOwner: null }])
    await db.run({ sql: `delete from "job" where "kind" = 'long'`, name: '' }, [])
  })

  it('runs a recurring job once for each time, however many workers there are', async () => {
    const slots: number[] = []
    const every = 250
    const handlers: JobKinds = {
      beat: {
        every,
        async run() {
          slots.push(Math.floor(Date.now() / every))
          if (slots.length === 2) throw new JobFailed('The next time is not lost by it.')
        },
      },
    }
    // A lease that ends while a busy machine has the worker wait is another matter: the job is then begun again.
    const options = { pollMilliseconds: 10, leaseMilliseconds: 30_000 }
    await Promise.all(Array.from({ length: 4 }, () => start(handlers, options)))
    await until(() => expect(slots.length).toBeGreaterThanOrEqual(5))
    expect(new Set(slots).size).toBe(slots.length)
    expect(await listJobs(db, { kind: 'beat' })).toHaveLength(1)
  })

  it('asks for the next time of a recurring job when others have done with the schedule', async () => {
    let asked = 0
    const next = (): string => {
      asked += 1
      return '2999-01-01T00:00:00.000Z'
    }
    let ensured: Promise<void> | undefined
    await db.transaction(
      async () => {
        ensured = ensureSchedule(db, { kind: 'rare', next })
        await sleep(50)
        expect(asked).toBe(0)
      },
      { lock: 'schedule' },
    )
    await ensured
    expect(asked).toBe(1)
    expect(await listJobs(db, { kind: 'rare' })).toMatchObject([{ runAt: next() }])
  })

  it('begins work in the background after all else, one of its kind at a time', async () => {
    const begun: string[] = []
    const most = { now: 0, ever: 0 }
    const handlers: JobKinds = {
      quiet: {
        background: true,
        async run({ payload }) {
          begun.push(String(payload))
          most.now += 1
          most.ever = Math.max(most.ever, most.now)
          await sleep(30)
          most.now -= 1
        },
      },
      urgent: { run: async ({ payload }) => void begun.push(String(payload)) },
    }
    const runAt = new Date(Date.now() - 1000)
    for (const key of ['quiet 1', 'quiet 2', 'quiet 3'])
      await enqueue({ kind: 'quiet', payload: key, uniqueKey: key, runAt })
    for (const key of ['urgent 1', 'urgent 2']) await enqueue({ kind: 'urgent', payload: key, uniqueKey: key })
    await start(handlers, { concurrency: 2, leaseMilliseconds: 30_000 })
    await gone('quiet')
    expect(begun.slice(0, 2).sort()).toEqual(['urgent 1', 'urgent 2'])
    expect(begun.slice(2).sort()).toEqual(['quiet 1', 'quiet 2', 'quiet 3'])
    expect(most.ever).toBe(1)
  })

  it('gives work in the background back at once when it stops', async () => {
    const began: string[] = []
    const hangs = async ({ signal }: { signal: AbortSignal }): Promise<void> => {
      began.push('quiet')
      await sleep(60_000, undefined, { signal })
    }
    const worker = await start({ 'long-quiet': { background: true, run: hangs } })
    await enqueue({ kind: 'long-quiet', uniqueKey: 'one' })
    await until(() => expect(began).toHaveLength(1))
    const stopping = performance.now()
    await worker.stop({ milliseconds: 20_000 })
    expect(performance.now() - stopping).toBeLessThan(10_000)
    expect(await listJobs(db, { kind: 'long-quiet' })).toMatchObject([
      { state: 'waiting', attempts: 0, uniqueKey: 'one' },
    ])
  })

  it('looks for jobs at next to no cost', async () => {
    const dueJobs = dueJobsOf({ kinds: ['purge', 'import', 'translate', 'render'], background: ['render'] })
    const now = new Date().toISOString()
    await dueJobs(db, { now })
    const began = process.cpuUsage()
    for (let index = 0; index < 200; index++) await dueJobs(db, { now })
    const { user, system } = process.cpuUsage(began)
    const each = (user + system) / 200
    console.log(`${backend.name}: one look costs ${Math.round(each)} µs of CPU`)
    expect(each).toBeLessThan(5000)
  })

  it('does its effect exactly once although workers are killed in the middle', async () => {
    const script = await bundleChild('test/jobs/killed-worker.ts')
    const jobs = 40
    for (let index = 0; index < jobs; index++) await enqueue({ kind: 'effect', payload: index })
    let begun = 0
    for (let round = 0; round < killRounds; round++) {
      const child = startChild(script, [], variables())
      await Promise.race([child.says('began'), sleep(1500)])
      await sleep(Math.random() * 45)
      await child.kill()
      begun += child.output.filter((line) => line.startsWith('began')).length
    }
    const last = startChild(script, [], variables())
    await vi.waitFor(async () => expect(await listJobs(db, { kind: 'effect' })).toEqual([]), {
      timeout: 20_000,
      interval: 100,
    })
    last.process.kill('SIGTERM')
    expect(await last.ended).toBe(0)
    begun += last.output.filter((line) => line.startsWith('began')).length
    const [row] = await db.all(
      { sql: `select count(*) as "count" from "setting" where "name" like 'effect-%'`, name: '' },
      [],
    )
    expect(Number(row?.count)).toBe(jobs)
    console.log(`${backend.name}: ${jobs} jobs, ${killRounds} kills, ${begun} starts, each effect once`)
  }, 120_000)
})
