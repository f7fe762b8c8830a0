/**
 * `/healthz`, `/readyz` and `/metrics` at an address of their own (`LECTERN_METRICS=host:port`), answered from a thread.
 *
 * The thread has nothing else to do, so `/healthz` does not wait behind any work: it says whether the event loop of the
 * process has turned within the last seconds. For the other two it asks the process, and says 503 when that does not
 * answer in time.
 */
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { Worker } from 'node:worker_threads'
import type { Registry } from 'prom-client'

export interface OperationsAnswer {
  status: number
  type: string
  body: string
}

export interface OperationsParts {
  host: string
  port: number
  registry: Registry
  /** Throws when the process cannot serve. */
  checkReady: () => Promise<void>
}

/** What the thread is started with. `beat` is when the event loop of the process last turned, in milliseconds. */
export interface OperationsStart {
  host: string
  port: number
  beat: SharedArrayBuffer
}

export type OperationsQuestion = { id: number; path: '/readyz' | '/metrics' }
export type OperationsMessage = OperationsQuestion | { listening: number } | { failed: string }

export interface OperationsServer {
  port: number
  stop(): Promise<void>
}

const beatMilliseconds = 250

/** Resolves when the address is taken; rejects with a sentence when it cannot be. */
export async function startOperations(parts: OperationsParts): Promise<OperationsServer> {
  const beat = new SharedArrayBuffer(8)
  const times = new BigInt64Array(beat)
  const note = (): void => void Atomics.store(times, 0, BigInt(Date.now()))
  note()
  const timer = setInterval(note, beatMilliseconds).unref()
  const start: OperationsStart = { host: parts.host, port: parts.port, beat }
  const worker = new Worker(scriptOf(), { workerData: start })
  worker.unref()
  const stop = async (): Promise<void> => {
    clearInterval(timer)
    await worker.terminate()
  }
  const port = await new Promise<number>((resolve, reject) => {
    worker.on('error', reject)
    worker.on('message', async (message: OperationsMessage) => {
      if ('listening' in message) return resolve(message.listening)
      if ('failed' in message) return reject(new Error(`LECTERN_METRICS cannot be served: ${message.failed}.`))
      worker.postMessage({ id: message.id, ...(await answer(parts, message.path)) })
    })
  }).catch(async (error) => {
    await stop()
    throw error
  })
  return { port, stop }
}

async function answer({ registry, checkReady }: OperationsParts, path: string): Promise<OperationsAnswer> {
  try {
    if (path === '/metrics') return { status: 200, type: registry.contentType, body: await registry.metrics() }
    await checkReady()
    return { status: 200, type: 'application/json; charset=utf-8', body: '{"status":"ready"}' }
  } catch (error) {
    return {
      status: 503,
      type: 'text/plain; charset=utf-8',
      body: `${error instanceof Error ? error.message : error}\n`,
    }
  }
}

/** Bundled, the script lies beside this file; unbundled, the sources are TypeScript, and the built script is used. */
function scriptOf(): string {
  const beside = fileURLToPath(new URL('./operations.js', import.meta.url))
  return existsSync(beside) ? beside : fileURLToPath(new URL('../../../dist/operations.js', import.meta.url))
}
