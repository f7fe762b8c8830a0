/** A space as a docs repository: its table of contents, a Markdown file for each page, and the files beside them. */
import type { Bytes } from '../../core/blobs.ts'
import { fillTemplate } from '../../core/document/printed.ts'
import type { ContentRef, JSONDocument } from '../../core/document/tree/nodes.ts'
import { collectRefs, mapRefs } from '../../core/document/tree/refs.ts'
import { configPath, readConfig, variablesPath } from '../../core/repository/config.ts'
import { contentsOf } from '../../core/repository/contents.ts'
import { inOrder, type Layout, layOut } from '../../core/repository/layout.ts'
import { folderOf } from '../../core/repository/paths.ts'
import { lineOf, printSummary } from '../../core/repository/summary.ts'
import { indexPaths, type PathIndex, resolveTarget, spellRef } from '../../core/repository/targets.ts'
import { printVariables } from '../../core/repository/variables.ts'
import { allPages, type Content } from '../../core/revision/content.ts'
import { entries } from '../../core/revision/map.ts'
import type { FileRecord, PageRecord, ReusableRecord } from '../../core/revision/records.ts'
import type { ContentReader } from '../../store/content/content.ts'
import type { Connection } from '../../store/database.ts'
import { printMarkdown } from '../content/markdown/markdown.ts'
import { storedMarkdown } from '../content/markdown/printed.ts'
import type { Environment } from '../environment.ts'
import { printFields } from './front-matter.ts'

export interface ExportedFile {
  path: string
  kind: 'page' | 'file' | 'other'
  content: string | Bytes
  /** Of a file: the hash of its bytes, which are opened when they are read. */
  hash?: string
}

export interface Export {
  count: number
  layout: Layout
  /** The path of the table of contents. */
  summary: string
  files: AsyncIterable<ExportedFile>
}

/** Works out where everything goes; the files come one by one, as they are written. */
export async function exportRepository(
  { db, reader, blobs }: { db?: Connection; reader: ContentReader; blobs: Environment['blobs'] },
  content: Content,
): Promise<Export> {
  const tree = await allPages(reader, content)
  const files = (await entries<FileRecord>(reader, content.files)).map(([, file]) => file)
  const reusable = (await entries<ReusableRecord>(reader, content.reusable)).map(([, record]) => record)
  const config = readConfig(await settingsIn(files, blobs))
  const hasVariables = Object.keys(content.variables).length > 0
  const layout = layOut({ config, tree, files, reusable, hasVariables })
  const index = indexPaths(refsIn(layout))
  const parts = contentsOf({ config, tree, layout, index })
  const pages = inOrder(tree).filter(({ type }) => type === 'document')

  async function* all(): AsyncGenerator<ExportedFile> {
    yield { path: config.summary, kind: 'other', content: printSummary(parts) }
    if (hasVariables) yield { path: variablesPath(config), kind: 'other', content: printVariables(content.variables) }
    for (const page of pages) {
      const path = layout.pages.get(page.id) ?? ''
      yield { path, kind: 'page', content: await printPage(page, { db, reader, path, layout, index }) }
    }
    for (const record of reusable) {
      const path = layout.reusable.get(record.id) ?? ''
      const body = settled(await bodyOf(reader, record), index, path)
      const other = { title: lineOf(record.title) }
      yield {
        path,
        kind: 'other',
        content: await printMarkdown(reader.threads, body, { frontMatter: { other }, printRef: spelling(index, path) }),
      }
    }
    for (const file of files) {
      yield {
        path: layout.files.get(file.id) ?? '',
        kind: 'file',
        content: bytesOf(file, blobs),
        hash: file.blob,
      }
    }
  }
  return {
    layout,
    summary: config.summary,
    count: pages.length + reusable.length + files.length + 1 + (hasVariables ? 1 : 0),
    files: all(),
  }
}

async function* bytesOf({ blob, id, name }: FileRecord, blobs: Environment['blobs']): Bytes {
  const bytes = await blobs.open(blob)
  if (!bytes) throw new Error(`The bytes of the file ${id} (${name}) are missing.`)
  yield* bytes
}

interface Printing {
  /** Where Markdown is kept, if it is. */
  db: Connection | undefined
  reader: ContentReader
  path: string
  layout: Layout
  index: PathIndex
}

async function printPage(page: PageRecord, printing: Printing): Promise<string> {
  const { reader, path, layout, index } = printing
  const spell = spelling(index, path)
  const isUnlisted = layout.unlisted.has(page.id)
  const frontMatter = printFields(page, { slug: layout.slugs.get(page.id), isUnlisted, spell })
  const options = { title: lineOf(page.title), frontMatter, printRef: spell }
  const stored =
    page.document === undefined || printing.db === undefined
      ? undefined
      : await storedPage(page.document, { ...printing, db: printing.db }, options)
  return stored ?? printMarkdown(reader.threads, settled(await bodyOf(reader, page), index, path), options)
}

/** From what its document was printed as before; nothing where `settled` would change what is printed. */
async function storedPage(
  hash: string,
  { db, reader, path, index }: Printing & { db: Connection },
  options: Parameters<typeof fillTemplate>[1],
): Promise<string | undefined> {
  const template = await storedMarkdown(db, hash, () => reader.document(hash))
  const folder = folderOf(path)
  if (template.relative.some((url) => resolveTarget(index, url, folder) !== undefined)) return undefined
  return fillTemplate(template, options)
}

/**
 * The document as an import will have it: addresses that name files of the repository are references to them, or, where
 * no reference can stand (an image of a page), spelt in the one way.
 */
function settled(document: JSONDocument, index: PathIndex, path: string): JSONDocument {
  const folder = folderOf(path)
  const found = (ref: ContentRef): ContentRef | undefined =>
    ref.kind === 'url' ? resolveTarget(index, ref.url, folder) : undefined
  if (!collectRefs(document).some(({ ref }) => found(ref) !== undefined)) return document
  const resolved = mapRefs(document, (ref) => found(ref) ?? ref)
  return mapRefs(resolved, (ref) => (found(ref) ? { kind: 'url', url: spellRef(index, ref, folder) } : ref))
}

const spelling =
  (index: PathIndex, path: string) =>
  (ref: ContentRef): string =>
    spellRef(index, ref, folderOf(path))

function* refsIn({ pages, reusable, files }: Layout): Generator<[string, ContentRef]> {
  for (const [page, path] of pages) yield [path, { kind: 'page', page }]
  for (const [reusableContent, path] of reusable) yield [path, { kind: 'reusable-content', reusableContent }]
  for (const [file, path] of files) yield [path, { kind: 'file', file }]
}

async function bodyOf(reader: ContentReader, { document }: { document?: string }): Promise<JSONDocument> {
  return document === undefined ? emptyDocument : reader.document(document)
}

const emptyDocument: JSONDocument = { object: 'document', data: { schemaVersion: 1 }, nodes: [] }

const maxSettings = 1024 * 1024

/** The `.gitbook.yaml` that came with the repository, which says where its docs lie. */
async function settingsIn(files: readonly FileRecord[], blobs: Environment['blobs']): Promise<string | undefined> {
  const file = files.find(({ git, size }) => git?.path === configPath && size <= maxSettings)
  const bytes = file && (await blobs.open(file.blob))
  if (!bytes) return undefined
  const chunks: Uint8Array[] = []
  for await (const chunk of bytes) chunks.push(chunk)
  return Buffer.concat(chunks).toString('utf8')
}
