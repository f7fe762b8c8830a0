/** A command that has brought content indexes it itself; workers leave the job to it for as long as it lives. */
import { randomUUID } from 'node:crypto'
import { afterEach, expect, test, vi } from 'vitest'
import { z } from 'zod'
import { actAs } from '../../src/domain/act-as.ts'
import { enqueueIndex, IndexLease } from '../../src/domain/content/write/index-job.ts'
import { noSteps } from '../../src/domain/import/apply.ts'
import { importRepository } from '../../src/domain/import/commit.ts'
import { defineJob } from '../../src/jobs/kinds.ts'
import { makeWorker, type Worker } from '../../src/jobs/worker.ts'
import { makeLog } from '../../src/platform/log.ts'
import { dueJobsOf, leaseMilliseconds, listJobs } from '../../src/store/jobs.ts'
import { findUser } from '../../src/store/people/users.ts'
import { eachBackend } from '../kit/backends.ts'
import { useKit } from '../kit/server.ts'

eachBackend((backend) => {
  const kit = useKit(backend)
  let worker: Worker | undefined
  afterEach(() => worker?.stop({ milliseconds: 0 }))

  const startWorker = async () => {
    const run = vi.fn(async (_: unknown) => {})
    const index = defineJob({ payload: z.object({ space: z.string() }), run: ({ payload }) => run(payload) })
    worker = makeWorker({ db: kit.db, env: kit.env, log: makeLog('silent'), handlers: { index } })
    await worker.start()
    return run
  }
  const jobs = (space: string) =>
    listJobs(kit.db, { kind: 'index' }).then((all) => all.filter(({ payload }) => payload.includes(space)))
  const enqueueFor = (space: string, own?: IndexLease) =>
    kit.db.transaction(async (tx) => {
      await enqueueIndex(tx, space)
      await own?.take(tx, space)
    })

  test('an import by a command leaves nothing to a worker', async () => {
    const run = await startWorker()
    const { id: space } = await kit.as.admin.createSpace({ organizationId: kit.organization, body: { title: 'Own' } })
    const user = await findUser(kit.db, { id: kit.people.admin.id })
    if (!user) throw new Error('The admin is gone.')
    const files = Array.from({ length: 60 }, (_, i) => {
      const bytes = Buffer.from(`# Page ${i}\n\nZebra.\n`)
      return {
        path: `page-${i}.md`,
        size: bytes.length,
        open: async function* () {
          yield bytes
        },
      }
    })
    const base = actAs({ db: kit.db, env: kit.env }, user, 'test')
    await importRepository(base, { space }, files, { remove: 'own', strict: false, steps: noSteps })
    expect(run).not.toHaveBeenCalled()
    expect(await jobs(space)).toEqual([])
    const found = await kit.as.admin.searchSpaceContent({ spaceId: space, query: { query: 'zebra', limit: 100 } })
    expect(found.items).toHaveLength(60)
  })

  test('a job whose command fails waits for a worker', async () => {
    const [own, space] = [new IndexLease(), randomUUID()]
    await enqueueFor(space, own)
    expect(await jobs(space)).toMatchObject([{ state: 'running', attempts: 1 }])
    await expect(own.carryOut(kit.db, () => Promise.reject(new Error('fails')))).rejects.toThrow('fails')
    expect(await jobs(space)).toMatchObject([{ state: 'waiting', attempts: 0, uniqueKey: space }])
    const run = await startWorker()
    await vi.waitFor(() => expect(run).toHaveBeenCalledWith({ space }))
  })

  test('one whose command is killed is taken over when its lease has run out, not sooner', async () => {
    const space = randomUUID()
    await enqueueFor(space, new IndexLease())
    const findDue = dueJobsOf({ kinds: ['index'], background: [] })
    const dueAfter = async (milliseconds: number) =>
      (await findDue(kit.db, { now: new Date(Date.now() + milliseconds).toISOString() }))?.id
    expect(await dueAfter(leaseMilliseconds / 2)).toBeUndefined()
    expect(await dueAfter(leaseMilliseconds + 1000)).toBe((await jobs(space))[0]?.id)
  })

  test('a command that takes long keeps it', async () => {
    const [own, space] = [new IndexLease(), randomUUID()]
    await enqueueFor(space, own)
    const [before] = await jobs(space)
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    try {
      await own.carryOut(kit.db, async () => {
        vi.advanceTimersByTime(leaseMilliseconds / 2)
        await vi.waitFor(async () =>
          expect((await jobs(space))[0]?.leaseUntil?.localeCompare(before?.leaseUntil ?? '')).toBe(1),
        )
      })
    } finally {
      vi.useRealTimers()
    }
    expect(await jobs(space)).toEqual([])
  })

  test('one that a worker is at stays its own', async () => {
    const [first, second, space] = [new IndexLease(), new IndexLease(), randomUUID()]
    await enqueueFor(space, first)
    await enqueueFor(space, second)
    await second.carryOut(kit.db, async () => {})
    expect((await jobs(space)).map(({ state }) => state).toSorted()).toEqual(['running', 'waiting'])
    await first.carryOut(kit.db, async () => {})
    expect(await jobs(space)).toMatchObject([{ state: 'waiting' }])
  })
})
