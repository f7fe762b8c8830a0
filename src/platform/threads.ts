/**
 * Work that is heavy or whose input is hostile, in threads of its own.
 *
 * Each kind of work is a file `…-thread.ts` that calls `answerTasks` (thread-side.ts); the build makes one script of each.
 * A thread has a cap on memory and each task a deadline. A thread that crashes, runs out of memory or overruns is
 * thrown away with its task, and the next task starts a fresh one: a bad input costs one task, never the process.
 */
import { Worker } from 'node:worker_threads'
import { packageFile } from './assets.ts'
import type { TaskReply } from './thread-side.ts'

export interface ThreadOptions {
  /** The task is killed after this long. */
  milliseconds: number
  /** Heap that the thread may use, in MiB (256); it belongs to the thread, so all tasks of a name should say the same. */
  memory?: number
  signal?: AbortSignal
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

/** Threads of one name at once; more tasks wait their turn. Two, because the smallest machine we serve has two cores. */
const width = 2
/** How many tasks may wait: a longer queue would only make all of them late. */
const depth = 1000
/** A thread without work gives its memory back after this long. */
const idleMilliseconds = 30_000

/** Runs one task in the thread script of that name; the name may also be the path of a script. */
export function runInThread(name: string, input: unknown, options: ThreadOptions): Promise<unknown> {
  let pool = pools.get(name)
  if (!pool) {
    pool = new Pool(name.endsWith('.js') ? name : packageFile(`dist/${name}.js`))
    pools.set(name, pool)
  }
  return pool.run(input, options)
}

const pools = new Map<string, Pool>()

interface Task {
  input: unknown
  options: ThreadOptions
  resolve: (output: unknown) => void
  reject: (error: ThreadError) => void
}

interface Thread {
  worker: Worker
  task: Task | undefined
  timer: NodeJS.Timeout | undefined
}

class Pool {
  readonly #file: string
  readonly #threads = new Set<Thread>()
  #waiting: Task[] = []

  constructor(file: string) {
    this.#file = file
  }

  run(input: unknown, options: ThreadOptions): Promise<unknown> {
    if (this.#waiting.length >= depth) return Promise.reject(new ThreadError('stopped', 'Too many tasks are waiting.'))
    const { signal } = options
    let abandon = (): void => {}
    const done = new Promise<unknown>((resolve, reject) => {
      const task: Task = { input, options, resolve, reject }
      abandon = () => this.#abandon(task)
      signal?.addEventListener('abort', abandon, { once: true })
      this.#waiting.push(task)
      this.#next()
    })
    // One signal may outlive thousands of tasks.
    return signal ? done.finally(() => signal.removeEventListener('abort', abandon)) : done
  }

  #next(): void {
    const idle = [...this.#threads].find((thread) => thread.task === undefined)
    if (!idle && this.#threads.size >= width) return
    const task = this.#waiting.shift()
    if (task) this.#give(idle ?? this.#start(task.options.memory ?? 256), task)
  }

  #give(thread: Thread, task: Task): void {
    clearTimeout(thread.timer)
    thread.task = task
    thread.worker.ref()
    thread.timer = setTimeout(
      () => this.#end(thread, new ThreadError('timeout', `The work took longer than ${task.options.milliseconds} ms.`)),
      task.options.milliseconds,
    )
    thread.worker.postMessage(task.input)
  }

  #start(memory: number): Thread {
    const worker = new Worker(this.#file, { resourceLimits: { maxOldGenerationSizeMb: memory, stackSizeMb: 4 } })
    const thread: Thread = { worker, task: undefined, timer: undefined }
    this.#threads.add(thread)
    worker.on('message', (reply: TaskReply) => this.#answered(thread, reply))
    worker.on('messageerror', () => this.#end(thread, new ThreadError('crashed', 'The result could not be read.')))
    worker.on('error', (error: Error & { code?: string }) =>
      this.#end(
        thread,
        error.code === 'ERR_WORKER_OUT_OF_MEMORY'
          ? new ThreadError('out_of_memory', `The work needed more than ${memory} MiB of memory.`)
          : new ThreadError('crashed', `The thread crashed: ${error.message}`),
      ),
    )
    worker.on('exit', () => this.#end(thread, new ThreadError('crashed', 'The thread ended.')))
    return thread
  }

  #answered(thread: Thread, reply: TaskReply): void {
    const task = thread.task
    clearTimeout(thread.timer)
    thread.task = undefined
    // A thread that answers nobody must not keep the process alive.
    thread.worker.unref()
    thread.timer = setTimeout(() => this.#end(thread, new ThreadError('stopped', '')), idleMilliseconds)
    thread.timer.unref()
    if ('error' in reply) task?.reject(new ThreadError('failed', reply.error))
    else task?.resolve(reply.output)
    this.#next()
  }

  #end(thread: Thread, error: ThreadError): void {
    if (!this.#threads.delete(thread)) return
    clearTimeout(thread.timer)
    thread.worker.terminate().catch(() => {})
    thread.task?.reject(error)
    this.#next()
  }

  #abandon(task: Task): void {
    const stopped = new ThreadError('stopped', 'The work was called off.')
    const running = [...this.#threads].find((thread) => thread.task === task)
    if (running) this.#end(running, stopped)
    if (!this.#waiting.includes(task)) return
    this.#waiting = this.#waiting.filter((other) => other !== task)
    task.reject(stopped)
  }
}
