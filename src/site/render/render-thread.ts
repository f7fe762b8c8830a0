/** The inside of the thread that writes heavy pages: one after another. */
import { parentPort } from 'node:worker_threads'
import type { SpecPart } from '../../core/openapi/part.ts'
import type { AsideReply, AsideRequest } from './aside.ts'
import { renderBody } from './body.ts'
import { highlightHere } from './highlight.ts'

highlightHere()
let last: Promise<unknown> = Promise.resolve()

parentPort?.on('message', ({ id, input, document, specs }: AsideRequest) => {
  last = last.then(async () => {
    const whole = { ...input, document: JSON.parse(document), specs: new Map<string, SpecPart>(JSON.parse(specs)) }
    const body = await renderBody(whole).catch(() => undefined)
    const reply: AsideReply = { id, body }
    parentPort?.postMessage(reply)
  })
})
