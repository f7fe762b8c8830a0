/**
 * Folders on disk, as imports read and exports write them. Nothing outside the folder is read or written, whatever links
 * and names are in it.
 */
import {
  closeSync,
  constants,
  createReadStream,
  type Dirent,
  lstatSync,
  openSync,
  readdirSync,
  readFileSync,
  realpathSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { mkdir, readdir, realpath, stat } from 'node:fs/promises'
import { basename, dirname, join, resolve, sep } from 'node:path'
import type { Bytes } from '../core/blobs.ts'
import type { ImportedFile } from '../core/import/tree.ts'
import { isForeignFolder, isSafePath } from '../core/repository/paths.ts'
import { wholeBytes } from '../domain/import/store-file.ts'
import { CommandError } from './plain-errors.ts'

const pieceBytes = 256 * 1024

/** More files than any space could hold pages and pictures. */
const maxFiles = 500_000

export const nameOfFolder = (folder: string): string => basename(resolve(folder)) || 'docs'

/** A command has nobody who waits for its event loop, and asking for a file in a thread costs more than the answer. */
export async function listFolder(folder: string): Promise<ImportedFile[]> {
  const root = await realFolder(folder)
  const files: ImportedFile[] = []
  const visit = (path: string): void => {
    for (const entry of readdirSync(join(root, path), { withFileTypes: true })) {
      const inner = path === '' ? entry.name : `${path}/${entry.name}`
      // What is not called in UTF-8 cannot be opened by its name; an import tells that it is left out.
      if (entry.name.includes('\ufffd')) files.push({ path: inner, size: 0, open: noPieces })
      else if (entry.isDirectory()) {
        if (!isForeignFolder(entry.name)) visit(inner)
      } else if (entry.isFile() || entry.isSymbolicLink()) take(inner, entry)
      if (files.length > maxFiles) throw new CommandError(`${folder} holds more than ${maxFiles} files.`)
    }
  }
  const take = (path: string, entry: Dirent): void => {
    const file = join(root, path)
    if (entry.isSymbolicLink() && !isInside(root, targetOf(file, path)))
      throw new CommandError(`${path} is a link that leads out of the folder.`)
    const info = statSync(file)
    // A link to a folder inside: its files come in by their own names.
    if (info.isFile()) files.push({ path, size: info.size, open: () => piecesOf(file, info.size) })
  }
  visit('')
  return files
}

function targetOf(link: string, path: string): string {
  try {
    return realpathSync(link)
  } catch {
    throw new CommandError(`${path} is a link that leads nowhere.`)
  }
}

/** In one piece where it is held whole anyway: a stream takes 256 KB for itself, however short its file is. */
async function* piecesOf(file: string, size: number): Bytes {
  if (size <= wholeBytes) yield readFileSync(file)
  else yield* createReadStream(file, { highWaterMark: pieceBytes })
}

async function* noPieces(): Bytes {}

async function realFolder(folder: string): Promise<string> {
  const info = await stat(folder).catch(() => undefined)
  if (!info?.isDirectory()) throw new CommandError(`There is no folder ${folder}.`)
  return realpath(folder)
}

const isInside = (root: string, path: string): boolean => path === root || path.startsWith(root + sep)

export interface FolderWriter {
  write(path: string, content: string | Bytes): Promise<void>
}

/** Makes the folder, or takes an empty one; one that holds anything only with `force`, and then only adds and replaces. */
export async function openFolder(folder: string, { force }: { force: boolean }): Promise<FolderWriter> {
  await mkdir(folder, { recursive: true })
  const root = await realFolder(folder)
  // A fresh repository is as good as empty.
  const isTaken = (await readdir(root)).some((name) => name !== '.git')
  if (isTaken && !force) throw new CommandError(`${folder} is not empty. --force writes into it all the same.`)
  const checked = new Set<string>()
  const ready = async (parent: string): Promise<void> => {
    if (checked.has(parent)) return
    await mkdir(parent, { recursive: true })
    if (!isInside(root, await realpath(parent)))
      throw new CommandError(`${parent} is a link that leads out of the folder.`)
    checked.add(parent)
  }
  return {
    async write(path, content) {
      if (!isSafePath(path)) throw new CommandError(`A file cannot be called ${JSON.stringify(path)}.`)
      const target = join(root, path)
      await ready(dirname(target))
      if (force && lstatSync(target, { throwIfNoEntry: false })?.isSymbolicLink())
        throw new CommandError(`${path} is a link already. Remove it first.`)
      await writeTo(target, content, force)
    },
  }
}

async function writeTo(target: string, content: string | Bytes, force: boolean): Promise<void> {
  const { O_WRONLY, O_CREAT, O_EXCL, O_TRUNC, O_NOFOLLOW } = constants
  const file = openSync(target, O_WRONLY | O_CREAT | (O_NOFOLLOW ?? 0) | (force ? O_TRUNC : O_EXCL))
  try {
    if (typeof content === 'string') writeFileSync(file, content)
    else for await (const bytes of content) writeFileSync(file, bytes)
  } finally {
    closeSync(file)
  }
}
