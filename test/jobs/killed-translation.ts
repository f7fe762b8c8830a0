/** Runs translations in a process of its own, which may be killed in the middle; ends when no job is left. */
import { setTimeout as sleep } from 'node:timers/promises'
import { translation } from '../../src/jobs/translation/job.ts'
import { makeWorker } from '../../src/jobs/worker.ts'
import { open } from '../../src/open.ts'
import { readConfig } from '../../src/platform/config.ts'
import { makeLog } from '../../src/platform/log.ts'
import { listJobs } from '../../src/store/jobs.ts'

const { db, env } = await open(readConfig(process.env))
const worker = makeWorker({
  db,
  env,
  log: makeLog('silent'),
  leaseMilliseconds: 400,
  pollMilliseconds: 50,
  handlers: { translation },
})
await worker.start()
while ((await listJobs(db, { kind: 'translation' })).length > 0) await sleep(50)
await worker.stop({ milliseconds: 1000 })
await db.close()
process.exit(0)
