/**
 * Reads whatever an import names into a tree: fetched by the guarded fetch only, unpacked within limits, and parsed in a
 * thread, because the bytes come from anyone. What is wrong with a page or a file is listed, and the rest goes on.
 */

import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { open, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { BlobStore } from '../../core/blobs.ts'
import { fail } from '../../core/errors.ts'
import type { ImportedFile, ImportedTree } from '../../core/import/tree.ts'
import { readUploadUrl } from '../../domain/import/runs.ts'
import { FetchError, type GuardedFetch } from '../../platform/fetch.ts'
import { readCommit } from '../../platform/git/tasks.ts'
import { ArchiveError, openArchive } from '../../platform/imports/archive.ts'
import type { ImportLimits } from '../../platform/imports/config.ts'
import { makeTemporaryFolder } from '../../platform/imports/temporary.ts'
import type { ImportRunRow } from '../../store/imports/runs.ts'
import type { Threads } from '../../threads/supervisor.ts'
import { readConfluence } from './confluence.ts'
import { readDocuments } from './documents.ts'
import { readHtmlFiles } from './html-files.ts'
import { readMarkdownFiles } from './markdown-files.ts'
import { nameOfUrl } from './name-of-url.ts'
import { readNotion } from './notion.ts'
import { crawlWebsite } from './website.ts'

export interface SourceReading {
  source: ImportRunRow['source']
  url: string
  origin: string
  fetch: GuardedFetch
  threads: Threads
  /** Where what was sent along is kept. */
  blobs: BlobStore
  /** Whether repositories may be at private addresses. */
  allowPrivate: boolean
  limits: ImportLimits
  signal: AbortSignal
  /** What has been read, of what is known to be there. */
  onProgress: (done: number, total: number) => void
  /** What is left out. */
  onFailure: (resource: string, message: string) => void
}

/** The same for what was fetched as a file: one alone is a page whatever it is called. */
export interface FileReading extends SourceReading {
  isArchive: boolean
}

/** The tree, and what must be done when it has been applied. */
export interface ReadSource {
  tree: ImportedTree
  close: () => Promise<void>
}

export async function readSource(reading: SourceReading): Promise<ReadSource> {
  if (reading.source === 'website') return { tree: await crawlWebsite(reading), close: async () => {} }
  const folder = await makeTemporaryFolder()
  const closing: (() => void)[] = []
  const close = async (): Promise<void> => {
    for (const end of closing) end()
    await rm(folder, { recursive: true, force: true })
  }
  try {
    const isRepository = reading.source === 'github-wiki' && /^https?:[^?#]*\.git\/?$/i.test(reading.url)
    const { files, isArchive } = await (isRepository ? openWiki(reading, folder) : openSource(reading, folder, closing))
    const tree = await readFiles({ ...reading, isArchive }, files)
    if (tree.texts.size === 0) throw fail('invalid_input', 'Nothing that could become a page was found there.')
    return { tree, close }
  } catch (error) {
    await close()
    if (error instanceof ArchiveError) throw fail('invalid_input', error.message)
    throw error
  }
}

/** The one file that is there, or those of the archive that it is. */
async function openSource(
  { url, fetch, blobs, limits, signal, onFailure, source }: SourceReading,
  folder: string,
  closing: (() => void)[],
): Promise<{ files: ImportedFile[]; isArchive: boolean }> {
  const storedAt = join(folder, 'source')
  const upload = readUploadUrl(url)
  const name = upload
    ? await takeUpload(upload, { blobs, storedAt })
    : nameOfUrl(await download({ url, fetch, limits, signal, storedAt }), 'page')
  const isArchive = (await startOf(storedAt)).startsWith('PK')
  if (!isArchive && source === 'zip' && !isPageName(name)) throw fail('invalid_input', 'It is no zip archive.')
  // A Word document is an archive, too; an archive of them is told by what it holds.
  const entries = isArchive ? await openArchive(storedAt, archiveLimits(limits)) : undefined
  if (entries) closing.push(() => entries.close())
  const isWord = entries?.entries.some(({ path }) => path === 'word/document.xml')
  if (!entries || isWord) {
    if (isWord && source !== 'docx') throw fail('invalid_input', 'It is a Word document. Import it as `docx`.')
    const { size } = await sizeOf(storedAt)
    return { files: [{ path: name, size, open: () => streamOf(storedAt) }], isArchive: false }
  }
  for (const { path, message } of entries.refused) onFailure(path, message)
  const inner = source === 'notion' ? await openParts(entries.entries, { folder, limits, closing }) : undefined
  const files = withoutTopFolder((inner ?? entries.entries).filter(({ path }) => !isLitter(path)))
  return { files, isArchive: true }
}

/** Where an archive is expected, a single page is taken as one. */
const isPageName = (name: string): boolean => /\.(md|mdx|markdown|x?html?)$/i.test(name)

/** The wiki of a repository is a repository itself, whose branch has an old name. */
async function openWiki(
  { url, threads, allowPrivate, limits, signal }: SourceReading,
  folder: string,
): Promise<{ files: ImportedFile[]; isArchive: boolean }> {
  const task = { kind: 'read' as const, folder, directory: '', mayBegin: false, withFiles: true }
  const remote = { kind: 'web' as const, url: url.replace(/\/$/, ''), allowPrivate }
  const read = await readCommit(threads, { ...task, remote, ref: 'HEAD', limits: { ...limits, files: 20_000 } }, signal)
  if ('problem' in read) throw fail(read.problem.code, read.problem.message)
  const files = read.files.map(({ path, size, storedAt }) => ({ path, size, open: () => streamOf(storedAt) }))
  return { files, isArchive: true }
}

/** Large exports of Notion are archives in an archive, a part each; undefined when there are none. */
async function openParts(
  entries: readonly ImportedFile[],
  { folder, limits, closing }: { folder: string; limits: ImportLimits; closing: (() => void)[] },
): Promise<ImportedFile[] | undefined> {
  const parts = entries.filter(({ path }) => /^[^/]*Part-\d+\.zip$/i.test(path)).slice(0, mostParts)
  if (parts.length === 0) return undefined
  const files: ImportedFile[] = []
  let left = limits.bytes
  for (const [at, part] of parts.entries()) {
    const storedAt = join(folder, `part-${at}`)
    await writeFile(storedAt, part.open())
    const archive = await openArchive(storedAt, archiveLimits({ ...limits, bytes: left }))
    closing.push(() => archive.close())
    left -= archive.entries.reduce((sum, { size }) => sum + size, 0)
    files.push(...archive.entries)
  }
  return files
}

const mostParts = 20

const archiveLimits = ({ bytes }: ImportLimits) => ({ entries: 20_000, bytes, entryBytes: 100 * 1024 * 1024 })

/** What systems and tools leave in archives. */
const isLitter = (path: string): boolean =>
  /(^|\/)(__MACOSX|\.DS_Store|Thumbs\.db|desktop\.ini|\.git)(\/|$)/.test(path) || /(^|\/)\._/.test(path)

/** Archives of repositories have one folder around everything. */
function withoutTopFolder(files: ImportedFile[]): ImportedFile[] {
  const [first] = files
  const top = first?.path.includes('/') ? `${first.path.split('/')[0]}/` : undefined
  if (top === undefined || !files.every(({ path }) => path.startsWith(top))) return files
  return files.map((file) => ({ ...file, path: file.path.slice(top.length) }))
}

function readFiles(reading: FileReading, files: ImportedFile[]): Promise<ImportedTree> {
  switch (reading.source) {
    case 'docx':
    case 'google-docs':
      return readDocuments(reading, files)
    case 'confluence':
      return readConfluence(reading, files)
    case 'notion':
      return readNotion(reading, files)
    case 'html':
      return readHtmlFiles(reading, files)
    default:
      return isHtmlTree(files) ? readHtmlFiles(reading, files) : readMarkdownFiles(reading, files)
  }
}

/** An archive without Markdown that holds pages of HTML. */
const isHtmlTree = (files: readonly ImportedFile[]): boolean =>
  files.some(({ path }) => /\.x?html?$/i.test(path)) && !files.some(({ path }) => /\.(md|mdx|markdown)$/i.test(path))

async function takeUpload(
  { hash, name }: { hash: string; name: string },
  { blobs, storedAt }: { blobs: BlobStore; storedAt: string },
): Promise<string> {
  const bytes = await blobs.open(hash)
  if (!bytes) throw fail('invalid_input', 'What was sent is not kept any more. Send it again.')
  await writeFile(storedAt, bytes)
  return name
}

async function download({
  url,
  fetch,
  limits,
  signal,
  storedAt,
}: Pick<SourceReading, 'url' | 'fetch' | 'limits' | 'signal'> & { storedAt: string }): Promise<string> {
  const file = createWriteStream(storedAt)
  try {
    const answer = await fetch(url, {
      signal,
      raised: { bytes: limits.bytes, milliseconds: limits.milliseconds },
      into: async (part) => {
        if (!file.write(part)) await once(file, 'drain')
      },
    })
    return answer.url
  } catch (error) {
    if (error instanceof FetchError)
      throw fail(error.code === 'TOO_LARGE' ? 'too_large' : 'invalid_input', error.message)
    throw error
  } finally {
    await new Promise<void>((resolve) => file.end(resolve))
  }
}

async function startOf(storedAt: string): Promise<string> {
  const file = await open(storedAt)
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(4), 0, 4, 0)
    return buffer.toString('latin1', 0, bytesRead)
  } finally {
    await file.close()
  }
}

const sizeOf = async (storedAt: string) => {
  const file = await open(storedAt)
  try {
    return { size: (await file.stat()).size }
  } finally {
    await file.close()
  }
}

async function* streamOf(storedAt: string): AsyncIterable<Uint8Array> {
  const file = await open(storedAt)
  for await (const part of file.createReadStream({ highWaterMark: 256 * 1024 })) yield part
}
