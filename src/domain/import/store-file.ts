/** The files of an imported tree: stored once under the hash of their bytes, with the names git gives them. */
import { createHash } from 'node:crypto'
import type { Bytes } from '../../core/blobs.ts'
import { fail } from '../../core/errors.ts'
import type { ImportedFile } from '../../core/import/tree.ts'
import { nameOf } from '../../core/repository/paths.ts'
import type { FileRecord } from '../../core/revision/records.ts'
import { maxFileBytes, storeBytes } from '../content/write/files.ts'
import type { Base } from '../handler.ts'

/** Files up to this size are read whole, so that those which did not change need not be stored again. */
export const wholeBytes = 8 * 1024 * 1024

/** Stores a file; `before` is its record of an earlier import, which stays as it is while its bytes do. */
export async function storeImported(
  base: Pick<Base, 'env' | 'now'>,
  file: ImportedFile,
  { id, before, origin }: { id: string; before: FileRecord | undefined; origin: { origin?: string } },
): Promise<FileRecord> {
  const name = nameOf(file.path)
  const claimed = { name, contentType: types[name.slice(name.lastIndexOf('.') + 1).toLowerCase()] }
  if (file.size > wholeBytes) {
    const sha = createHash('sha1').update(`blob ${file.size}\0`)
    const record = await storeBytes(base, hashed(file.open(), sha), claimed)
    if (record.size !== file.size) throw fail('conflict', `${file.path} changed while it was read.`)
    return settle({ ...record, id, ...origin, git: { oid: sha.digest('hex'), path: file.path } }, before)
  }
  const bytes = await readAll(file, maxFileBytes)
  const oid = blobName(bytes)
  if (before?.git?.oid === oid && before.size === bytes.length) return before
  return settle({ ...(await storeBytes(base, [bytes], claimed)), id, ...origin, git: { oid, path: file.path } }, before)
}

const settle = (record: FileRecord, before: FileRecord | undefined): FileRecord => {
  if (before?.blob === record.blob && before.git?.path === record.git?.path) return before
  return before?.createdAt === undefined ? record : { ...record, createdAt: before.createdAt }
}

async function* hashed(bytes: Bytes, sha: ReturnType<typeof createHash>): Bytes {
  for await (const chunk of bytes) {
    sha.update(chunk)
    yield chunk
  }
}

/** What names tell where bytes do not. */
const types: Readonly<Record<string, string | undefined>> = {
  css: 'text/css',
  csv: 'text/csv',
  json: 'application/json',
  md: 'text/markdown',
  txt: 'text/plain',
  yaml: 'application/yaml',
  yml: 'application/yaml',
}

export async function readAll(file: ImportedFile, limit: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of file.open()) {
    size += chunk.length
    if (size > limit) throw fail('too_large', `${file.path} grew while it was read.`)
    chunks.push(chunk)
  }
  return chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks)
}

/** The name git gives a file's bytes. */
export const blobName = (bytes: Uint8Array): string =>
  createHash('sha1').update(`blob ${bytes.length}\0`).update(bytes).digest('hex')
