/** Markdown: one file, or an archive of them laid out as a docs repository, or the wiki of a repository. */
import { fail } from '../../core/errors.ts'
import { readWiki } from '../../core/import/github-wiki.ts'
import type { ImportedFile, ImportedTree } from '../../core/import/tree.ts'
import { readRepository } from '../../domain/import/read-repository.ts'
import { readAll } from '../../domain/import/store-file.ts'
import { bytesFile } from './bytes-file.ts'
import type { FileReading } from './read-source.ts'

export async function readMarkdownFiles(reading: FileReading, given: ImportedFile[]): Promise<ImportedTree> {
  const { origin, threads, limits, source, onProgress, onFailure } = reading
  const files = await Promise.all(given.map((file) => (reading.isArchive ? file : asMarkdown(file))))
  const pages = files.filter(({ path }) => /\.(md|mdx|markdown)$/i.test(path)).length
  if (pages > limits.pages)
    throw fail('invalid_input', `There are ${pages} pages; an import takes at most ${limits.pages}.`)
  const prepared =
    source === 'github-wiki'
      ? await readWiki(files, { textOf, makeFile: (path, text) => bytesFile(path, Buffer.from(text)) })
      : files
  let done = 0
  const tree = await readRepository(prepared, { threads, origin, onRead: () => onProgress(++done, prepared.length) })
  for (const { path, line, message } of tree.problems) onFailure(line === undefined ? path : `${path}:${line}`, message)
  return tree
}

/** A single file is a page whatever it is called. */
const asMarkdown = async (file: ImportedFile): Promise<ImportedFile> =>
  /\.md$/i.test(file.path) ? file : { ...file, path: `${file.path.replace(/\.\w+$/, '') || 'page'}.md` }

const textOf = async (file: ImportedFile): Promise<string> => new TextDecoder().decode(await readAll(file, 1024 * 1024))
