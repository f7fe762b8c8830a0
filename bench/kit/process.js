// A process under measurement: started on a temporary folder, asked for its CPU time and memory, stopped by its pid.
import { spawn } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { nodeOptions } from './node-options.js'

const here = fileURLToPath(new URL('../..', import.meta.url))
export const token = 'lct_benchbenchbenchbenchbench'

/** CPU seconds that the threads of a process have used: the scheduler's own count, to the nanosecond. */
export function cpuSeconds(pid) {
  let nanoseconds = 0
  for (const task of readdirSync(`/proc/${pid}/task`)) {
    try {
      nanoseconds += Number(readFileSync(`/proc/${pid}/task/${task}/schedstat`, 'utf8').split(' ')[0])
    } catch {
      // The thread ended while we looked.
    }
  }
  return nanoseconds / 1e9
}

export const residentMegabytes = (pid) =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))[1]) / 1024

/** Bytes this process had written to disk. */
export const writtenBytes = (pid) => Number(/write_bytes: (\d+)/.exec(readFileSync(`/proc/${pid}/io`, 'utf8'))[1])

const probe = new URL('loop-probe.js', import.meta.url).href

/** Of this build, or of the one in `root`. With `probed`, `longestTurn()` tells how long the event loop was held at a stretch since the last time it was asked. */
export async function startLectern({ env = {}, folder = temporaryFolder(), probed = false, root = here } = {}) {
  const port = await freePort()
  const started = performance.now()
  const options = [...nodeOptions(root), ...(probed ? ['--import', probe] : [])]
  const child = spawn(process.execPath, [...options, join(root, 'bin/lectern.js'), 'serve'], {
    env: {
      ...process.env,
      PORT: String(port),
      LECTERN_DATA: folder,
      LECTERN_RATE_LIMIT: '0',
      LECTERN_SAMPLE: 'false',
      LECTERN_LOG_LEVEL: 'error',
      LECTERN_ADMIN_TOKEN: token,
      LECTERN_METRICS: token,
      ...env,
    },
    stdio: ['ignore', 'ignore', 'inherit', ...(probed ? ['ipc'] : [])],
  })
  const url = `http://127.0.0.1:${port}`
  await answers(`${url}/readyz`)
  const startMilliseconds = performance.now() - started
  const stop = async ({ keep = false } = {}) => {
    child.kill('SIGTERM')
    await new Promise((resolve) => child.once('exit', resolve))
    if (!keep) rmSync(folder, { recursive: true, force: true })
  }
  const longestTurn = () =>
    new Promise((resolve) => {
      child.once('message', resolve)
      child.send('loop')
    })
  return { url, pid: child.pid, folder, startMilliseconds, stop, longestTurn }
}

const temporaryFolder = () => mkdtempSync(join(tmpdir(), 'lectern-bench-'))

/** Bare node:http that sends the same bytes: the floor everything is held against. */
export async function startFloor(body, { headers = {}, database } = {}) {
  const port = await freePort()
  const child = spawn(process.execPath, [fileURLToPath(new URL('floor.js', import.meta.url)), String(port)], {
    stdio: ['pipe', 'ignore', 'inherit'],
  })
  child.stdin.end(JSON.stringify({ body: Buffer.from(body).toString('base64'), headers, database }))
  const url = `http://127.0.0.1:${port}/`
  await answers(url)
  return {
    url,
    pid: child.pid,
    stop: async () => {
      child.kill()
      await new Promise((resolve) => child.once('exit', resolve))
    },
  }
}

async function answers(url) {
  for (let i = 0; i < 2000; i++) {
    try {
      if ((await fetch(url)).status < 500) return
    } catch {}
    await sleep(5)
  }
  throw new Error(`${url} does not answer.`)
}

const freePort = () =>
  new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address()
      server.close(() => resolve(port))
    })
  })
