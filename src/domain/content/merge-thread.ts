/** The inside of the merge thread: merges one document at a time. */
import { mergeDocuments } from '../../core/merge/documents.ts'
import { answerTasks } from '../../platform/thread-side.ts'

answerTasks((input) => JSON.stringify(mergeDocuments(JSON.parse(String(input))).document))
