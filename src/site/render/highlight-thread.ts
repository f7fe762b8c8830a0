/** The inside of the highlighting thread: answers one block after another. */
import { parentPort } from 'node:worker_threads'
import type { HighlightReply, HighlightRequest } from './highlight.ts'
import { tokenize } from './tokenize.ts'

let last: Promise<unknown> = Promise.resolve()

parentPort?.on('message', (request: HighlightRequest) => {
  last = last.then(async () => {
    const found = await tokenize(request.code, request.language).catch(() => undefined)
    const reply: HighlightReply = { id: request.id, found }
    parentPort?.postMessage(reply)
  })
})
