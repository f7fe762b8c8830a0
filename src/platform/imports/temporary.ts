/** Folders for what an import fetches and unpacks: gone when it ends, and swept when its process was killed. */
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const prefix = 'lectern-import-'

export const makeTemporaryFolder = (): Promise<string> => mkdtemp(join(tmpdir(), prefix))

/** Longer than any import may take. */
const oldest = 2 * 60 * 60 * 1000

/** Removes what was left behind; how many folders it was. */
export async function sweepTemporaryFolders(now: Date): Promise<number> {
  let removed = 0
  for (const name of await readdir(tmpdir())) {
    if (!name.startsWith(prefix)) continue
    const path = join(tmpdir(), name)
    const info = await stat(path).catch(() => undefined)
    if (!info?.isDirectory() || now.getTime() - info.mtimeMs < oldest) continue
    await rm(path, { recursive: true, force: true })
    removed++
  }
  return removed
}
