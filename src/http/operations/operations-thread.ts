/** The inside of the thread that answers `/healthz`, `/readyz` and `/metrics` at their own address. */
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { parentPort, workerData } from 'node:worker_threads'
import type { OperationsAnswer, OperationsMessage, OperationsQuestion, OperationsStart } from './server.ts'

/** A loop that has not turned for so long is stuck, and not only busy. */
const stuckMilliseconds = 30_000
const answerMilliseconds = 10_000
const mostWaiting = 100

const { host, port, beat } = workerData as OperationsStart
const times = new BigInt64Array(beat)
const waiting = new Map<number, (answer: OperationsAnswer) => void>()
let questions = 0

const tell = (message: OperationsMessage): void => parentPort?.postMessage(message)

parentPort?.on('message', ({ id, ...answer }: OperationsAnswer & { id: number }) => {
  waiting.get(id)?.(answer)
  waiting.delete(id)
})

const server = createServer(async (request, response) => {
  const path = (request.url ?? '').split('?')[0] ?? ''
  if (request.method !== 'GET' && request.method !== 'HEAD') return sendReadOnly(response)
  if (path === '/healthz') return send(response, health())
  if (path === '/readyz' || path === '/metrics') return send(response, await ask(path))
  send(response, plain(404, 'Here are /healthz, /readyz and /metrics.'))
})
server.requestTimeout = answerMilliseconds
server.on('error', (error) => tell({ failed: error.message }))
server.listen(port, host, () => tell({ listening: (server.address() as AddressInfo).port }))

function health(): OperationsAnswer {
  const late = Date.now() - Number(Atomics.load(times, 0))
  if (late > stuckMilliseconds)
    return plain(503, `The event loop has not turned for ${Math.round(late / 1000)} seconds.`)
  return { status: 200, type: 'application/json; charset=utf-8', body: '{"status":"ok"}' }
}

function ask(path: OperationsQuestion['path']): Promise<OperationsAnswer> {
  if (waiting.size >= mostWaiting) return Promise.resolve(plain(503, 'The process is busy.'))
  const id = ++questions
  return new Promise((resolve) => {
    const timer = setTimeout(() => {
      waiting.delete(id)
      resolve(plain(503, `The process did not answer within ${answerMilliseconds / 1000} seconds.`))
    }, answerMilliseconds)
    waiting.set(id, (answer) => {
      clearTimeout(timer)
      resolve(answer)
    })
    tell({ id, path })
  })
}

const plain = (status: number, sentence: string): OperationsAnswer => ({
  status,
  type: 'text/plain; charset=utf-8',
  body: `${sentence}\n`,
})

function sendReadOnly(response: ServerResponse): void {
  response.setHeader('allow', 'GET, HEAD')
  send(response, plain(405, 'This is for reading.'))
}

function send(response: ServerResponse, { status, type, body }: OperationsAnswer): void {
  response.writeHead(status, { 'content-type': type, 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' })
  response.end(body)
}
