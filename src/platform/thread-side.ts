/** The inside of a thread that `runInThread` talks to: takes one task at a time and answers it. */
import { parentPort } from 'node:worker_threads'

export type TaskReply = { output: unknown } | { error: string }

export function answerTasks(work: (input: unknown) => unknown): void {
  parentPort?.on('message', async (input: unknown) => {
    parentPort?.postMessage(await attempt(work, input))
  })
}

async function attempt(work: (input: unknown) => unknown, input: unknown): Promise<TaskReply> {
  try {
    return { output: await work(input) }
  } catch (error) {
    return { error: error instanceof Error ? error.message : String(error) }
  }
}
