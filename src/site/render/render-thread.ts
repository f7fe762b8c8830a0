/** The inside of the thread that writes heavy pages: one after another. */
import { parentPort } from 'node:worker_threads'
import type { AsideReply, AsideRequest } from './aside.ts'
import { renderBody } from './body.ts'
import { highlightHere } from './highlight.ts'

highlightHere()
let last: Promise<unknown> = Promise.resolve()

parentPort?.on('message', ({ id, input, document }: AsideRequest) => {
  last = last.then(async () => {
    const body = await renderBody({ ...input, document: JSON.parse(document) }).catch(() => undefined)
    const reply: AsideReply = { id, body }
    parentPort?.postMessage(reply)
  })
})
