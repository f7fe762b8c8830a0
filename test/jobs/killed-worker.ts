/**
 * A worker in a process of its own, to be killed. Its one kind of job does its effect (a setting named after the job, which
 * can be written only once) in the transaction that ends it. Environment: DATABASE_URL or LECTERN_DATA.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { makeWorker } from '../../src/jobs/worker.ts'
import { open } from '../../src/open.ts'
import { readConfig } from '../../src/platform/config.ts'
import { makeLog } from '../../src/platform/log.ts'

const config = readConfig(process.env)
const { db, env } = await open(config)
const worker = makeWorker({
  db,
  env,
  log: makeLog('silent'),
  leaseMilliseconds: 400,
  pollMilliseconds: 50,
  handlers: {
    effect: {
      // The same jobs are killed round after round; elsewhere that would make them suspects.
      attempts: 100,
      async run({ payload, finish }) {
        process.stdout.write(`began ${payload}\n`)
        await sleep(30)
        await finish(async (tx) => {
          const statement = {
            sql: `insert into "setting" ("name", "value") values ('effect-${payload}', '${process.pid}')`,
            name: '',
          }
          // A unique name: done twice, it would fail, and the job with it.
          await tx.run(statement, [])
          await sleep(10)
        })
        process.stdout.write(`ended ${payload}\n`)
      },
    },
  },
})
await worker.start()
process.stdout.write('ready\n')
process.once('SIGTERM', async () => {
  await worker.stop({ milliseconds: 1000 })
  await db.close()
  process.exit(0)
})
