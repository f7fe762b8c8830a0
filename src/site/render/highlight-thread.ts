/** The inside of the highlighting thread: answers one block after another. */
import { answerTasks } from '../../threads/answer-tasks.ts'
import type { HighlightTask } from './highlight.ts'
import { tokenize } from './tokenize.ts'

answerTasks((input) => {
  const { code, language } = input as HighlightTask
  return tokenize(code, language)
})
