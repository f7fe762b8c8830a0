/** The inside of a thread that the supervisor feeds: answers its tasks one after the other, in the order they came. */
import { setPriority } from 'node:os'
import { isMainThread, parentPort } from 'node:worker_threads'
import type { CacheFacts, Caches } from '../core/caches.ts'

export type TaskReply = ({ output: unknown } | { error: string }) & { caches?: CacheFacts[] }

/** An output with large bytes in it, which are handed over instead of copied. */
export class Handover {
  readonly output: unknown
  readonly transfer: ArrayBuffer[]

  constructor(output: unknown, bytes: Uint8Array<ArrayBuffer>[]) {
    this.output = output
    this.transfer = bytes.map(({ buffer }) => buffer)
  }
}

/** What the thread caches is told with each answer, for the metrics of the process. */
export function answerTasks(work: (input: unknown) => unknown, { caches }: { caches?: Caches } = {}): void {
  let last: Promise<void> = Promise.resolve()
  parentPort?.on('message', (input: unknown) => {
    last = last.then(async () => {
      const reply = await attempt(work, input)
      if ('output' in reply && reply.output instanceof Handover)
        parentPort?.postMessage({ output: reply.output.output }, reply.output.transfer)
      else parentPort?.postMessage(caches ? { ...reply, caches: factsOf(caches) } : reply)
    })
  })
}

const factsOf = (caches: Caches): CacheFacts[] =>
  caches.list().map(({ name, limit, hits, misses, size, bytes }) => ({ name, limit, hits, misses, size, bytes }))

/**
 * For work that nobody waits for: whoever waits for an answer has the processor first. Linux gives each thread a priority
 * of its own; elsewhere it would be that of the whole process, which is left alone.
 */
export function yieldToOthers(): void {
  if (isMainThread || process.platform !== 'linux') return
  try {
    setPriority(0, 10)
  } catch {
    // Where the system does not let us, the thread competes like any other.
  }
}

async function attempt(work: (input: unknown) => unknown, input: unknown): Promise<TaskReply> {
  try {
    return { output: await work(input) }
  } catch (error) {
    return { error: error instanceof Error ? error.message : String(error) }
  }
}
