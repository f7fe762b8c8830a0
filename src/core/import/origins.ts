/**
 * Where an import comes from, by name: what one origin brought is changed and removed by that origin alone.
 *
 * A folder is known by its name, not by where it lies: a build checks it out elsewhere each time. A folder whose name is
 * new is an earlier one all the same when most of its texts are, byte for byte, what that one brought at the same paths:
 * it was moved, renamed, or exported and is on its way back.
 */
import type { GitBlob } from '../revision/records.ts'

/** What is synchronised with a repository; records that have a git path and no origin are its. */
export const repositoryOrigin = 'repository'

const folderPrefix = 'folder '

export const folderOrigin = (name: string): string => `${folderPrefix}${name}`

export interface Originated {
  origin?: string | undefined
  git?: GitBlob | undefined
}

/** Whether a record was made by an import of this origin. */
export function isOwn({ origin, git }: Originated, of: string): boolean {
  return origin === undefined ? git !== undefined && of === repositoryOrigin : origin === of
}

/** Whether the path and object id of a record are those of a file in a repository; other sources have only something alike. */
export const isFromGit = ({ origin }: Originated): boolean =>
  origin === undefined || origin === repositoryOrigin || origin.startsWith(folderPrefix)

/** The origin itself, or the earlier one that a folder of another name continues. */
export function continuedOrigin(
  origin: string,
  texts: ReadonlyMap<string, { oid: string }>,
  records: readonly Originated[],
): string {
  if (!origin.startsWith(folderPrefix) || records.some((record) => isOwn(record, origin))) return origin
  const same = new Map<string, number>()
  for (const record of records) {
    const { git } = record
    if (git === undefined || texts.get(git.path)?.oid !== git.oid) continue
    const earlier = record.origin ?? repositoryOrigin
    same.set(earlier, (same.get(earlier) ?? 0) + 1)
  }
  const [most] = [...same].sort(([, a], [, b]) => b - a)
  return most !== undefined && most[1] * 2 > texts.size ? most[0] : origin
}
