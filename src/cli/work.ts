/** `lectern work`: only the background work, beside servers that run with LECTERN_WORKERS=0. */
import { defineCommand } from 'citty'
import { jobKinds } from '../jobs/index.ts'
import { makeWorker } from '../jobs/worker.ts'
import { open } from '../open.ts'
import { readConfig } from '../platform/config.ts'
import { makeLog } from '../platform/log.ts'
import { CommandError } from './plain-errors.ts'

export const work = defineCommand({
  meta: {
    name: 'work',
    description: 'Do the background work (imports, translations, clean-up) in a process of its own.',
  },
  args: {
    concurrency: { type: 'string', default: '4', description: 'Jobs at once (4).' },
  },
  async run({ args }) {
    const concurrency = Number(args.concurrency)
    if (!Number.isInteger(concurrency) || concurrency < 1 || concurrency > 100) {
      throw new CommandError(`--concurrency must be a number from 1 to 100, and is ${args.concurrency}.`)
    }
    const config = readConfig(process.env)
    const log = makeLog(config.logLevel)
    const { db, env } = await open(config)
    const worker = makeWorker({ db, env, log, handlers: jobKinds, concurrency })
    await worker.start()
    log.info({ kinds: Object.keys(jobKinds), concurrency }, 'working')

    const stop = async (signal: string): Promise<void> => {
      log.info({ signal }, 'stopping')
      setTimeout(() => process.exit(1), 9_000).unref()
      await worker.stop({ milliseconds: 5_000 })
      await db.close()
      process.exit(0)
    }
    process.once('SIGTERM', stop)
    process.once('SIGINT', stop)
  },
})
