/** The files that were dropped, those in dropped folders too, each with its path. */
import type { PathedFile } from './zip-files.ts'

/** What systems leave in folders, and folders of tools, which hold thousands of files that are no docs. */
const isLitter = (path: string): boolean =>
  /(^|\/)(\.git|node_modules|__MACOSX)(\/|$)|(^|\/)(\.DS_Store|Thumbs\.db|desktop\.ini)$/.test(path)

/** So many files are looked at. */
const most = 20_000

/** To be called while the event is handled: later it holds nothing. */
export async function droppedFiles(transfer: DataTransfer): Promise<PathedFile[]> {
  const entries = [...transfer.items].flatMap((item) => item.webkitGetAsEntry?.() ?? [])
  const plain = [...transfer.files].map((file) => ({ path: file.name, file }))
  if (!entries.some(({ isDirectory }) => isDirectory)) return plain
  const found: PathedFile[] = []
  for (const entry of entries) await collect(entry, '', found)
  return found
}

/** Those of a field, which names the folder that was chosen. */
export const chosenFiles = (list: FileList): PathedFile[] =>
  [...list].slice(0, most).flatMap((file) => {
    const path = file.webkitRelativePath || file.name
    return isLitter(path) ? [] : [{ path, file }]
  })

async function collect(entry: FileSystemEntry, above: string, found: PathedFile[]): Promise<void> {
  const path = `${above}${entry.name}`
  if (isLitter(path) || found.length >= most) return
  if (isFile(entry)) {
    const file = await new Promise<File>((resolve, reject) => entry.file(resolve, reject))
    found.push({ path, file })
  } else if (isDirectory(entry)) {
    const reader = entry.createReader()
    // It answers a part at a time, and none when it is done.
    for (;;) {
      const part = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject))
      if (part.length === 0) break
      for (const below of part) await collect(below, `${path}/`, found)
    }
  }
}

const isFile = (entry: FileSystemEntry): entry is FileSystemFileEntry => entry.isFile
const isDirectory = (entry: FileSystemEntry): entry is FileSystemDirectoryEntry => entry.isDirectory
