/** Brings in what a repository has changed since the last time. */
import { createReadStream } from 'node:fs'
import { fail } from '../../core/errors.ts'
import { repositoryOrigin } from '../../core/import/origins.ts'
import type { ImportedFile, ImportProblem } from '../../core/import/tree.ts'
import { gitOfRevision, type Synced, syncedBefore } from '../../domain/git/operation.ts'
import { noSteps } from '../../domain/import/apply.ts'
import { type CommittedImport, importTree } from '../../domain/import/commit.ts'
import { readRepository } from '../../domain/import/read-repository.ts'
import { readCommit } from '../../platform/git/tasks.ts'
import { findRevision } from '../../store/content/revisions.ts'
import { findSpace } from '../../store/content/spaces.ts'
import { type GitRun, tellSuccess, unlessProblem } from './run.ts'

/** Failures that are kept of one import. */
const mostFailures = 200

export async function importFromRepository(run: GitRun): Promise<void> {
  const { job, operation, synced, remote, folder, limits, row } = run
  const { repository, force, standalone } = operation
  const task = { kind: 'read' as const, remote, ref: repository.ref, folder, directory: repository.directory, limits }
  const found = unlessProblem(
    await readCommit(job.db.threads, { ...task, mayBegin: false, withFiles: true }, job.signal),
  )
  const { commit } = found
  if (!commit) throw fail('invalid_input', 'The repository has no commit yet.')
  const known = syncedBefore(synced, repository, commit.oid)
  const now: Omit<Synced, 'revision'> = {
    repository,
    commit: { ...commit, createdByService: known?.commit.oid === commit.oid && known.commit.createdByService },
    timestamp: operation.timestamp ?? known?.timestamp,
  }
  if (known?.commit.oid === commit.oid && !force && !standalone) {
    await job.finish(async (tx) => {
      const space = await findSpace(tx, { id: row.spaceId })
      const end = { synced: { ...now, revision: known.revision }, revision: null }
      if (space) await tellSuccess(run, { ...run.base, db: tx }, { ...end, organizationId: space.organizationId })
    })
    return
  }
  const tree = await readTree(run, found)
  const since = known && !force ? await findRevision(job.db, { id: known.revision, spaceId: row.spaceId }) : undefined
  await importTree(run.base, { space: row.spaceId }, tree, {
    remove: 'own',
    steps: { ...noSteps, tell: (problem) => tellProblem(operation, problem) },
    since: since && { revision: since.id, content: since.content },
    git: JSON.stringify(gitOfRevision(now)),
    standalone,
    commit: (work, options) =>
      job.finish(async (tx): Promise<CommittedImport> => {
        const committed = await work(tx)
        const { revision, common } = committed
        const space = await findSpace(tx, { id: row.spaceId })
        await tellSuccess(
          run,
          { ...run.base, db: tx, now: new Date().toISOString() },
          {
            synced: standalone ? undefined : { ...now, revision: common },
            revision: revision.id,
            organizationId: space?.organizationId ?? '',
          },
        )
        return committed
      }, options),
  })
}

function tellProblem(operation: GitRun['operation'], { path, message }: ImportProblem): void {
  const isKnown = operation.failures.some((failure) => failure.resource === path && failure.message === message)
  if (!isKnown && operation.failures.length < mostFailures) operation.failures.push({ resource: path, message })
}

type Found = Exclude<Awaited<ReturnType<typeof readCommit>>, { problem: unknown }>

async function readTree({ operation, job, limits }: GitRun, { files, skipped }: Found) {
  const given = files.map(
    ({ path, size, storedAt }): ImportedFile => ({ path, size, open: () => createReadStream(storedAt) }),
  )
  const pages = given.filter(({ path }) => /\.(md|mdx|markdown)$/i.test(path)).length
  const most = job.env.imports.limits.pages
  if (pages > most) throw fail('invalid_input', `There are ${pages} pages; an import takes at most ${most}.`)
  const began = performance.now()
  const tree = await readRepository(given, {
    threads: job.db.threads,
    origin: repositoryOrigin,
    onRead: () => {
      job.signal.throwIfAborted()
      if (performance.now() - began > limits.milliseconds)
        throw fail('invalid_input', `The import took longer than ${Math.round(limits.milliseconds / 1000)} seconds.`)
    },
  })
  // What a wrong folder does not hold must not be taken for deleted.
  if (tree.texts.size === 0) throw fail('invalid_input', 'There is no Markdown in the repository.')
  operation.failures = [
    ...skipped.map(({ path, message }) => ({ resource: path, message })),
    ...tree.problems.map(({ path, line, message }) => ({
      resource: line === undefined ? path : `${path}:${line}`,
      message,
    })),
  ].slice(0, mostFailures)
  return tree
}
