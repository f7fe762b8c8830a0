/** `lectern serve`: opens everything, listens, and says where. */
import { type AddressInfo, createServer } from 'node:net'
import { defineCommand } from 'citty'
import { startPrinting } from '../domain/content/markdown/print-ahead.ts'
import { sampleUrl } from '../domain/sample-note.ts'
import { setUp } from '../domain/setup.ts'
import { limitConnections } from '../http/edge/connections.ts'
import { makeServer } from '../http/serve.ts'
import type { Worker, WorkerOptions } from '../jobs/worker.ts'
import { open } from '../open.ts'
import { readConfig, variables } from '../platform/config.ts'
import { makeLog } from '../platform/log.ts'
import { releaseStartMemory } from '../platform/memory.ts'
import { version } from '../platform/version.ts'
import { yieldLoop } from '../store/time-slices.ts'
import { publishSample } from './sample.ts'

/** How long accepted requests may take to finish once the process is asked to stop. */
const stopMilliseconds = 9_000
/** A second signal within this time is the same request again. */
const sameSignalMilliseconds = 1_000
/** Jobs that take longer are given back, for the next process to take. */
const finishMilliseconds = 5_000

export const serve = defineCommand({
  // The settings belong into its own help, not into the list of all commands.
  meta: () => ({
    name: 'serve',
    description: `Serve the API and the published sites.${process.argv[2] === 'serve' ? settings() : ''}`,
  }),
  async run() {
    const config = readConfig(process.env.PORT === '0' ? { ...process.env, PORT: await freePort() } : process.env)
    const log = makeLog(config.logLevel)
    const { db, env, warnings } = await open(config)
    for (const warning of warnings) log.warn(warning)
    const first = await setUp(db, env, {
      email: config.adminEmail,
      token: config.adminToken,
      sample: config.sample,
    })
    const { rateLimit, trustProxy, metrics } = config
    const server = await makeServer({ db, env, log, rateLimit, trustProxy, metrics })
    const { app } = server
    const printing = startPrinting(db, (error) => log.warn({ err: error }, 'printing ahead failed'))
    if (metrics && 'port' in metrics) {
      const { startOperations } = await import('../http/operations/server.ts')
      await startOperations({ ...metrics, registry: server.edge.metrics.registry, checkReady: server.checkReady })
    }
    let worker: Worker | undefined

    let stoppingSince: number | undefined
    const stop = async (signal: string): Promise<void> => {
      if (stoppingSince !== undefined) {
        // Package managers pass on a signal that the terminal has sent us already; somebody who means it waits a moment.
        if (performance.now() - stoppingSince < sameSignalMilliseconds) return
        log.warn({ signal }, 'stopping at once')
        process.exit(1)
      }
      stoppingSince = performance.now()
      log.info({ signal }, 'stopping')
      // A request that never ends must not keep the process: after this it is cut off.
      setTimeout(() => process.exit(1), stopMilliseconds).unref()
      await Promise.all([server.stop(), worker?.stop({ milliseconds: finishMilliseconds }), printing.stop()])
      await db.close()
      process.exit(0)
    }
    // Before the first request can be accepted, so that none is ever cut off.
    process.on('SIGTERM', stop)
    process.on('SIGINT', stop)
    await app.listen({ port: config.port, host: config.host })
    if (config.workers) worker = await startWorker({ db, env, log })

    process.stdout.write(
      greeting({
        url: config.url,
        storage: config.database.startsWith('postgres') ? 'PostgreSQL' : config.database,
        first: first && { token: first.token, password: env.urls.password(first.link) },
        // The server listens already: a database that is away for a moment must not end it.
        sample: config.sample ? await sampleUrl({ db, env }, { only: 'there' }).catch(() => undefined) : undefined,
      }),
    )
    // Not at once: whoever waited for the start comes first.
    if (config.sample)
      setTimeout(publishSample, 150, { db, env, log, tell: (line: string) => process.stdout.write(line) }).unref()
    setTimeout(limitConnections, 1000, app.server, log).unref()
    setTimeout(releaseStartMemory, 2000).unref()
    setTimeout(loadForAssistants, 3000, (error: unknown) =>
      log.warn({ err: error }, 'what answers assistants could not be loaded; they are answered after another start'),
    ).unref()
  },
})

/** Addresses in answers name the port, so that it has to be known before anything is made. */
const freePort = (): Promise<string> =>
  new Promise((resolve, reject) => {
    const server = createServer().once('error', reject)
    server.listen(0, () => {
      const { port } = server.address() as AddressInfo
      server.close(() => resolve(String(port)))
    })
  })

const settings = (): string =>
  `\n\nSettings, from the environment:\n${Object.entries(variables)
    .map(([name, meaning]) => `  ${name}: ${meaning}`)
    .join('\n')}`

/** The largest library that a single request asks for: loaded by a timer, no request holds the others up for it. */
async function loadForAssistants(onError: (error: unknown) => void): Promise<void> {
  try {
    const { prepareMcp } = await import('../site/serve/machines/mcp.ts')
    await yieldLoop()
    await prepareMcp()
  } catch (error) {
    // There may be too many files open. Everything else goes on.
    onError(error)
  }
}

/** Loaded once the server listens: the first request does not wait for it. */
async function startWorker(parts: Pick<WorkerOptions, 'db' | 'env' | 'log'>): Promise<Worker> {
  const [{ jobKinds }, { makeWorker }] = await Promise.all([import('../jobs/index.ts'), import('../jobs/worker.ts')])
  const worker = makeWorker({ ...parts, handlers: jobKinds })
  await worker.start()
  return worker
}

const greeting = ({
  url,
  storage,
  first,
  sample,
}: {
  url: string
  storage: string
  first: { token: string; password: string } | undefined
  sample: string | undefined
}): string =>
  `
  Lectern ${version} is ready.

    Start here     ${url}/
    Sign in        ${url}/signin
${sample === undefined ? '' : `    Sample site    ${sample}\n`}    API            ${url}/v1
    Reference      ${url}/reference
    Storage        ${storage}
${
  first
    ? `
  This is the first start. Set your password here, once, within a day:

    ${first.password}

  Your admin token, shown only now:

    ${first.token}

  Try it:

    curl -H "Authorization: Bearer ${first.token}" ${url}/v1/orgs
`
    : ''
}
`
