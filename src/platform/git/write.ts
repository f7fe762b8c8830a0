/** Makes a commit of changed files and gives it to the repository it is for, if nobody else has moved the branch on. */
import * as fs from 'node:fs'
import { mkdir, open, readFile, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import git, { type TreeEntry } from 'isomorphic-git'
import { within } from '../../core/repository/paths.ts'
import { makeFetch } from '../fetch.ts'
import { type Repository, repositoryOf } from './read.ts'
import { GitRefusal } from './refusal.ts'
import { makeHttp } from './remote.ts'
import type { WriteTask, Written } from './tasks.ts'

export async function write(task: WriteTask): Promise<Written> {
  const at = repositoryOf(task)
  const { parent } = task
  if (task.remote.kind === 'path') await refuseCheckedOut(at, task)
  const oids: Record<string, string> = {}
  const changes: Change[] = []
  for (const { path, storedAt } of task.changes) {
    const oid = storedAt === null ? null : await git.writeBlob({ ...at, blob: await readFile(storedAt) })
    if (oid !== null) oids[path] = oid
    changes.push({ parts: within(task.directory, path).split('/'), oid })
  }
  const before = parent === undefined ? undefined : (await git.readTree({ ...at, oid: parent })).oid
  const tree = (await changeTree(at, before, changes)) ?? (await git.writeTree({ ...at, tree: [] }))
  const give = (oid: string) => (task.remote.kind === 'path' ? moveRef(at, task, oid) : push(at, task, oid))
  const isSame = parent !== undefined && tree === before
  if (
    parent !== undefined &&
    task.since !== undefined &&
    parent !== task.since &&
    !(isSame && (await isOurs(at, task)))
  )
    throw new GitRefusal(
      'conflict',
      `${task.ref} has commits that were not imported. Import them first, or export with \`force\`.`,
    )
  if (isSame) {
    if (task.isBegun) await give(parent)
    return { oid: parent, isNew: false, oids }
  }
  const person = { ...task.author, timestamp: task.time, timezoneOffset: 0 }
  const commit = { tree, parent: parent === undefined ? [] : [parent], author: person, committer: person }
  const oid = await git.writeCommit({ ...at, commit: { ...commit, message: task.message } })
  await give(oid)
  return { oid, isNew: true, oids }
}

/** Whether the branch is at the commit that this very task made before the process ended, and at nothing else. */
async function isOurs(at: Repository, { parent = '', since, message, author }: WriteTask): Promise<boolean> {
  const { commit } = await git.readCommit({ ...at, oid: parent })
  const { name, email } = commit.committer
  const isAfter = commit.parent.length === 1 && commit.parent[0] === since
  return isAfter && commit.message.trim() === message.trim() && name === author.name && email === author.email
}

interface Change {
  parts: string[]
  oid: string | null
}

/** The name of a tree with these changes in it; undefined when it is empty. */
async function changeTree(
  at: Repository,
  before: string | undefined,
  changes: readonly Change[],
): Promise<string | undefined> {
  const entries = new Map<string, TreeEntry>()
  if (before !== undefined)
    for (const entry of (await git.readTree({ ...at, oid: before })).tree) entries.set(entry.path, entry)
  const below = new Map<string, Change[]>()
  for (const { parts, oid } of changes) {
    const [name = '', ...rest] = parts
    const known = entries.get(name)
    if (rest.length > 0) below.set(name, [...(below.get(name) ?? []), { parts: rest, oid }])
    else if (oid === null) {
      if (known?.type === 'blob') entries.delete(name)
    } else if (known && known.type !== 'blob')
      throw new GitRefusal('conflict', `${name} is a folder in the repository, and a file of the space.`)
    else entries.set(name, { mode: known?.mode === '100755' ? known.mode : '100644', path: name, oid, type: 'blob' })
  }
  for (const [name, inner] of below) {
    const known = entries.get(name)
    if (known && known.type !== 'tree') {
      if (inner.every(({ oid }) => oid === null)) continue
      throw new GitRefusal('conflict', `${name} is a file in the repository, and a folder of the space.`)
    }
    const oid = await changeTree(at, known?.oid, inner)
    if (oid === undefined) entries.delete(name)
    else entries.set(name, { mode: '040000', path: name, oid, type: 'tree' })
  }
  return entries.size === 0 ? undefined : git.writeTree({ ...at, tree: [...entries.values()] })
}

async function push(at: Repository, { remote, ref, limits }: WriteTask, oid: string): Promise<void> {
  if (remote.kind !== 'web') return
  const http = makeHttp(remote, { fetch: makeFetch({ allowPrivate: remote.allowPrivate }), limits })
  await git.writeRef({ ...at, ref: 'refs/heads/export', value: oid, force: true })
  const { ok } = await git.push({ ...at, http, remote: 'origin', ref: 'refs/heads/export', remoteRef: ref })
  if (!ok) throw moved(ref)
}

const moved = (ref: string): GitRefusal =>
  new GitRefusal('conflict', `The branch ${ref} was changed meanwhile. Nothing was exported; try again.`)

/** Git does not move a branch under whoever works on it, and neither do we. */
async function refuseCheckedOut(at: Repository, { remote, ref }: WriteTask): Promise<void> {
  if (remote.kind !== 'path' || remote.isBare) return
  if ((await git.currentBranch({ fs: at.fs, gitdir: at.gitdir, fullname: true })) === ref)
    throw new GitRefusal('conflict', `${ref} is checked out there. Export to another branch or to a bare repository.`)
}

/** As git does it: whoever holds the lock file is the one who may change the branch. */
async function moveRef(at: Repository, { ref, parent, isBegun }: WriteTask, oid: string): Promise<void> {
  const file = join(at.gitdir, ref)
  await mkdir(dirname(file), { recursive: true })
  const lock = await open(`${file}.lock`, 'wx').catch((error: NodeJS.ErrnoException) => {
    throw error.code === 'EEXIST' ? moved(ref) : new GitRefusal('invalid_input', 'The repository cannot be written.')
  })
  try {
    const now = await git.resolveRef({ fs, gitdir: at.gitdir, ref }).catch(() => undefined)
    if (now !== (isBegun ? undefined : parent)) throw moved(ref)
    await lock.writeFile(`${oid}\n`)
    await lock.sync()
    await lock.close()
    await rename(`${file}.lock`, file)
  } catch (error) {
    await lock.close().catch(() => {})
    await rm(`${file}.lock`, { force: true })
    throw error
  }
}
