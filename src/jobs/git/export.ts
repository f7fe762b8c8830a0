/**
 * Commits what a space has changed since its repository said the same.
 *
 * The content of then and the content of now are both laid out as a repository; only files in which the two differ are
 * written, so that what nobody touched stays as its author wrote it, byte for byte.
 */
import { createWriteStream } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { fail } from '../../core/errors.ts'
import { isOwn, repositoryOrigin } from '../../core/import/origins.ts'
import { type Content, isSameContent, putFiles, putPages, putReusable } from '../../core/revision/content.ts'
import { entries } from '../../core/revision/map.ts'
import type { FileRecord, GitBlob, PageRecord, ReusableRecord } from '../../core/revision/records.ts'
import { commitMain, storeBeside } from '../../domain/content/write/commit.ts'
import { gitOfRevision, type Synced, syncedBefore } from '../../domain/git/operation.ts'
import { StalePreparation } from '../../domain/handler.ts'
import { named } from '../../domain/named.ts'
import { type Export, type ExportedFile, exportRepository } from '../../domain/repository/export.ts'
import { readCommit, type Written, writeCommit } from '../../platform/git/tasks.ts'
import { type ContentReader, type ContentWriter, openContent, readContent } from '../../store/content/content.ts'
import { contentHash } from '../../store/content/content-hash.ts'
import { findRevision, type RevisionRow } from '../../store/content/revisions.ts'
import { TimeSlices } from '../../store/time-slices.ts'
import { type GitRun, tellSuccess, unlessProblem } from './run.ts'

export async function exportToRepository(run: GitRun): Promise<void> {
  const { job, operation, synced, remote, folder, limits, row, base } = run
  const { repository, force, commitMessage = 'Update docs' } = operation
  const task = { remote, ref: repository.ref, folder, directory: repository.directory, limits }
  const head = unlessProblem(
    await readCommit(job.db.threads, { kind: 'read', ...task, mayBegin: true, withFiles: false }, job.signal),
  )
  if (!head.ref.startsWith('refs/heads/')) throw fail('invalid_input', `${repository.ref} is no branch.`)
  const space = await named(base, 'space', row.spaceId, { ability: 'edit' })
  const exported = await findRevision(job.db, { id: space.revisionId, spaceId: space.id })
  if (!exported) throw fail('not_found', 'The content of the space is gone.')
  const known = syncedBefore(synced, repository, head.commit?.oid)
  const before = known && (await findRevision(job.db, { id: known.revision, spaceId: space.id }))
  const { changes, layout } = await changesBetween(run, before, exported)
  const written = unlessProblem(
    await writeCommit(
      job.db.threads,
      {
        kind: 'write',
        ...task,
        ref: head.ref,
        parent: head.commit?.oid,
        isBegun: head.isBegun,
        since: force ? undefined : known?.commit.oid,
        changes,
        message: commitMessage,
        author: { name: base.actor.user.displayName, email: base.actor.user.email },
        time: Math.floor(Date.now() / 1000),
      },
      job.signal,
    ),
  )
  const isOurs = written.isNew || (known?.commit.oid === written.oid && known.commit.createdByService)
  const message = written.isNew ? commitMessage : (head.commit?.message ?? commitMessage)
  const commit = { oid: written.oid, message, createdByService: isOurs }
  await settle(run, exported, { written, layout, now: { repository, commit, timestamp: operation.timestamp } })
}

type Layout = Export['layout']
interface Changed {
  changes: { path: string; storedAt: string | null }[]
  layout: Layout
}

async function changesBetween(
  { job, folder }: GitRun,
  before: RevisionRow | undefined,
  now: RevisionRow,
): Promise<Changed> {
  const { db, env } = job
  const open = ({ content }: RevisionRow): Promise<Export> =>
    exportRepository({ db, reader: readContent(db), blobs: env.blobs }, content)
  const slices = new TimeSlices()
  const known = new Map<string, string>()
  if (before) {
    const { files, layout, summary } = await open(before)
    const absent = await pathsNotThere(readContent(db), before.content, layout)
    // The table of contents of the repository does not name them.
    if (absent.size > 0) absent.add(summary)
    for await (const file of files) {
      if (!absent.has(file.path)) known.set(file.path, nameOf(file))
      job.signal.throwIfAborted()
      await slices.next()
    }
  }
  const { files, layout } = await open(now)
  const changes: Changed['changes'] = []
  await mkdir(join(folder, 'export'), { recursive: true })
  for await (const file of files) {
    const isSame = known.get(file.path) === nameOf(file)
    known.delete(file.path)
    if (!isSame) {
      const storedAt = join(folder, 'export', String(changes.length))
      await pipeline(typeof file.content === 'string' ? [file.content] : file.content, createWriteStream(storedAt))
      changes.push({ path: file.path, storedAt })
    }
    job.signal.throwIfAborted()
    await slices.next()
  }
  return { changes: [...changes, ...[...known.keys()].map((path) => ({ path, storedAt: null }))], layout }
}

/** Where things would lie that the space had before it had a repository: that both have much in common does not say that they are there. */
async function pathsNotThere(reader: ContentReader, content: Content, layout: Layout): Promise<Set<string>> {
  const pathsOf = async <Of extends { id: string; git?: GitBlob; origin?: string }>(
    map: Content['pages'] | Content['files'] | Content['reusable'],
    paths: ReadonlyMap<string, string>,
  ): Promise<string[]> =>
    (await entries<Of>(reader, map)).flatMap(([, record]) =>
      isOwn(record, repositoryOrigin) ? [] : (paths.get(record.id) ?? []),
    )
  return new Set([
    ...(await pathsOf<PageRecord>(content.pages, layout.pages)),
    ...(await pathsOf<FileRecord>(content.files, layout.files)),
    ...(await pathsOf<ReusableRecord>(content.reusable, layout.reusable)),
  ])
}

const nameOf = ({ content, hash }: ExportedFile): string =>
  hash ?? (typeof content === 'string' ? contentHash(content) : '')

/** Notes which file each thing is now, and that both sides say the same. */
async function settle(
  run: GitRun,
  exported: RevisionRow,
  { written, layout, now }: { written: Written; layout: Layout; now: Omit<Synced, 'revision'> },
): Promise<void> {
  const { job, row, base } = run
  const git = JSON.stringify(gitOfRevision(now))
  for (let attempt = 1; ; attempt++) {
    const writer = openContent(job.db)
    const common = await withGit(writer, exported.content, { written, layout })
    const { revisionId } = await named(base, 'space', row.spaceId, { ability: 'edit' })
    const head = await findRevision(job.db, { id: revisionId, spaceId: row.spaceId })
    if (!head) throw fail('not_found', 'The content of the space is gone.')
    const isHead = head.id === exported.id
    const content = isHead ? common : await withGit(writer, head.content, { written, layout })
    try {
      await job.finish(
        async (tx) => {
          const inside = { ...base, db: tx, now: new Date().toISOString() }
          const space = await named(inside, 'space', row.spaceId, { ability: 'edit' })
          if (space.revisionId !== head.id) throw new StalePreparation('The content has moved on.')
          const next = { writer, before: head, content, type: 'edits' as const, git }
          const beside = { ...next, before: exported, content: common }
          const same = isSameContent(common, exported.content)
          const aside = isHead ? undefined : same ? exported : await storeBeside(inside, space, beside)
          const made = isSameContent(head.content, content) ? undefined : await commitMain(inside, space, next)
          const revision = aside?.id ?? made?.id ?? exported.id
          const end = { synced: { ...now, revision }, revision: made?.id ?? null }
          await tellSuccess(run, inside, { ...end, organizationId: space.organizationId })
        },
        { lock: row.spaceId },
      )
      return
    } catch (error) {
      if (!(error instanceof StalePreparation) || attempt === 5) throw error
    }
  }
}

/** The content whose records say in which files of the repository they are now. */
async function withGit(
  writer: ContentWriter,
  content: Content,
  { written, layout }: { written: Written; layout: Layout },
): Promise<Content> {
  const changed = async <Of extends { id: string; git?: GitBlob; origin?: string }>(
    map: Content['pages'] | Content['files'] | Content['reusable'],
    paths: ReadonlyMap<string, string>,
  ): Promise<{ before: Of; after: Of }[]> =>
    (await entries<Of>(writer, map)).flatMap(([, before]) => {
      const path = paths.get(before.id)
      const oid = path === undefined ? undefined : written.oids[path]
      if (path === undefined || oid === undefined) return []
      if (before.git?.oid === oid && before.git.path === path && before.origin === undefined) return []
      const { origin: _, ...rest } = before
      // Only the origin is left out, which is optional.
      return [{ before, after: { ...rest, git: { oid, path } } as unknown as Of }]
    })
  const puts = <Of extends { id: string }>(list: readonly { after: Of }[]): Map<string, Of> =>
    new Map(list.map(({ after }) => [after.id, after]))
  const withPages = await putPages(writer, content, await changed<PageRecord>(content.pages, layout.pages))
  const withFiles = await putFiles(writer, withPages, puts(await changed<FileRecord>(content.files, layout.files)))
  const reusable = await changed<ReusableRecord>(content.reusable, layout.reusable)
  return putReusable(writer, withFiles, puts(reusable))
}
