/**
 * Blobs in a folder beside SQLite: `<folder>/ab/cdef…`, named by their hash.
 *
 * A put writes to `tmp/` while it hashes, syncs the file, renames it to its place and syncs the folder, so that a name
 * that exists always has all its bytes, also after a power cut. A delete goes through `trash/`: a put that comes at the
 * same moment from another process is seen there by the file's time, and the blob goes back to its place.
 */
import { createHash, randomUUID } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { type FileHandle, mkdir, open, readdir, rename, rm, stat, unlink, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { abandonedMilliseconds, type BlobStore, type ByteRange, isBlobHash, type StoredBlob } from '../core/blobs.ts'
import { ApiError, fail } from '../core/errors.ts'

/** A backup says this often that it still holds the blobs; one that has been silent for longer was killed. */
const holdMilliseconds = 30_000
const heldMilliseconds = 4 * holdMilliseconds

export function openBlobFolder(folder: string): BlobStore {
  const pathOf = (hash: string) => join(folder, hash.slice(0, 2), hash.slice(2))
  const temporary = join(folder, 'tmp')
  const trash = join(folder, 'trash')
  const holds = join(folder, 'holds')

  return {
    async put(source, { limit }) {
      await mkdir(temporary, { recursive: true, mode: 0o700 })
      const draft = join(temporary, randomUUID())
      try {
        const blob = await writeDraft(draft, source, limit)
        await settle(folder, draft, pathOf(blob.hash))
        return blob
      } catch (error) {
        throw translate(error)
      } finally {
        await rm(draft, { force: true })
      }
    },

    async open(hash, range = {}) {
      const size = await sizeOf(pathOf(hash), hash)
      if (size === undefined) return undefined
      return readRange(pathOf(hash), range, size)
    },

    size: (hash) => sizeOf(pathOf(hash), hash),

    async delete(hash, { putBefore } = {}) {
      if (!isBlobHash(hash) || (await isHeld(holds))) return false
      await mkdir(trash, { recursive: true, mode: 0o700 })
      const path = pathOf(hash)
      const discarded = join(trash, hash)
      try {
        if (putBefore && (await stat(path)).mtime >= putBefore) return false
        await rename(path, discarded)
        if (putBefore && (await stat(discarded)).mtime >= putBefore) {
          await rename(discarded, path)
          return false
        }
        await unlink(discarded)
        return true
      } catch (error) {
        if (isMissing(error)) return false
        throw translate(error)
      }
    },

    async *list() {
      for (const prefix of await names(folder)) {
        if (!/^[0-9a-f]{2}$/.test(prefix)) continue
        for (const rest of await names(join(folder, prefix))) {
          const size = await sizeOf(pathOf(prefix + rest), prefix + rest)
          if (size !== undefined) yield { hash: prefix + rest, size }
        }
      }
    },

    async hold() {
      await mkdir(holds, { recursive: true, mode: 0o700 })
      const file = join(holds, randomUUID())
      await writeFile(file, '')
      const renew = setInterval(() => utimes(file, new Date(), new Date()).catch(() => {}), holdMilliseconds)
      renew.unref()
      return async () => {
        clearInterval(renew)
        await rm(file, { force: true })
      }
    },

    async sweepTemporary({ olderThanMilliseconds = abandonedMilliseconds } = {}) {
      const removed = await removeOlder(temporary, olderThanMilliseconds)
      await removeOlder(holds, Math.max(olderThanMilliseconds, heldMilliseconds))
      // A delete that was killed half-way: the blob goes back, and the next sweep decides anew.
      for (const hash of await names(trash)) {
        if (isBlobHash(hash)) await settle(folder, join(trash, hash), pathOf(hash)).catch(ignoreMissing)
      }
      return removed
    },
  }
}

async function writeDraft(draft: string, source: AsyncIterable<Uint8Array>, limit: number): Promise<StoredBlob> {
  const sha = createHash('sha256')
  let size = 0
  const file = await open(draft, 'wx', 0o600)
  try {
    for await (const bytes of source) {
      size += bytes.length
      if (size > limit) throw fail('too_large', `The file is larger than ${limit} bytes.`)
      sha.update(bytes)
      await writeAll(file, bytes)
    }
    await file.sync()
  } finally {
    await file.close()
  }
  return { hash: sha.digest('hex'), size }
}

async function writeAll(file: FileHandle, bytes: Uint8Array): Promise<void> {
  for (let done = 0; done < bytes.length; ) done += (await file.write(bytes, done)).bytesWritten
}

/** Gives the draft its name; when the blob is there already, only makes it young. */
async function settle(folder: string, draft: string, path: string): Promise<void> {
  const parent = join(path, '..')
  const now = new Date()
  const known = await utimes(path, now, now).then(() => true, ignoreMissing)
  if (known) {
    await rm(draft, { force: true })
    return
  }
  const created = await mkdir(parent, { recursive: true, mode: 0o700 })
  await rename(draft, path)
  await syncFolder(parent)
  if (created !== undefined) await syncFolder(folder)
}

async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

async function* readRange(path: string, { start = 0, end }: ByteRange, size: number): AsyncGenerator<Uint8Array> {
  const last = Math.min(end ?? size - 1, size - 1)
  if (start > last) return
  if (last - start < pieceBytes) yield await readPiece(path, start, last - start + 1)
  else for await (const bytes of createReadStream(path, { start, end: last, highWaterMark: pieceBytes })) yield bytes
}

const pieceBytes = 256 * 1024

/** At once: a stream takes a whole piece for itself, however short its file is. */
async function readPiece(path: string, start: number, length: number): Promise<Uint8Array> {
  const bytes = Buffer.allocUnsafe(length)
  const file = await open(path, 'r')
  try {
    let done = 0
    for (let read = -1; done < length && read !== 0; done += read)
      read = (await file.read(bytes, done, length - done, start + done)).bytesRead
    return bytes.subarray(0, done)
  } finally {
    await file.close()
  }
}

async function sizeOf(path: string, hash: string): Promise<number | undefined> {
  if (!isBlobHash(hash)) return undefined
  try {
    return (await stat(path)).size
  } catch (error) {
    if (isMissing(error)) return undefined
    throw translate(error)
  }
}

async function isHeld(holds: string): Promise<boolean> {
  for (const name of await names(holds)) {
    const info = await stat(join(holds, name)).catch(ignoreMissing)
    if (info && info.mtimeMs > Date.now() - heldMilliseconds) return true
  }
  return false
}

async function removeOlder(folder: string, milliseconds: number): Promise<number> {
  let removed = 0
  for (const name of await names(folder)) {
    const info = await stat(join(folder, name)).catch(ignoreMissing)
    if (!info || info.mtimeMs > Date.now() - milliseconds) continue
    await rm(join(folder, name), { force: true })
    removed++
  }
  return removed
}

const names = async (folder: string): Promise<string[]> => ((await readdir(folder).catch(ignoreMissing)) ?? []).sort()

const codeOf = (error: unknown): string | undefined =>
  error instanceof Error && 'code' in error ? String(error.code) : undefined
const isMissing = (error: unknown): boolean => codeOf(error) === 'ENOENT'
const ignoreMissing = (error: unknown): undefined => {
  if (!isMissing(error)) throw error
}

const unavailable = new Set(['EIO', 'EROFS', 'EACCES', 'EPERM', 'EMFILE', 'ENFILE'])

function translate(error: unknown): unknown {
  if (error instanceof ApiError) return error
  const code = codeOf(error)
  if (code === 'ENOSPC' || code === 'EDQUOT') return new ApiError('storage_full', { cause: error })
  if (code !== undefined && unavailable.has(code)) return new ApiError('storage_unavailable', { cause: error })
  return error
}
