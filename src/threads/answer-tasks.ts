/** The inside of a thread that the supervisor feeds: answers its tasks one after the other, in the order they came. */
import { parentPort } from 'node:worker_threads'

export type TaskReply = { output: unknown } | { error: string }

export function answerTasks(work: (input: unknown) => unknown): void {
  let last: Promise<void> = Promise.resolve()
  parentPort?.on('message', (input: unknown) => {
    last = last.then(async () => parentPort?.postMessage(await attempt(work, input)))
  })
}

async function attempt(work: (input: unknown) => unknown, input: unknown): Promise<TaskReply> {
  try {
    return { output: await work(input) }
  } catch (error) {
    return { error: error instanceof Error ? error.message : String(error) }
  }
}
