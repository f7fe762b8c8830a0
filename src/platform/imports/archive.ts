/**
 * Zip archives from anyone, read without unpacking them to disk.
 *
 * 1. The list of entries is checked before any is opened: names that lead out of the folder, links, devices, encrypted
 *    entries, names that are there twice, entries that share bytes, too many of them or too large, are refused.
 * 2. An entry never gives more bytes than it said it has; together they never give more than the limit, nor a hundred times
 *    what they take in the archive, unless the caller allows for more.
 */
import type { Readable } from 'node:stream'
import { type Entry, fromBufferPromise, openPromise, type ZipFile } from 'yauzl'
import { cutTo } from '../../core/text.ts'

export interface ArchiveLimits {
  entries: number
  /** Unpacked, all together. */
  bytes: number
  entryBytes: number
  /** Unpacked bytes for each packed one, once there is a megabyte of them (100). */
  ratio?: number
}

export interface ArchiveEntry {
  path: string
  size: number
  open(): AsyncIterable<Uint8Array>
}

export interface Archive {
  entries: ArchiveEntry[]
  /** Entries that are left out, each with the reason. */
  refused: { path: string; message: string }[]
  close(): void
}

export class ArchiveError extends Error {
  override name = 'ArchiveError'
}

/** By the path of a file, or its bytes. */
export async function openArchive(file: string | Uint8Array, limits: ArchiveLimits): Promise<Archive> {
  const options = { autoClose: false, lazyEntries: true, strictFileNames: true, validateEntrySizes: true }
  const opening = typeof file === 'string' ? openPromise(file, options) : fromBufferPromise(Buffer.from(file), options)
  const zip = await opening.catch((error: unknown) => {
    throw new ArchiveError(`It is no zip archive that can be read: ${messageOf(error)}.`)
  })
  try {
    const list = await entriesOf(zip, limits)
    const { entries, refused } = judge(list, limits)
    return { entries: entries.map((entry) => opened(zip, entry)), refused, close: () => zip.close() }
  } catch (error) {
    zip.close()
    throw error
  }
}

function entriesOf(zip: ZipFile, limits: ArchiveLimits): Promise<Entry[]> {
  if (zip.entryCount > limits.entries)
    throw new ArchiveError(`The archive holds ${zip.entryCount} entries; at most ${limits.entries} are taken.`)
  return new Promise((resolve, reject) => {
    const entries: Entry[] = []
    zip.on('entry', (entry) => {
      entries.push(entry)
      zip.readEntry()
    })
    zip.on('end', () => resolve(entries))
    zip.on('error', (error: Error) => reject(new ArchiveError(`The archive cannot be read: ${messageOf(error)}.`)))
    zip.readEntry()
  })
}

function judge(all: readonly Entry[], limits: ArchiveLimits): { entries: Entry[]; refused: Archive['refused'] } {
  const refused: Archive['refused'] = []
  const files = all.filter(({ fileName }) => !fileName.endsWith('/'))
  const names = new Set<string>()
  let bytes = 0
  let packed = 0
  const entries = files.filter((entry) => {
    const problem = problemOf(entry, names, limits)
    if (problem !== undefined) {
      refused.push({ path: cutTo(entry.fileName, 300), message: problem })
      return false
    }
    names.add(foldName(entry.fileName))
    bytes += entry.uncompressedSize
    packed += entry.compressedSize
    return true
  })
  if (bytes > limits.bytes)
    throw new ArchiveError(`Unpacked, the archive would be larger than ${Math.round(limits.bytes / 1024 / 1024)} MiB.`)
  const { ratio = 100 } = limits
  if (bytes > 1024 * 1024 && bytes > packed * ratio)
    throw new ArchiveError(`The archive grows more than ${ratio} times when it is unpacked.`)
  refuseOverlap(all)
  return { entries, refused }
}

/** Entries whose bytes lie over each other are how small archives become huge ones. */
function refuseOverlap(entries: readonly Entry[]): void {
  const spans = entries
    .map(({ relativeOffsetOfLocalHeader: from, compressedSize }) => ({ from, to: from + 30 + compressedSize }))
    .sort((a, b) => a.from - b.from)
  for (const [at, span] of spans.entries()) {
    const before = at === 0 ? undefined : spans[at - 1]
    if (before && span.from < before.to)
      throw new ArchiveError('The archive holds entries that share their bytes. It is refused.')
  }
}

const kindMask = 0o170000
const regular = 0o100000

function problemOf(entry: Entry, names: ReadonlySet<string>, limits: ArchiveLimits): string | undefined {
  const { fileName } = entry
  if (entry.isEncrypted()) return 'It is encrypted.'
  const mode = (entry.externalFileAttributes >>> 16) & kindMask
  if (mode !== 0 && mode !== regular) return 'It is a link or a device, not a file.'
  if (/[\u0000-\u001f\u007f\\]/.test(fileName) || fileName.startsWith('/') || /^[a-z]:/i.test(fileName))
    return 'Its name is not one that a file can have.'
  if (fileName.split('/').some((part) => part === '..' || part === '.')) return 'Its name leads out of the archive.'
  if (names.has(foldName(fileName))) return 'Another entry has the same name.'
  if (entry.uncompressedSize > limits.entryBytes)
    return `It is larger than ${Math.round(limits.entryBytes / 1024 / 1024)} MiB.`
  if (entry.compressionMethod !== 0 && entry.compressionMethod !== 8) return 'It is packed in a way that is not known.'
  return undefined
}

const foldName = (name: string): string => name.normalize('NFC').toLowerCase()

function opened(zip: ZipFile, entry: Entry): ArchiveEntry {
  return {
    path: entry.fileName.normalize('NFC'),
    size: entry.uncompressedSize,
    async *open() {
      let stream: Readable
      try {
        stream = await zip.openReadStreamPromise(entry)
        for await (const part of stream) yield part
      } catch (error) {
        throw new ArchiveError(`${cutTo(entry.fileName, 300)} cannot be unpacked: ${messageOf(error)}.`)
      }
    },
  }
}

/** What the library says, as a part of a sentence. */
const messageOf = (error: unknown): string =>
  cutTo(error instanceof Error ? error.message : String(error), 200).replace(/\.$/, '')
