/**
 * Work that is heavy or whose input is hostile, in threads: this is the only place that starts, feeds, times out, ends and
 * replaces them. What kinds there are, and their limits, stands in kinds.ts.
 *
 * 1. A thread that crashes, runs out of memory or overruns is thrown away with the task it was working on; what was waiting
 *    in it goes to another. A bad input costs one task, never the process.
 * 2. The deadline of a task begins when its thread begins it.
 * 3. A thread without a task does not keep the process alive.
 */
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { type TransferListItem, Worker } from 'node:worker_threads'
import type { CacheFacts } from '../core/caches.ts'
import type { TaskReply } from './answer-tasks.ts'
import type { ThreadKind } from './kinds.ts'

export interface TaskOptions {
  /** Another deadline than that of its kind. */
  milliseconds?: number
  signal?: AbortSignal
  /** What of the input is handed over instead of copied; only for kinds whose threads hold one task at once. */
  transfer?: readonly TransferListItem[]
}

export type ThreadErrorCode = 'timeout' | 'crashed' | 'out_of_memory' | 'stopped' | 'failed'

export class ThreadError extends Error {
  override name = 'ThreadError'
  /** `failed`: the task itself threw, with this message. */
  readonly code: ThreadErrorCode

  constructor(code: ThreadErrorCode, message: string) {
    super(message)
    this.code = code
  }
}

interface Task {
  input: unknown
  options: TaskOptions
  resolve: (output: unknown) => void
  reject: (error: ThreadError) => void
}

interface Thread {
  worker: Worker
  /** The first is being worked on. */
  tasks: Task[]
  timer: NodeJS.Timeout | undefined
  /** Of one that is about to end: what it answered before that is still on its way. */
  failure: ThreadError | undefined
  /** As of its last answer. */
  caches: readonly CacheFacts[]
}

export interface ThreadCounts {
  threads: number
  /** Tasks that are being worked on, and those that wait for a thread. */
  running: number
  waiting: number
}

/** The threads of one kind. `workerData` is what each of them is started with. */
export class ThreadPool {
  readonly #kind: ThreadKind
  readonly #workerData: unknown
  readonly #threads = new Set<Thread>()
  #waiting: Task[] = []

  constructor(kind: ThreadKind, workerData?: unknown) {
    this.#kind = kind
    this.#workerData = workerData
  }

  run(input: unknown, options: TaskOptions = {}): Promise<unknown> {
    if (this.#waiting.length >= this.#kind.waiting)
      return Promise.reject(new ThreadError('stopped', 'Too many tasks are waiting.'))
    const { signal } = options
    let abandon = (): void => {}
    const done = new Promise<unknown>((resolve, reject) => {
      const task: Task = { input, options, resolve, reject }
      abandon = () => this.#abandon(task)
      signal?.addEventListener('abort', abandon, { once: true })
      this.#waiting.push(task)
      this.#feed()
    })
    // One signal may outlive thousands of tasks.
    return signal ? done.finally(() => signal.removeEventListener('abort', abandon)) : done
  }

  /** What it has to do at this moment, for the metrics. */
  get counts(): ThreadCounts {
    let running = 0
    let waiting = this.#waiting.length
    for (const { tasks } of this.#threads) {
      if (tasks.length > 0) running += 1
      waiting += Math.max(0, tasks.length - 1)
    }
    return { threads: this.#threads.size, running, waiting }
  }

  /** What its threads cache, for the metrics. */
  get caches(): CacheFacts[] {
    return [...this.#threads].flatMap(({ caches }) => caches)
  }

  /** Ends all threads, and with them what they were working on. */
  async close(): Promise<void> {
    const workers = [...this.#threads].map(({ worker }) => worker)
    const stopped = new ThreadError('stopped', 'The threads are closed.')
    for (const task of this.#waiting.splice(0)) task.reject(stopped)
    for (const thread of [...this.#threads]) {
      for (const task of thread.tasks.splice(1)) task.reject(stopped)
      this.#end(thread, stopped)
    }
    await Promise.all(workers.map((worker) => worker.terminate()))
  }

  #feed(): void {
    while (this.#waiting.length > 0) {
      const thread = this.#freest()
      const task = thread && this.#waiting.shift()
      if (!thread || !task) return
      thread.tasks.push(task)
      thread.worker.ref()
      thread.worker.postMessage(task.input, task.options.transfer ?? [])
      if (thread.tasks.length === 1) this.#time(thread, task)
    }
  }

  /** An idle thread, or a new one while there may be more, or the one that holds the fewest tasks. */
  #freest(): Thread | undefined {
    let freest: Thread | undefined
    for (const thread of this.#threads)
      if (!thread.failure && (!freest || thread.tasks.length < freest.tasks.length)) freest = thread
    if (freest?.tasks.length === 0) return freest
    if (this.#threads.size < this.#kind.threads) return this.#start()
    return freest && freest.tasks.length < (this.#kind.ahead ?? 1) ? freest : undefined
  }

  #time(thread: Thread, { options }: Task): void {
    clearTimeout(thread.timer)
    const milliseconds = options.milliseconds ?? this.#kind.milliseconds
    if (milliseconds === undefined) return
    const late = () => this.#end(thread, new ThreadError('timeout', `The work took longer than ${milliseconds} ms.`))
    thread.timer = setTimeout(late, milliseconds)
  }

  #start(): Thread {
    const { script, memory } = this.#kind
    const worker = new Worker(scriptOf(script), {
      workerData: this.#workerData,
      resourceLimits: { stackSizeMb: 4, ...(memory === undefined ? {} : { maxOldGenerationSizeMb: memory }) },
    })
    const thread: Thread = { worker, tasks: [], timer: undefined, failure: undefined, caches: [] }
    this.#threads.add(thread)
    worker.on('message', (reply: TaskReply) => this.#answered(thread, reply))
    worker.on('messageerror', () => this.#end(thread, new ThreadError('crashed', 'The result could not be read.')))
    worker.on('error', (error: Error & { code?: string }) => {
      thread.failure =
        error.code === 'ERR_WORKER_OUT_OF_MEMORY'
          ? new ThreadError('out_of_memory', `The work needed more than ${memory} MiB of memory.`)
          : new ThreadError('crashed', `The thread crashed: ${error.message}`)
    })
    // Comes after all that the thread has answered, which an error may overtake: only now it is known what it was working on.
    worker.on('exit', () => this.#end(thread, thread.failure ?? new ThreadError('crashed', 'The thread ended.')))
    return thread
  }

  #answered(thread: Thread, reply: TaskReply): void {
    const task = thread.tasks.shift()
    const [next] = thread.tasks
    thread.caches = reply.caches ?? []
    if (next) this.#time(thread, next)
    else this.#rest(thread)
    if ('error' in reply) task?.reject(new ThreadError('failed', reply.error))
    else task?.resolve(reply.output)
    this.#feed()
  }

  #rest(thread: Thread): void {
    clearTimeout(thread.timer)
    thread.worker.unref()
    if (this.#kind.idleMilliseconds === undefined) return
    thread.timer = setTimeout(() => this.#end(thread, new ThreadError('stopped', '')), this.#kind.idleMilliseconds)
    thread.timer.unref()
  }

  /** The task that was being worked on fails; the others of the thread have not begun, and go to another. */
  #end(thread: Thread, error: ThreadError): void {
    if (!this.#threads.delete(thread)) return
    clearTimeout(thread.timer)
    thread.worker.terminate().catch(() => {})
    const [task, ...others] = thread.tasks
    this.#waiting.unshift(...others)
    task?.reject(error)
    this.#feed()
  }

  #abandon(task: Task): void {
    const stopped = new ThreadError('stopped', 'The work was called off.')
    const thread = [...this.#threads].find(({ tasks }) => tasks.includes(task))
    // What waits in a thread cannot be taken back from it; its answer is for nobody.
    if (thread?.tasks[0] === task) this.#end(thread, stopped)
    this.#waiting = this.#waiting.filter((other) => other !== task)
    task.reject(stopped)
  }
}

/** The built script of a thread: beside the bundle, or in dist/ when the sources run unbundled (tests). */
function scriptOf(name: string): string {
  if (name.endsWith('.js')) return name
  const beside = fileURLToPath(new URL(`./${name}.js`, import.meta.url))
  return existsSync(beside) ? beside : fileURLToPath(new URL(`../../dist/${name}.js`, import.meta.url))
}
