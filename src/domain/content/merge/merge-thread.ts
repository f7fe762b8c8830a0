/** The inside of the merge thread: merges or compares one document at a time. */
import { diffDocuments } from '../../../core/diff/documents.ts'
import { mergeDocuments } from '../../../core/merge/documents.ts'
import { answerTasks } from '../../../threads/answer-tasks.ts'
import type { MergeTask } from './merge-aside.ts'

answerTasks((input) => {
  const task = input as MergeTask
  if ('diff' in task) return JSON.stringify(diffDocuments(JSON.parse(task.diff.before), JSON.parse(task.diff.after)))
  const { base, ours, theirs } = task.merge
  const documents = { base: JSON.parse(base), ours: JSON.parse(ours), theirs: JSON.parse(theirs) }
  return JSON.stringify(mergeDocuments(documents).document)
})
