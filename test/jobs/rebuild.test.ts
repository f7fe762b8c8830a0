/** What a backup leaves out is made again by the job that a restore writes. */
import { expect, it, vi } from 'vitest'
import { jobKinds } from '../../src/jobs/index.ts'
import type { JobRun } from '../../src/jobs/kinds.ts'
import { makeWorker } from '../../src/jobs/worker.ts'
import { makeLog } from '../../src/platform/log.ts'
import { enqueue, listJobs } from '../../src/store/jobs.ts'
import { removeSpace } from '../../src/store/search-index/write.ts'
import { eachBackend } from '../kit/backends.ts'
import { useKit } from '../kit/server.ts'

eachBackend((backend) => {
  const kit = useKit(backend)

  it('finds pages again after the index was lost', async () => {
    const made = await kit.call('admin', 'createSpace', {
      organizationId: kit.organization,
      body: { title: 'Handbook', template: { id: 'product-docs' } },
    })
    expect(made.status).toBe(201)
    const spaceId = String(made.body.id)
    const found = async () =>
      (await kit.call('admin', 'searchSpaceContent', { spaceId, query: { query: 'install' } })).body.items?.length ?? 0
    const before = await found()
    expect(before).toBeGreaterThan(0)
    await kit.db.transaction((tx) => removeSpace(tx, spaceId))
    expect(await found()).toBe(0)

    await kit.db.transaction((tx) => enqueue(tx, { kind: 'rebuild', uniqueKey: 'all' }))
    const worker = makeWorker({ db: kit.db, env: kit.env, log: makeLog('silent'), handlers: jobKinds })
    await worker.start()
    await vi.waitFor(async () => expect(await listJobs(kit.db, { kind: 'rebuild' })).toEqual([]), { timeout: 10_000 })
    await worker.stop()
    expect(await found()).toBe(before)
  })

  it('goes through a space in steps, none of which holds its writers for long', async () => {
    const { id: spaceId } = await kit.as.admin.createSpace({
      organizationId: kit.organization,
      body: { title: 'Long' },
    })
    for (let from = 0; from < 100; from += 50)
      await kit.as.admin.updateSpaceContent({
        spaceId,
        body: {
          changes: Array.from({ length: 50 }, (_, i) => ({
            operation: 'insert_page' as const,
            title: `Page ${from + i}`,
            document: { markdown: `Zebra${from + i}x and [one before](page-${from + i - 1}.md).` },
          })),
        },
      })
    let steps = 0
    const { transaction } = kit.db
    kit.db.transaction = (work, options) => {
      if (options?.lock === spaceId) steps += 1
      return transaction.call(kit.db, work, options) as ReturnType<typeof work>
    }
    const job: Partial<JobRun<unknown>> = { db: kit.db, env: kit.env, log: makeLog('silent') }
    await jobKinds.rebuild?.run({ ...job, signal: new AbortController().signal } as JobRun<unknown>)
    kit.db.transaction = transaction
    // The first is small, and each at most twice as large as the one before.
    expect(steps).toBeGreaterThan(4)
    const found = await kit.as.admin.searchSpaceContent({ spaceId, query: { query: 'zebra99x' } })
    expect(found.items).toHaveLength(1)
    expect(await kit.as.admin.getSpaceById({ spaceId })).not.toHaveProperty('indexing')
    expect((await kit.as.admin.listSpaceLinks({ spaceId })).stats.total).toBe(100)
  })
})
