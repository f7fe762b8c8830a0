/** The inside of the thread that writes heavy pages: one after another. */
import { answerTasks } from '../../threads/answer-tasks.ts'
import type { RenderTask } from './aside.ts'
import { renderBody } from './body.ts'
import { highlightHere } from './highlight.ts'

highlightHere()

answerTasks((input) => {
  const { document, ...rest } = input as RenderTask
  return renderBody({ ...rest, document: JSON.parse(document) })
})
