/** The files of a repository as an import takes them in: sorted by what they are, within limits, with their git names. */
import { createHash } from 'node:crypto'
import type { Bytes } from '../../core/blobs.ts'
import { fail } from '../../core/errors.ts'
import { configPath, type FileKind, kindOf, type RepositoryConfig, readConfig } from '../../core/repository/config.ts'
import { isSafePath, nameOf } from '../../core/repository/paths.ts'
import { readVariables } from '../../core/repository/variables.ts'
import { maxPages } from '../../core/revision/content.ts'
import type { FileRecord, Variables } from '../../core/revision/records.ts'
import { maxPageBytes } from '../content/markdown/parsed.ts'
import { maxFileBytes, storeBytes } from '../content/write/files.ts'
import type { Base } from '../scope.ts'

/** A file to import: its path from the repository's root, and its bytes when they are asked for. */
export interface RepositoryFile {
  path: string
  size: number
  open(): Bytes
}

export interface Source {
  text: string
  oid: string
}

export interface Sources {
  config: RepositoryConfig
  pages: Map<string, Source>
  includes: Map<string, Source>
  summary: string | undefined
  variables: Variables | undefined
  files: RepositoryFile[]
  /** Paths of files that are no part of the docs, or whose names could not be written back. */
  skipped: string[]
}

/** How much a table of contents or a settings file may hold. */
const maxTextBytes = 32 * 1024 * 1024

export async function readSources(files: readonly RepositoryFile[], onRead: () => void): Promise<Sources> {
  const sorted = [...files].sort((a, b) => (a.path < b.path ? -1 : 1))
  const settings = sorted.find(({ path }) => path === configPath)
  const config = readConfig(settings && (await textOf(settings, maxPageBytes)).text)
  const sources: Sources = {
    config,
    pages: new Map(),
    includes: new Map(),
    summary: undefined,
    variables: undefined,
    files: [],
    skipped: [],
  }
  const summary = sorted.find(({ path }) => path === config.summary) ?? sorted.find((file) => isKind(file, 'summary'))
  function isKind({ path }: RepositoryFile, kind: FileKind): boolean {
    return isSafePath(path) && kindOf(path, config) === kind
  }
  for (const file of sorted) {
    const { path, size } = file
    const kind = isSafePath(path) ? kindOf(path, config) : undefined
    if (kind === undefined || (kind === 'summary' && file !== summary)) sources.skipped.push(path)
    else if (size > maxFileBytes) throw fail('too_large', `${path} is larger than 100 MiB.`)
    else if (kind === 'page') sources.pages.set(path, await textOf(file, maxPageBytes))
    else if (kind === 'include') sources.includes.set(path, await textOf(file, maxPageBytes))
    else if (kind === 'summary') sources.summary = (await textOf(file, maxTextBytes)).text
    else if (kind === 'variables') {
      sources.variables = readVariables((await textOf(file, maxPageBytes)).text)
      if (sources.variables === undefined) sources.files.push(file)
    } else sources.files.push(file)
    if (sources.pages.size > maxPages) throw fail('invalid_input', `There are more than ${maxPages} pages.`)
    onRead()
  }
  return sources
}

async function textOf(file: RepositoryFile, limit: number): Promise<Source> {
  if (file.size > limit) throw fail('too_large', `${file.path} is larger than ${limit / 1024 / 1024} MiB.`)
  const bytes = await readAll(file, limit)
  return { text: new TextDecoder().decode(bytes), oid: blobName(bytes) }
}

async function readAll(file: RepositoryFile, limit: number): Promise<Uint8Array> {
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
const blobName = (bytes: Uint8Array): string =>
  createHash('sha1').update(`blob ${bytes.length}\0`).update(bytes).digest('hex')

/** Files up to this size are read whole, so that those which did not change need not be stored again. */
const wholeBytes = 8 * 1024 * 1024

/** Stores a file; `before` is its record of an earlier import, which stays as it is while its bytes do. */
export async function storeSource(
  base: Pick<Base, 'env' | 'now'>,
  file: RepositoryFile,
  { id, before }: { id: string; before: FileRecord | undefined },
): Promise<FileRecord> {
  const name = nameOf(file.path)
  const claimed = { name, contentType: types[name.slice(name.lastIndexOf('.') + 1).toLowerCase()] }
  if (file.size > wholeBytes) {
    const sha = createHash('sha1').update(`blob ${file.size}\0`)
    const record = await storeBytes(base, hashed(file.open(), sha), claimed)
    if (record.size !== file.size) throw fail('conflict', `${file.path} changed while it was read.`)
    return settle({ ...record, id, git: { oid: sha.digest('hex'), path: file.path } }, before)
  }
  const bytes = await readAll(file, maxFileBytes)
  const oid = blobName(bytes)
  if (before?.git?.oid === oid && before.size === bytes.length) return before
  return settle({ ...(await storeBytes(base, [bytes], claimed)), id, git: { oid, path: file.path } }, before)
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
