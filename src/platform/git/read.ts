/** Fetches a commit, or finds it in a repository of this machine, and writes its files out under names of our own. */
import type * as fs from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import git, { Errors } from 'isomorphic-git'
import { configPath, readConfig } from '../../core/repository/config.ts'
import { isForeignFolder, isSafePath, isWithin } from '../../core/repository/paths.ts'
import { cutTo } from '../../core/text.ts'
import { makeFetch } from '../fetch.ts'
import { guardedFs } from './pack.ts'
import { GitRefusal } from './refusal.ts'
import { makeHttp } from './remote.ts'
import type { GitFile, ReadCommit, ReadTask, WriteTask } from './tasks.ts'

export async function read(task: ReadTask): Promise<ReadCommit> {
  const at = repositoryOf(task)
  const found = task.remote.kind === 'web' ? await fetchRef(task) : await findRef(at, task)
  if (!found) return { ref: branchOf(task.ref), isBegun: true, files: [], skipped: [] }
  const { oid, commit } = await git.readCommit({ ...at, oid: found.oid })
  const answer: ReadCommit = {
    commit: { oid, message: cutTo(commit.message, 10_000) },
    ref: found.ref,
    isBegun: found.isBegun,
    files: [],
    skipped: [],
  }
  return task.withFiles ? writeOut(at, task, answer) : answer
}

export interface Repository {
  fs: typeof fs
  gitdir: string
  /** Indexes of packs, kept while the task lasts. */
  cache: object
}

export const repositoryOf = ({ remote, folder }: ReadTask | WriteTask): Repository => ({
  fs: guardedFs,
  gitdir: remote.kind === 'path' ? remote.gitdir : join(folder, 'repository'),
  cache: {},
})

/** `main` and `refs/heads/main` are the same branch. */
const branchOf = (ref: string): string => (ref.startsWith('refs/') ? ref : `refs/heads/${ref}`)

type Found = { oid: string; ref: string; isBegun: boolean }

async function fetchRef(task: ReadTask): Promise<Found | undefined> {
  const { remote, limits, ref, mayBegin } = task
  if (remote.kind !== 'web') return undefined
  const at = repositoryOf(task)
  const http = makeHttp(remote, { fetch: makeFetch({ allowPrivate: remote.allowPrivate }), limits })
  await git.init({ fs: at.fs, gitdir: at.gitdir, dir: at.gitdir, bare: true })
  await git.addRemote({ fs: at.fs, gitdir: at.gitdir, remote: 'origin', url: remote.url })
  const fetchHead = async (name: string): Promise<string | null> => {
    const which = { remote: 'origin', ref: name, remoteRef: name, singleBranch: true, depth: 1, tags: false }
    return (await git.fetch({ ...at, http, ...which })).fetchHead
  }
  let isBegun = false
  const oid = await fetchHead(ref).catch((error: unknown) => {
    isBegun = mayBegin && error instanceof Errors.NotFoundError
    if (!isBegun) throw error
    return fetchHead('HEAD')
  })
  if (oid === null) return refuseEmpty(mayBegin)
  const isTag = ref.startsWith('refs/tags/')
  return { oid, ref: isTag || ref === 'HEAD' ? ref : branchOf(ref), isBegun }
}

async function findRef(at: Repository, { ref, mayBegin }: ReadTask): Promise<Found | undefined> {
  try {
    const full = await git.expandRef({ ...at, ref })
    return { oid: await git.resolveRef({ ...at, ref: full }), ref: full, isBegun: false }
  } catch (error) {
    if ((await git.listBranches(at)).length === 0) return refuseEmpty(mayBegin)
    if (!mayBegin) throw error
    return { oid: await git.resolveRef({ ...at, ref: 'HEAD' }), ref: branchOf(ref), isBegun: true }
  }
}

function refuseEmpty(mayBegin: boolean): undefined {
  if (!mayBegin) throw new GitRefusal('invalid_input', 'The repository has no commit yet.')
  return undefined
}

interface Entry {
  path: string
  oid: string
}

async function writeOut(at: Repository, task: ReadTask, answer: ReadCommit): Promise<ReadCommit> {
  const { directory, folder, limits } = task
  const start = await folderAt(at, answer.commit?.oid ?? '', directory)
  const entries: Entry[] = []
  await walk(at, start, { path: '', depth: 0, entries, skipped: answer.skipped, most: limits.files })
  const wanted = await partOf(at, entries)
  await mkdir(join(folder, 'files'), { recursive: true })
  let bytes = 0
  for (const [number, { path, oid }] of wanted.entries()) {
    const { blob } = await git.readBlob({ ...at, oid })
    bytes += blob.length
    if (bytes > limits.bytes)
      throw new GitRefusal('too_large', `The files are larger than ${Math.round(limits.bytes / 1024 / 1024)} MiB.`)
    const file: GitFile = { path, oid, size: blob.length, storedAt: join(folder, 'files', String(number)) }
    await writeFile(file.storedAt, blob)
    answer.files.push(file)
  }
  return answer
}

async function folderAt(at: Repository, commit: string, directory: string): Promise<string> {
  if (directory === '') return (await git.readTree({ ...at, oid: commit })).oid
  try {
    return (await git.readTree({ ...at, oid: commit, filepath: directory })).oid
  } catch {
    throw new GitRefusal('invalid_input', `There is no folder ${directory} in the repository.`)
  }
}

const deepest = 100

async function walk(
  at: Repository,
  oid: string,
  found: { path: string; depth: number; entries: Entry[]; skipped: ReadCommit['skipped']; most: number },
): Promise<void> {
  const { entries, skipped, most, depth } = found
  if (depth > deepest) throw new GitRefusal('invalid_input', `Folders lie more than ${deepest} deep.`)
  const { tree } = await git.readTree({ ...at, oid })
  for (const entry of tree) {
    const path = found.path === '' ? entry.path : `${found.path}/${entry.path}`
    if (entry.type === 'tree') {
      if (!isForeignFolder(entry.path)) await walk(at, entry.oid, { ...found, path, depth: depth + 1 })
    } else if (entry.type === 'commit') skipped.push({ path, message: 'It is a repository of its own.' })
    else if (entry.mode === '120000') skipped.push({ path, message: 'It is a link, not a file.' })
    else if (!isSafePath(path)) skipped.push({ path, message: 'Its name cannot be that of a file everywhere.' })
    else entries.push({ path, oid: entry.oid })
    if (entries.length > most) throw new GitRefusal('too_large', `There are more than ${most} files.`)
    if (skipped.length > 1000) skipped.length = 1000
  }
}

/** Beside docs in a folder of their own often lies a whole program. */
async function partOf(at: Repository, entries: Entry[]): Promise<Entry[]> {
  const settings = entries.find(({ path }) => path === configPath)
  if (!settings) return entries
  const { blob } = await git.readBlob({ ...at, oid: settings.oid })
  const { root } = readConfig(new TextDecoder().decode(blob.subarray(0, 1024 * 1024)))
  return entries.filter(({ path }) => path === configPath || isWithin(root, path))
}
