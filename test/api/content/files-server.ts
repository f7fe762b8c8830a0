/** A whole server in a process of its own, whose memory and event loop can be watched: see files-stream.test.ts. */
import type { AddressInfo } from 'node:net'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { setUp } from '../../../src/domain/setup.ts'
import { makeServer } from '../../../src/http/serve.ts'
import { open } from '../../../src/open.ts'
import { readConfig } from '../../../src/platform/config.ts'
import { makeLog } from '../../../src/platform/log.ts'

const config = readConfig(process.env)
const { db, env } = await open(config)
const first = await setUp(db, env, { email: config.adminEmail, token: config.adminToken })
const { app } = await makeServer({ db, env, log: makeLog('error'), rateLimit: 0 })

const delay = monitorEventLoopDelay({ resolution: 5 })
delay.enable()
let peak = 0
setInterval(() => {
  peak = Math.max(peak, process.memoryUsage.rss())
}, 5).unref()

/** What was seen since the last look. */
app.get('/watched', async () => {
  const seen = {
    peak: Math.max(peak, process.memoryUsage.rss()),
    rss: process.memoryUsage.rss(),
    delay: delay.max / 1e6,
  }
  peak = 0
  delay.reset()
  return seen
})

await app.listen({ port: 0, host: '127.0.0.1' })
console.log(`port ${(app.server.address() as AddressInfo).port} ${first?.organization}`)
