/** What Prometheus is told of background work. */
import { expect, test, vi } from 'vitest'
import { makeDocument, paragraph } from '../../../src/core/document/tree/make.ts'
import { printMarkdown } from '../../../src/domain/content/markdown/markdown.ts'
import { JobFailed, type JobKinds } from '../../../src/jobs/kinds.ts'
import { makeWorker } from '../../../src/jobs/worker.ts'
import { makeLog } from '../../../src/platform/log.ts'
import { enqueue, listJobs } from '../../../src/store/jobs.ts'
import { eachBackend } from '../../kit/backends.ts'
import { useKit } from '../../kit/server.ts'

eachBackend((backend) => {
  const kit = useKit(backend)
  const metrics = () => kit.metrics()

  test('the queue by kind and state, runs by outcome, and how long they took', async () => {
    // Counters are of the process, and both databases share one.
    const kind = (name: string): string => `${name}-${backend.name}`
    for (const name of ['calm', 'broken', 'later'])
      await kit.db.transaction((tx) =>
        enqueue(tx, { kind: kind(name), runAt: name === 'later' ? new Date(Date.now() + 60_000) : undefined }),
      )
    expect(await metrics()).toContain(`lectern_jobs{kind="${kind('calm')}",state="waiting"} 1`)
    let starts = 0
    const handlers: JobKinds = {
      [kind('calm')]: {
        run: async () => {
          if (++starts === 1) throw new Error('not yet')
        },
      },
      [kind('broken')]: { run: () => Promise.reject(new JobFailed('never')) },
    }
    const worker = makeWorker({ db: kit.db, env: kit.env, log: makeLog('silent'), handlers, retryMilliseconds: 10 })
    await worker.start()
    await vi.waitFor(
      async () => {
        expect(await listJobs(kit.db, { kind: kind('calm') })).toEqual([])
        expect(await listJobs(kit.db, { kind: kind('broken') })).toMatchObject([{ state: 'failed' }])
      },
      { timeout: 10_000 },
    )
    await worker.stop()
    const shown = await metrics()
    expect(shown).toContain(`lectern_job_runs_total{kind="${kind('calm')}",outcome="retried"} 1`)
    expect(shown).toContain(`lectern_job_runs_total{kind="${kind('calm')}",outcome="done"} 1`)
    expect(shown).toContain(`lectern_job_runs_total{kind="${kind('broken')}",outcome="failed"} 1`)
    expect(shown).toContain(`lectern_job_seconds_count{kind="${kind('calm')}"} 2`)
    expect(shown).toContain(`lectern_jobs{kind="${kind('broken')}",state="failed"} 1`)
    expect(shown).toContain(`lectern_jobs{kind="${kind('later')}",state="waiting"} 1`)
    expect(shown).not.toContain(`lectern_jobs{kind="${kind('calm')}"`)
  })

  test('threads by the kind of their work', async () => {
    expect(await metrics()).not.toContain('kind="markdown"')
    await printMarkdown(kit.db.threads, makeDocument(Array.from({ length: 1000 }, () => paragraph('A line.'))), {})
    const text = await metrics()
    expect(text).toContain('lectern_threads{kind="markdown"} 1')
    expect(text).toContain('lectern_thread_tasks_running{kind="markdown"} 0')
    expect(text).toContain('lectern_thread_tasks_waiting{kind="markdown"} 0')
  })
})
