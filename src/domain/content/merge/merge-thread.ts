/** The inside of the merge thread: merges or compares one document at a time. */
import { diffDocuments } from '../../../core/diff/documents.ts'
import { mergeDocuments } from '../../../core/merge/documents.ts'
import { answerTasks } from '../../../threads/answer-tasks.ts'
import type { MergeTask } from './merge-aside.ts'

answerTasks((input) => {
  const task: MergeTask = JSON.parse(String(input))
  if ('merge' in task) return JSON.stringify(mergeDocuments(task.merge).document)
  return JSON.stringify(diffDocuments(task.diff.before, task.diff.after))
})
