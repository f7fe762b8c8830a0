/** The export of a Notion workspace: Markdown & CSV, or HTML. Names carry ids, which stay out of titles and addresses. */

import { fail } from '../../core/errors.ts'
import { readNotionTree } from '../../core/import/notion.ts'
import { arrangeByNames } from '../../core/import/notion-arrange.ts'
import type { ImportedFile, ImportedTree } from '../../core/import/tree.ts'
import { blobName, readAll } from '../../domain/import/store-file.ts'
import { TimeSlices } from '../../store/time-slices.ts'
import { isHtml, readHtmlFiles } from './html-files.ts'
import type { FileReading } from './read-source.ts'

const mostBytes = 1024 * 1024

export async function readNotion(reading: FileReading, files: readonly ImportedFile[]): Promise<ImportedTree> {
  const { limits, onProgress, onFailure, origin, signal } = reading
  if (!files.some(({ path }) => /\.md$/i.test(path)) && files.some(({ path }) => isHtml(path)))
    return readHtmlFiles(reading, files, {
      dialect: 'notion',
      nameOf: (path) => path.replace(/\.html$/i, '.md'),
      arrange: (pages) =>
        arrangeByNames(
          pages.map(({ path, page }) => ({ path, title: page.title ?? '' })),
          new Map(),
        ),
    })
  const texts = new Map<string, { text: string; oid: string }>()
  const sources = files.filter(({ path }) => /\.(md|csv)$/i.test(path))
  if (sources.length > limits.pages * 2)
    throw fail('invalid_input', `There are more than ${limits.pages} pages, which is what an import takes.`)
  for (const file of sources) {
    signal.throwIfAborted()
    if (file.size > mostBytes) onFailure(file.path, 'It is larger than 1 MiB.')
    else {
      const bytes = await readAll(file, mostBytes)
      texts.set(file.path, { text: new TextDecoder().decode(bytes), oid: blobName(bytes) })
    }
    onProgress(texts.size, sources.length)
  }
  const others = files.filter(({ path }) => !texts.has(path) && !/\.csv$/i.test(path))
  const slices = new TimeSlices()
  return readNotionTree(texts, { origin, files: others, breathe: () => slices.next() })
}
