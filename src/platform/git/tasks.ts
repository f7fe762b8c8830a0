/**
 * Repositories, read and written in a thread: packs are unpacked and indexed there, because they come from anyone and take
 * long. The thread fetches by the guarded fetch alone, and never runs a program.
 */
import type { ErrorCode } from '../../core/errors.ts'
import { ThreadError } from '../../threads/pool.ts'
import type { Threads } from '../../threads/supervisor.ts'

/** Where a repository is. */
export type GitRemote =
  /** `url` carries no credentials; `authorization` is the header that does. */
  | { kind: 'web'; url: string; authorization?: string | undefined; allowPrivate: boolean }
  /** The folder of a bare repository, or the `.git` of another. */
  | { kind: 'path'; gitdir: string; isBare: boolean }

export interface GitLimits {
  /** All that is fetched, and all that is read of it. */
  bytes: number
  files: number
  milliseconds: number
}

export interface ReadTask {
  kind: 'read'
  remote: GitRemote
  ref: string
  /** An empty folder, for what is fetched and unpacked. */
  folder: string
  /** The folder within the repository whose files are wanted; empty for all. */
  directory: string
  limits: GitLimits
  /** Whether it is for a branch that may not be there yet: begun from the commit that the repository shows, if it has one. */
  mayBegin: boolean
  /** Whether the files are written out; otherwise only the commit is looked up. */
  withFiles: boolean
}

export interface GitFile {
  /** From `directory`. */
  path: string
  oid: string
  size: number
  /** Where its bytes were written. */
  storedAt: string
}

export interface ReadCommit {
  /** Absent when the repository is empty. */
  commit?: { oid: string; message: string } | undefined
  /** The full name of the branch or tag. */
  ref: string
  /** The branch is not there yet, and would begin with this commit. */
  isBegun: boolean
  files: GitFile[]
  skipped: { path: string; message: string }[]
}

export interface WriteTask {
  kind: 'write'
  remote: GitRemote
  /** The full name of a branch. */
  ref: string
  /** The folder that a `read` of the same repository was given. */
  folder: string
  directory: string
  limits: GitLimits
  /** The commit the branch is at, or begins with; absent when there is none. */
  parent?: string | undefined
  isBegun: boolean
  /** The commit that was imported or exported last: nothing is written over others that came since. Absent for whatever is there. */
  since?: string | undefined
  /** Files by path from `directory`: where their bytes are, or null for those that go. */
  changes: { path: string; storedAt: string | null }[]
  message: string
  author: { name: string; email: string }
  /** Seconds since the epoch. */
  time: number
}

export interface Written {
  /** The parent when nothing differs. */
  oid: string
  isNew: boolean
  /** The names git gives the files that were written, by path. */
  oids: Record<string, string>
}

export interface GitProblem {
  problem: { code: ErrorCode; message: string }
}

export type GitTask = ReadTask | WriteTask

export const readCommit = (threads: Threads, task: ReadTask, signal: AbortSignal): Promise<ReadCommit | GitProblem> =>
  run<ReadCommit>(threads, task, signal)

export const writeCommit = (threads: Threads, task: WriteTask, signal: AbortSignal): Promise<Written | GitProblem> =>
  run<Written>(threads, task, signal)

async function run<Of>(threads: Threads, task: GitTask, signal: AbortSignal): Promise<Of | GitProblem> {
  try {
    return (await threads.run('git', task, { milliseconds: task.limits.milliseconds, signal })) as Of | GitProblem
  } catch (error) {
    if (!(error instanceof ThreadError) || error.code === 'stopped') throw error
    return { problem: { code: 'invalid_input', message: sentenceOf(error, task.limits) } }
  }
}

function sentenceOf({ code }: ThreadError, { milliseconds }: GitLimits): string {
  if (code === 'timeout') return `The repository was not read within ${Math.round(milliseconds / 1000)} seconds.`
  if (code === 'out_of_memory') return 'The repository needs more memory than is given to one.'
  return 'The repository cannot be read: it is damaged, or of a kind that is not known here.'
}
