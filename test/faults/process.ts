/** The built server as a process of its own: real sockets, real signals, real disk. */
import { type ChildProcess, spawn } from 'node:child_process'
import { createServer } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { CallFailed, type Client, makeClient, type Transport } from '../../src/client/client.ts'
import { httpTransport } from '../../src/client/http.ts'

export const adminToken = 'lct_test_token_of_the_admin_0123456789'

export interface Running {
  url: string
  process: ChildProcess
  /** Milliseconds from the start of the process to its first 200. */
  startedIn: number
  /** One that is told to come back later does so; `turnedAway` counts how often. */
  client(token?: string): Client
  turnedAway(): number
  /** Sends a signal and waits for the end; its exit code, or the signal that ended it. */
  end(signal: NodeJS.Signals): Promise<number | string | null>
  output(): string
}

export interface StartOptions {
  location: string
  folder: string
  env?: Record<string, string>
  /** The command line to run; this repository's unless another is given. */
  main?: string
  /** How many files it may have open. */
  openFiles?: number
}

// A test that fails half-way must not leave a server behind.
const running = new Set<ChildProcess>()
process.once('exit', () => {
  for (const child of running) child.kill('SIGKILL')
})

const ownMain = fileURLToPath(new URL('../../bin/lectern.js', import.meta.url))

export async function startProcess({
  location,
  folder,
  env = {},
  main = ownMain,
  openFiles,
}: StartOptions): Promise<Running> {
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const started = performance.now()
  const command = openFiles === undefined ? [] : ['sh', '-c', `ulimit -n ${openFiles}; exec "$@"`, 'sh']
  const [program = '', ...args] = [...command, process.execPath, main, 'serve']
  const child = spawn(program, args, {
    env: {
      PATH: process.env.PATH,
      PORT: String(port),
      DATABASE_URL: location,
      LECTERN_DATA: folder,
      LECTERN_ADMIN_TOKEN: adminToken,
      LECTERN_METRICS: adminToken,
      LECTERN_LOG_LEVEL: 'error',
      LECTERN_SAMPLE: 'false',
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let turnedAway = 0
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (bytes) => (output += bytes))
  const ended = new Promise<number | string | null>((resolve) =>
    child.once('exit', (code, signal) => resolve(code ?? signal)),
  )
  running.add(child)
  child.once('exit', () => running.delete(child))
  await untilReady(url, child, () => output)
  return {
    url,
    process: child,
    startedIn: performance.now() - started,
    client: (token = adminToken) =>
      makeClient(patient(httpTransport({ url, token, timeout: 60_000 }), () => (turnedAway += 1))),
    turnedAway: () => turnedAway,
    end: (signal) => {
      child.kill(signal)
      return ended
    },
    output: () => output,
  }
}

/**
 * Whether the clock says something about us: where Node alone takes long to start, others have the machine.
 * Tests then still check what happens, and leave out how soon.
 */
export async function isCalm(): Promise<boolean> {
  const started = performance.now()
  const child = spawn(process.execPath, ['-e', ''])
  await new Promise((resolve) => child.once('exit', resolve))
  const isCalm = performance.now() - started < 150
  if (!isCalm) console.log('The machine is busy: times are not checked.')
  return isCalm
}

/** A server on a machine that is busy with other things may ask to come back. */
const patient =
  (transport: Transport, onTurnedAway: () => void): Transport =>
  async (call) => {
    for (let attempt = 1; ; attempt++) {
      try {
        return await transport(call)
      } catch (error) {
        if (!(error instanceof CallFailed) || error.type !== 'overloaded' || attempt === 50) throw error
        onTurnedAway()
        await sleep(200)
      }
    }
  }

async function untilReady(url: string, child: ChildProcess, output: () => string): Promise<void> {
  const until = performance.now() + 60_000
  while (performance.now() < until) {
    if (child.exitCode !== null) throw new Error(`The server ended with ${child.exitCode}:\n${output()}`)
    try {
      if ((await fetch(`${url}/readyz`)).status === 200) return
    } catch {
      await sleep(10)
    }
  }
  child.kill('SIGKILL')
  throw new Error(`The server was not ready after 60 s:\n${output()}`)
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer()
    probe.once('error', reject)
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address()
      probe.close(() => resolve(typeof address === 'object' && address ? address.port : 0))
    })
  })
}
