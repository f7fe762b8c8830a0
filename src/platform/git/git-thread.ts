/** The inside of the thread that reads and writes repositories. */
import { Errors } from 'isomorphic-git'
import { answerTasks } from '../../threads/answer-tasks.ts'
import { read } from './read.ts'
import { GitRefusal } from './refusal.ts'
import type { GitProblem, GitTask, ReadCommit, Written } from './tasks.ts'
import { write } from './write.ts'

answerTasks(async (input): Promise<ReadCommit | Written | GitProblem> => {
  const task = input as GitTask
  try {
    return await (task.kind === 'read' ? read(task) : write(task))
  } catch (error) {
    return { problem: problemOf(error, task) }
  }
})

/** Sentences of our own: what the library says may quote what a hostile server sent. */
function problemOf(error: unknown, { ref }: GitTask): GitProblem['problem'] {
  if (error instanceof GitRefusal) return { code: error.code, message: error.message }
  if (error instanceof Errors.NotFoundError)
    return { code: 'invalid_input', message: `The repository has no branch or tag ${ref}, or not all that it names.` }
  if (error instanceof Errors.PushRejectedError || error instanceof Errors.GitPushError)
    return { code: 'conflict', message: `The branch ${ref} was changed meanwhile, or does not take what is pushed.` }
  if (error instanceof Errors.SmartHttpError || error instanceof Errors.RemoteCapabilityError)
    return { code: 'invalid_input', message: 'What is at that address is no Git repository that can be read.' }
  return {
    code: 'invalid_input',
    message: 'The repository cannot be read: it is damaged, or of a kind that is not known here.',
  }
}
