/**
 * Files that can be made again, kept in a folder for a while: by age and by size, the oldest goes first. A file appears
 * whole or not at all; what a crash left half-written is removed with the rest.
 */
import { randomUUID } from 'node:crypto'
import { mkdir, open, readdir, rename, rm, stat, utimes } from 'node:fs/promises'

export interface CachedFiles {
  /** The path of a kept file. Asking for it keeps it longer. */
  find(key: string): Promise<string | undefined>
  put(key: string, bytes: Uint8Array): Promise<string>
}

const keepMilliseconds = 24 * 60 * 60 * 1000
const keepBytes = 2 * 1024 * 1024 * 1024
/** Nobody writes a file for longer than this. */
const writeMilliseconds = 10 * 60 * 1000

export function openCachedFiles(folder: string, { bytes: limit = keepBytes } = {}): CachedFiles {
  const pathOf = (key: string): string => `${folder}/${key}`
  return {
    find: async (key) => {
      const now = new Date()
      try {
        await utimes(pathOf(key), now, now)
        return pathOf(key)
      } catch {
        return undefined
      }
    },
    put: async (key, bytes) => {
      await mkdir(folder, { recursive: true, mode: 0o700 })
      await sweep(folder, limit - bytes.length)
      const partial = pathOf(`${key}.${randomUUID()}.part`)
      const file = await open(partial, 'w', 0o600)
      try {
        await file.writeFile(bytes)
      } finally {
        await file.close()
      }
      await rename(partial, pathOf(key))
      return pathOf(key)
    },
  }
}

async function sweep(folder: string, limit: number): Promise<void> {
  const files = await Promise.all(
    (await readdir(folder)).map(async (name) => {
      const found = await stat(`${folder}/${name}`).catch(() => undefined)
      return {
        path: `${folder}/${name}`,
        isPart: name.endsWith('.part'),
        at: found?.mtimeMs ?? 0,
        size: found?.size ?? 0,
      }
    }),
  )
  const now = Date.now()
  let total = 0
  for (const file of files.sort((a, b) => b.at - a.at)) {
    const age = now - file.at
    const isDead = age > (file.isPart ? writeMilliseconds : keepMilliseconds)
    if (!isDead && total + file.size <= limit) total += file.size
    else await rm(file.path, { force: true })
  }
}
