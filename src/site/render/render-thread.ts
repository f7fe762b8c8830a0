/** The inside of the thread that writes heavy pages: one after another. */
import { Caches } from '../../core/caches.ts'
import type { SpecPart } from '../../core/openapi/part.ts'
import { answerTasks } from '../../threads/answer-tasks.ts'
import type { RenderTask } from './aside.ts'
import { renderBody } from './body.ts'

/** Of this thread alone: what it wrote before it need not highlight again. */
const caches = new Caches({ bytes: 256 * 1024 * 1024 })

answerTasks((input) => {
  const { document, specs, ...rest } = input as RenderTask
  const page = { ...rest, document: JSON.parse(document), specs: new Map<string, SpecPart>(JSON.parse(specs)) }
  return renderBody(page, { caches })
})
