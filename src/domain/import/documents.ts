/** The texts of an imported tree as stored documents: read, their links resolved, the keys of their nodes kept. */
import { heading, isFileRef, makeDocument } from '../../core/document/tree/make.ts'
import type { JSONDocument } from '../../core/document/tree/nodes.ts'
import { printRef } from '../../core/document/tree/refs.ts'
import { ApiError } from '../../core/errors.ts'
import { settleDocument } from '../../core/import/settle.ts'
import type { ImportedText, ImportProblem } from '../../core/import/tree.ts'
import { titleOfPath } from '../../core/repository/arrange.ts'
import { folderOf } from '../../core/repository/paths.ts'
import { lineOf } from '../../core/repository/summary.ts'
import { type PathIndex, resolveTarget } from '../../core/repository/targets.ts'
import type { PageRecord, ReusableRecord } from '../../core/revision/records.ts'
import type { Extracts } from '../../core/search/extract.ts'
import type { ContentWriter, PackedDocument } from '../../store/content/content.ts'
import { contentHash } from '../../store/content/content-hash.ts'
import type { ReadTextRow } from '../../store/imports/read-texts.ts'
import { printInSlices, TimeSlices } from '../../store/time-slices.ts'
import { isHeavyText, isHeavyTree, readMarkdown } from '../content/markdown/markdown.ts'
import { requireCondition } from '../content/markdown/parsed.ts'
import { readFields } from '../repository/front-matter.ts'
import { eachOf } from './each-of.ts'
import type { PageFile } from './place-pages.ts'
import {
  batchesOf,
  fewTexts,
  readTextsAside,
  type Settled,
  type SharedIndex,
  settleAside,
  shareIndex,
  type TextRead,
  type TextToRead,
} from './texts-aside.ts'

export interface Reading {
  writer: ContentWriter
  index: PathIndex
  /** The same for threads, once one needs it. */
  sharedIndex?: SharedIndex
  /** Ids of what the texts become, by path. */
  ids: ReadonlyMap<string, string>
  /** What is there already, by id. */
  pages: ReadonlyMap<string, PageRecord>
  reusable: ReadonlyMap<string, ReusableRecord>
  /** What was read at earlier imports, by path; what is read now is added to `fresh`. */
  read: ReadonlyMap<string, ReadTextRow>
  fresh: ReadTextRow[]
  /** What documents print as, packed, by their hash, where that is known already. */
  printed: Map<string, Uint8Array>
  /** What search and links take from them, the same. */
  extracts: Extracts
  /** Paths of texts that cannot be read, and who is told of others that turn out to be such. */
  unread: ReadonlySet<string>
  onUnread: (problem: ImportProblem) => void
  onPage: () => void
}

/** Another for each build that may read a text in another way. Run from sources, as tests are, it is always the same. */
declare const READER_VERSION: string | undefined
const readerVersion: string = typeof READER_VERSION === 'undefined' ? 'sources' : READER_VERSION

export async function readPages(
  given: ReadonlyMap<string, ImportedText>,
  reading: Reading,
): Promise<Map<string, PageFile>> {
  const found = new Map<string, PageFile>()
  const slices = new TimeSlices()
  const files = filesOf(reading.index)
  const texts: (TextOf<MarkdownText> & Unread)[] = []
  const documents: (TextOf<ImportedText> & Unread)[] = []
  for (const [path, text] of given) {
    const before = reading.pages.get(reading.ids.get(path) ?? '')?.document
    const source = contentHash(`${readerVersion} ${text.oid} ${files}${text.listed ?? ''}`)
    const known = reading.read.get(path)
    if (reading.unread.has(path)) {
      found.set(path, unreadFile(path))
      reading.onPage()
      continue
    }
    // The same bytes among the same files, and a page that has not been edited since: nothing is read again.
    if (known?.source === source && (known.document ?? undefined) === before) {
      const git = { oid: text.oid, path }
      found.set(path, { ...(JSON.parse(known.page) as PageMetadata), document: before, git })
      reading.onPage()
    } else if ('markdown' in text) texts.push({ path, text, before, source })
    else documents.push({ path, text, before, source })
    await slices.next()
  }
  const keep = ({ path, text, source }: TextOf<ImportedText> & Unread, { document, ...page }: ReadPage): void => {
    found.set(path, { ...page, document, git: { oid: text.oid, path } })
    if ('markdown' in text) reading.fresh.push({ path, source, document: document ?? null, page: JSON.stringify(page) })
    reading.onPage()
  }
  /** One page that cannot be read stops no other. */
  const giveUp = (path: string, error: unknown): void => {
    if (!(error instanceof ApiError) || !errorsOfText.has(error.code)) throw error
    reading.onUnread({ path, message: error.message })
    found.set(path, unreadFile(path))
    reading.onPage()
  }
  const isMany = texts.length > fewTexts
  for (const item of isMany ? documents : [...documents, ...texts]) {
    try {
      const { document: read, ...page } = await readPage(item.path, item.text, reading)
      keep(item, { ...page, document: await saveResolved(read, item.path, item.before, reading) })
    } catch (error) {
      giveUp(item.path, error)
    }
    await slices.next()
  }
  if (isMany) await readManyAside(texts, reading, { keep, giveUp })
  return found
}

/** What is wrong with a text, and not with us. */
const errorsOfText: ReadonlySet<string> = new Set([
  'invalid_input',
  'invalid_condition',
  'invalid_document',
  'too_large',
])

/** Of a page that is new, nothing but its place; by this name the next import finds it again. */
const unreadFile = (path: string): PageFile => ({ fields: {}, git: { oid: '', path } })

type MarkdownText = Extract<ImportedText, { markdown: string }>
interface TextOf<T extends ImportedText> {
  path: string
  text: T
}
interface Unread {
  /** The document that the page has now. */
  before: string | undefined
  /** Says what the text is read from, all of it. */
  source: string
}
type ReadPage = PageMetadata & { document: string | undefined }

/** In the thread; the next are on their way to it while some are read. */
async function readManyAside(
  items: readonly (TextOf<MarkdownText> & Unread)[],
  reading: Reading,
  {
    keep,
    giveUp,
  }: {
    keep: (item: TextOf<MarkdownText> & Unread, page: ReadPage) => void
    giveUp: (path: string, error: unknown) => void
  },
): Promise<void> {
  const { writer } = reading
  const index = indexFor(reading)
  const slices = new TimeSlices()
  const asText = async ({ path, text, before }: (typeof items)[number]): Promise<TextToRead> => ({
    path,
    markdown: text.markdown,
    previous: before === undefined ? undefined : await printInSlices(await writer.document(before)),
  })
  const take = (item: (typeof items)[number], { isSame, document, printed, extract, ...metadata }: TextRead): void => {
    const page = metadataOf(metadata, item.path, reading)
    const saved = document && saveSettled({ document, printed, extract }, item.before, reading)
    keep(item, { ...page, document: isSame ? item.before : saved })
  }
  const batches = [...batchesOf(items, ({ text }) => isHeavyText(text.markdown))]
  await eachOf(batches, 2, async (batch) => {
    const texts: TextToRead[] = []
    for (const item of batch) texts.push(await asText(item))
    const answers = await readTextsAside(writer.threads, index, texts)
    for (const [at, item] of batch.entries()) {
      const read = answers[at]
      if (!read) throw new Error('The thread answered fewer texts than it was given.')
      try {
        if (read instanceof Error) throw read
        take(item, read)
      } catch (error) {
        giveUp(item.path, error)
      }
      await slices.next()
    }
  })
}

type PageMetadata = Pick<PageFile, 'fields' | 'slug' | 'title'>

/** All that links of a text can lead to, as one short text. */
const filesOf = ({ exact, routes = new Map() }: PathIndex): string =>
  contentHash(JSON.stringify([...exact, ...routes].map(([path, ref]) => `${path} ${printRef(ref)}`).sort()))

async function readPage(
  path: string,
  text: ImportedText,
  reading: Reading,
): Promise<PageMetadata & { document: JSONDocument }> {
  if ('document' in text)
    return { document: text.document, slug: undefined, title: text.title, fields: text.fields ?? {} }
  const { document, ...metadata } = await readMarkdown(reading.writer.threads, text.markdown, path)
  return { document, ...metadataOf(metadata, path, reading) }
}

/** What a text says of its page beside the document. */
function metadataOf(
  { frontMatter, title }: Pick<TextRead, 'frontMatter' | 'title'>,
  path: string,
  { index }: Reading,
): PageMetadata {
  const { fields, slug, ...given } = readFields(frontMatter, (target) => {
    const ref = resolveTarget(index, target, folderOf(path))
    return ref && isFileRef(ref) ? ref : undefined
  })
  if (fields.condition !== undefined) requireCondition(fields.condition, path)
  return { fields, slug, title: title === undefined || title === '' ? given.title : title }
}

export async function readIncludes(
  includes: ReadonlyMap<string, ImportedText>,
  reading: Reading,
): Promise<ReusableRecord[]> {
  const found: ReusableRecord[] = []
  const slices = new TimeSlices()
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
    await slices.next()
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
  reading: Reading,
): Promise<string | undefined> {
  if (document.nodes.length === 0) return undefined
  const { writer, index } = reading
  const previous = before === undefined ? undefined : await writer.document(before)
  if (isHeavyTree(document)) {
    const {
      isSame,
      document: settled,
      ...others
    } = await settleAside(writer.threads, indexFor(reading), {
      path,
      document: await printInSlices(document),
      previous: previous && (await printInSlices(previous)),
    })
    return isSame || !settled ? before : saveSettled({ document: settled, ...others }, before, reading)
  }
  const settled = settleDocument(document, { path, index, previous })
  return settled ? writer.saveDocument(settled.document, before) : before
}

function saveSettled(
  { document, printed, extract }: Omit<Settled, 'isSame' | 'document'> & { document: PackedDocument },
  before: string | undefined,
  reading: Reading,
): string {
  reading.writer.savePacked(document, before)
  if (printed) reading.printed.set(document.hash, printed)
  if (extract !== undefined) reading.extracts.add(document.hash, extract)
  return document.hash
}

const indexFor = (reading: Reading): SharedIndex => {
  reading.sharedIndex ??= shareIndex(reading.index)
  return reading.sharedIndex
}
