/** The inside of the highlighting thread: answers one block after another. */
import { tokenize } from '../../theme/tokenize.ts'
import { answerTasks } from '../../threads/answer-tasks.ts'
import type { HighlightTask } from './highlight.ts'

answerTasks((input) => {
  const { code, language } = input as HighlightTask
  return tokenize(code, language)
})
