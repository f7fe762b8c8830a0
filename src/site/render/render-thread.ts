/** The inside of the thread that writes heavy pages: one after another. */
import type { SpecPart } from '../../core/openapi/part.ts'
import { answerTasks } from '../../threads/answer-tasks.ts'
import type { RenderTask } from './aside.ts'
import { renderBody } from './body.ts'
import { highlightHere } from './highlight.ts'

highlightHere()

answerTasks((input) => {
  const { document, specs, ...rest } = input as RenderTask
  return renderBody({ ...rest, document: JSON.parse(document), specs: new Map<string, SpecPart>(JSON.parse(specs)) })
})
