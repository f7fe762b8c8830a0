/** What a backup leaves out is made again by the job that a restore writes. */
import { expect, it, vi } from 'vitest'
import { jobKinds } from '../../src/jobs/index.ts'
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
})
