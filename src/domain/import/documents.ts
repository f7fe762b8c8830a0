/** The texts of an imported tree as stored documents: read, their links resolved, the keys of their nodes kept. */
import { assignKeys } from '../../core/document/tree/keys.ts'
import { heading, isFileRef, makeDocument } from '../../core/document/tree/make.ts'
import type { JSONDocument } from '../../core/document/tree/nodes.ts'
import { normalise } from '../../core/document/tree/normalise.ts'
import { mapRefs, printRef } from '../../core/document/tree/refs.ts'
import type { ImportedText } from '../../core/import/tree.ts'
import { titleOfPath } from '../../core/repository/arrange.ts'
import { folderOf } from '../../core/repository/paths.ts'
import { lineOf } from '../../core/repository/summary.ts'
import { type PathIndex, resolveTarget } from '../../core/repository/targets.ts'
import type { PageRecord, ReusableRecord } from '../../core/revision/records.ts'
import { type ContentWriter, contentHash } from '../../store/content/content.ts'
import type { ReadTextRow } from '../../store/imports/read-texts.ts'
import { TimeSlices } from '../../store/time-slices.ts'
import { readMarkdown } from '../content/markdown/markdown.ts'
import { requireCondition } from '../content/markdown/parsed.ts'
import { readFields } from '../repository/front-matter.ts'
import type { PageFile } from './place-pages.ts'

export interface Reading {
  writer: ContentWriter
  index: PathIndex
  /** Ids of what the texts become, by path. */
  ids: ReadonlyMap<string, string>
  /** What is there already, by id. */
  pages: ReadonlyMap<string, PageRecord>
  reusable: ReadonlyMap<string, ReusableRecord>
  /** What was read at earlier imports, by path; what is read now is added to `fresh`. */
  read: ReadonlyMap<string, ReadTextRow>
  fresh: ReadTextRow[]
  onPage: () => void
}

/** Another for each build that may read a text in another way. Run from sources, as tests are, it is always the same. */
declare const READER_VERSION: string | undefined
const readerVersion: string = typeof READER_VERSION === 'undefined' ? 'sources' : READER_VERSION

export async function readPages(
  texts: ReadonlyMap<string, ImportedText>,
  reading: Reading,
): Promise<Map<string, PageFile>> {
  const found = new Map<string, PageFile>()
  const slices = new TimeSlices()
  const files = filesOf(reading.index)
  for (const [path, text] of texts) {
    const before = reading.pages.get(reading.ids.get(path) ?? '')?.document
    const source = contentHash(`${readerVersion} ${text.oid} ${files}`)
    const known = reading.read.get(path)
    const git = { oid: text.oid, path }
    // The same bytes among the same files, and a page that has not been edited since: nothing is read again.
    if (known?.source === source && (known.document ?? undefined) === before)
      found.set(path, { ...(JSON.parse(known.page) as PageMetadata), document: before, git })
    else {
      const { document: read, ...page } = await readPage(path, text, reading)
      const document = await saveResolved(read, path, before, reading)
      found.set(path, { ...page, document, git })
      if ('markdown' in text)
        reading.fresh.push({ path, source, document: document ?? null, page: JSON.stringify(page) })
    }
    reading.onPage()
    await slices.next()
  }
  return found
}

type PageMetadata = Pick<PageFile, 'fields' | 'slug' | 'title'>

/** All that links of a text can lead to, as one short text. */
const filesOf = ({ exact, routes = new Map() }: PathIndex): string =>
  contentHash(JSON.stringify([...exact, ...routes].map(([path, ref]) => `${path} ${printRef(ref)}`).sort()))

async function readPage(
  path: string,
  text: ImportedText,
  { index, writer }: Reading,
): Promise<PageMetadata & { document: JSONDocument }> {
  if ('document' in text)
    return { document: text.document, slug: undefined, title: text.title, fields: text.fields ?? {} }
  const { document, frontMatter, title } = await readMarkdown(writer.threads, text.markdown, path)
  const { fields, slug, ...given } = readFields(frontMatter, (target) => {
    const ref = resolveTarget(index, target, folderOf(path))
    return ref && isFileRef(ref) ? ref : undefined
  })
  if (fields.condition !== undefined) requireCondition(fields.condition, path)
  return { document, fields, slug, title: title === undefined || title === '' ? given.title : title }
}

export async function readIncludes(
  includes: ReadonlyMap<string, ImportedText>,
  reading: Reading,
): Promise<ReusableRecord[]> {
  const found: ReusableRecord[] = []
  for (const [path, text] of includes) {
    const { document, title } = await readInclude(reading.writer, text, path)
    const id = reading.ids.get(path) ?? ''
    const hash = await saveResolved(document, path, reading.reusable.get(id)?.document, reading)
    found.push({
      id,
      title: lineOf(title),
      ...(hash === undefined ? {} : { document: hash }),
      git: { oid: text.oid, path },
    })
    reading.onPage()
  }
  return found
}

async function readInclude(
  writer: ContentWriter,
  text: ImportedText,
  path: string,
): Promise<{ document: JSONDocument; title: string }> {
  if ('document' in text) return { document: text.document, title: text.title || titleOfPath(path) }
  const { document, frontMatter, title } = await readMarkdown(writer.threads, text.markdown, path)
  const given = frontMatter.other.title
  if (typeof given !== 'string' || given === '') return { document, title: title || titleOfPath(path) }
  // A reusable content is called by its front matter: a heading beside that is part of what it says.
  return { document: title ? makeDocument([heading('heading-1', title), ...document.nodes]) : document, title: given }
}

/** The hash of a document once its links are resolved; undefined when it is empty. */
async function saveResolved(
  document: JSONDocument,
  path: string,
  before: string | undefined,
  { writer, index }: Reading,
): Promise<string | undefined> {
  if (document.nodes.length === 0) return undefined
  const folder = folderOf(path)
  const resolved = mapRefs(document, (ref) =>
    ref.kind === 'url' ? (resolveTarget(index, ref.url, folder) ?? ref) : ref,
  )
  const previous = before === undefined ? undefined : await writer.document(before)
  // What says the same stays the same, whatever its nodes are called.
  if (previous && textOf(previous) === textOf(resolved)) return before
  return writer.saveDocument(assignKeys(resolved, previous), before)
}

const textOf = (document: JSONDocument): string => JSON.stringify(normalise(document).nodes)
