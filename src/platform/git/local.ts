/** Repositories of this machine: only below the folders that the operator named, whatever links lead there. */
import { realpath, stat } from 'node:fs/promises'
import { join, sep } from 'node:path'
import type { GitRemote } from './tasks.ts'

/** The repository at a path; undefined when it is none, or elsewhere, which is not told apart. */
export async function findLocal(path: string, roots: readonly string[]): Promise<GitRemote | undefined> {
  const real = await realpath(path).catch(() => undefined)
  if (real === undefined) return undefined
  const allowed = await Promise.all(roots.map((root) => realpath(root).catch(() => undefined)))
  if (!allowed.some((root) => root !== undefined && (real === root || real.startsWith(root + sep)))) return undefined
  // A `.git` that is a file, as worktrees have it, leads elsewhere.
  if (await isFolder(join(real, '.git', 'objects'))) return { kind: 'path', gitdir: join(real, '.git'), isBare: false }
  if (await isFolder(join(real, 'objects'))) return { kind: 'path', gitdir: real, isBare: true }
  return undefined
}

const isFolder = (path: string): Promise<boolean> =>
  stat(path).then(
    (info) => info.isDirectory(),
    () => false,
  )
