/** A worker that carries out imports in a process of its own, to be killed. Environment: DATABASE_URL, LECTERN_DATA. */
import { importJob } from '../../src/jobs/import/job.ts'
import { makeWorker } from '../../src/jobs/worker.ts'
import { open } from '../../src/open.ts'
import { readConfig } from '../../src/platform/config.ts'
import { makeLog } from '../../src/platform/log.ts'

const { db, env } = await open(readConfig(process.env))
const worker = makeWorker({
  db,
  env,
  log: makeLog('silent'),
  leaseMilliseconds: 600,
  pollMilliseconds: 50,
  handlers: { import: importJob },
})
await worker.start()
process.stdout.write('ready\n')
// Left alone, it ends by itself.
setInterval(() => {
  if (process.ppid === 1) process.exit(1)
}, 1000)
