/**
 * The kinds of work that threads do, with their limits. Each is the script of a file `<kind>-thread.ts` (the build makes
 * dist/<kind>.js of it) that calls `answerTasks`.
 */
export interface ThreadKind {
  /** The name of a script in dist/, or the path of one. */
  script: string
  /** Threads at once; more tasks wait. Two at most, because the smallest machine we serve has two cores. */
  threads: number
  /** A task that takes longer is ended with its thread; none for work that is ours and bounded elsewhere. */
  milliseconds?: number
  /** Heap of a thread in MiB; as much as Node gives it, unless said. */
  memory?: number
  /** How many tasks may wait: a longer queue would only make all of them late. */
  waiting: number
  /** Tasks that a thread holds at once: the next is there when one is done, without waiting for the event loop. */
  ahead?: number
  /** A thread without work gives its memory back after this long; unless said, it stays, because it is slow to warm up. */
  idleMilliseconds?: number
}

/** Reads what strangers wrote, and may need much memory once. */
const hostile = { threads: 2, memory: 768, waiting: 1000, idleMilliseconds: 30_000 }

export const threadKinds = {
  markdown: { script: 'markdown', ...hostile, milliseconds: 15_000 },
  /** Large bodies of requests. */
  json: { script: 'json', ...hostile, threads: 1, milliseconds: 15_000, waiting: 200 },
  merge: { script: 'merge', ...hostile, milliseconds: 30_000 },
  openapi: { script: 'openapi', ...hostile, milliseconds: 30_000 },
  import: { script: 'import', ...hostile, milliseconds: 60_000 },
  /** Texts of Markdown, many at once; beside it, another core is for who waits. */
  texts: { script: 'texts', ...hostile, threads: 1, milliseconds: 60_000, ahead: 2 },
  /** Repositories; each task has a deadline of its own. */
  git: { script: 'git', ...hostile, memory: 1024 },
  /** Heavy pages of sites. */
  render: { script: 'render', threads: 1, milliseconds: 15_000, memory: 256, waiting: 1000 },
  /**
   * Code on pages of sites. A grammar that is read for the first time on a busy machine takes seconds; one that hangs takes
   * for ever.
   */
  highlight: { script: 'highlight', threads: 1, milliseconds: 15_000, waiting: 20_000, ahead: 50 },
  /** Slow questions to SQLite; one thread for each open database, with a connection of its own. */
  reader: { script: 'reader', threads: 1, waiting: 20_000, ahead: 50 },
} satisfies Record<string, ThreadKind>
