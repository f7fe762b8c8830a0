/**
 * A run of an import, for the person who asked for it.
 *
 * The source is read into a tree, and the tree is applied in one transaction with the end of the run: a process that is
 * killed leaves the content as it was, and the run begins again elsewhere. What was stored ahead of that transaction
 * hangs on nothing, and the sweep takes it.
 */

import { z } from 'zod'
import { importRemovals } from '../../core/enumerations.ts'
import { type ApiError, fail } from '../../core/errors.ts'
import { folderOrigin } from '../../core/import/origins.ts'
import { cutTo } from '../../core/text.ts'
import { actAsUserId } from '../../domain/act-as.ts'
import type { Steps } from '../../domain/import/apply.ts'
import { importTree } from '../../domain/import/commit.ts'
import { readUploadUrl } from '../../domain/import/runs.ts'
import type { Connection } from '../../store/database.ts'
import { beginRun, findImportRun, type ImportRunRow, noteProgress, updateImportRun } from '../../store/imports/runs.ts'
import { failureOf, isFinal } from '../failure.ts'
import { defineJob, type JobRun } from '../kinds.ts'
import { type ReadSource, readSource } from './read-source.ts'

const Payload = z.object({
  run: z.string(),
  remove: z.enum(importRemovals).default('own'),
  strict: z.boolean().default(false),
  origin: z.string().optional(),
})
type Run = JobRun<z.output<typeof Payload>>

/** Failures that are kept of one run. */
const mostFailures = 1000

class Cancelled extends Error {
  override name = 'Cancelled'
}

export const importJob = defineJob({
  payload: Payload,
  // A run has a limit of its own, which it tells in a sentence.
  milliseconds: 60 * 60 * 1000,
  attempts: 3,
  async run(job) {
    const row = await findImportRun(job.db, { id: job.payload.run })
    if (!row || (row.status !== 'pending' && row.status !== 'in-progress')) return
    const failures: { resource: string; message: string }[] = []
    try {
      await runImport(job, row, failures)
    } catch (error) {
      if (error instanceof Cancelled) return
      if (!isFinal(error)) throw error
      await job.finish((tx) => tellFailure(tx, row.id, error, failures))
    }
  },
  async failed(tx, { id, payload }, error) {
    await tellFailure(tx, payload.run, failureOf('import', error, id), [])
  },
})

async function runImport(
  job: Run,
  row: ImportRunRow,
  failures: { resource: string; message: string }[],
): Promise<void> {
  const { db, env } = job
  const { limits } = env.imports
  const base = await actAsUserId({ db, env }, row.createdBy, job.id)
  if (!base) throw fail('forbidden', 'Who asked for the import has no account any more.')
  if (!(await beginRun(db, { id: row.id, updatedAt: new Date().toISOString() })))
    throw new Cancelled('The run was called off.')
  const watch = watchRun(job, row)
  const onFailure = (resource: string, message: string): void => {
    if (failures.length < mostFailures) failures.push({ resource: cutTo(resource, 500), message })
  }
  let read: ReadSource | undefined
  try {
    read = await readSource({
      source: row.source,
      url: row.url,
      origin: job.payload.origin === undefined ? originOf(row) : folderOrigin(job.payload.origin),
      fetch: env.fetch,
      threads: db.threads,
      blobs: env.blobs,
      allowPrivate: env.git.allowPrivate,
      limits,
      signal: watch.signal,
      onProgress: (done, total) => watch.progress(done / 2, total),
      onFailure,
    })
    const tree = { ...read.tree, isOriginGiven: job.payload.origin !== undefined }
    if (job.payload.strict && failures.length > 0)
      throw fail('invalid_input', 'The archive has problems, and nothing was imported.')
    const total = tree.texts.size + tree.files.length + failures.length
    const unread = new Set(tree.unread)
    const target = { space: row.spaceId, changeRequest: row.changeRequestId ?? undefined }
    await importTree(base, target, tree, {
      remove: job.payload.remove,
      steps: stepsOf(watch, total, ({ path, line, message }) => {
        if (job.payload.strict) throw fail('invalid_input', `${path}: ${message}`)
        if (unread.has(path)) return
        unread.add(path)
        onFailure(line === undefined ? path : `${path}:${line}`, message)
      }),
      commit: async (work, options) => {
        watch.throwIfOver()
        return job.finish(async (tx) => {
          const current = await findImportRun(tx, { id: row.id })
          if (current?.status !== 'in-progress') throw new Cancelled('The run was called off.')
          const committed = await work(tx)
          const imported = tree.texts.size - unread.size + tree.files.length
          await updateImportRun(tx, row.id, {
            status: 'completed',
            importedResources: imported,
            totalResources: imported + failures.length,
            failures: JSON.stringify(failures),
            revisionId: committed.revision.id,
            updatedAt: new Date().toISOString(),
          })
          return committed
        }, options)
      },
    })
  } catch (error) {
    throw watch.reason() ?? error
  } finally {
    watch.stop()
    await read?.close()
  }
}

/** What came from one address is one source, also when it comes again; what follows the path is often a passing key. */
const originOf = ({ source, url }: ImportRunRow): string => {
  const upload = readUploadUrl(url)
  // An archive is the folder it was made of.
  if (upload)
    return source === 'zip' || source === 'markdown'
      ? folderOrigin(upload.name.replace(/\.zip$/i, ''))
      : `upload ${upload.name}`
  return `${source} ${url.replace(/[?#].*$/s, '')}`
}

interface Watch {
  signal: AbortSignal
  progress(done: number, total: number): void
  throwIfOver(): void
  /** Why the work was stopped, if it was. */
  reason(): Error | undefined
  stop(): void
}

/** Tells how far the run has come, a few times a second, and stops it when it is called off or takes too long. */
function watchRun(job: Run, row: ImportRunRow): Watch {
  const { milliseconds } = job.env.imports.limits
  const abort = new AbortController()
  let reason: Error | undefined
  const stop = (error: Error): void => {
    reason ??= error
    abort.abort(reason)
  }
  const began = performance.now()
  const late = (): void => {
    if (performance.now() - began > milliseconds)
      stop(
        fail(
          'invalid_input',
          `The import took longer than ${Math.round(milliseconds / 1000)} seconds. Import less at once.`,
        ),
      )
  }
  let latest = { done: 0, total: 0 }
  const timer = setInterval(() => {
    late()
    const progress = {
      id: row.id,
      importedResources: Math.floor(latest.done),
      totalResources: Math.floor(latest.total),
      updatedAt: new Date().toISOString(),
    }
    noteProgress(job.db, progress).then(
      (isOn) => {
        if (!isOn) stop(new Cancelled('The run was called off.'))
      },
      () => {},
    )
  }, 400)
  const onAbort = (): void => abort.abort(job.signal.reason)
  job.signal.addEventListener('abort', onAbort, { once: true })
  return {
    signal: abort.signal,
    progress: (done, total) => {
      latest = { done, total }
    },
    throwIfOver: () => {
      late()
      if (reason) throw reason
    },
    reason: () => reason,
    stop: () => {
      clearInterval(timer)
      job.signal.removeEventListener('abort', onAbort)
    },
  }
}

/** Reading is the first half of the work, and making pages of what was read the second. */
function stepsOf(watch: Watch, total: number, tell: NonNullable<Steps['tell']>): Steps {
  let done = 0
  return {
    tell,
    begin: () => watch.throwIfOver(),
    advance: (count) => {
      watch.throwIfOver()
      done += count
      watch.progress(Math.min(total, total / 2 + done / 2), total)
    },
  }
}

const tellFailure = (tx: Connection, id: string, error: ApiError, failures: readonly object[]): Promise<unknown> =>
  updateImportRun(tx, id, {
    status: 'failed',
    errorCode: error.code,
    error: cutTo(error.message, 1000),
    failures: JSON.stringify(failures),
    updatedAt: new Date().toISOString(),
  })
