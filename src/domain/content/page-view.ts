/** One page as it is read: with its children, and its document as Markdown or as a tree. */
import { decodedBytes, defineCache } from '../../core/caches.ts'
import { fillTemplateAsJson } from '../../core/document/printed.ts'
import { withHeadingIds } from '../../core/document/text/heading-ids.ts'
import { headingIdsInText } from '../../core/document/text/heading-ids-in-text.ts'
import type { JSONDocument } from '../../core/document/tree/nodes.ts'
import { fail } from '../../core/errors.ts'
import type { Scope } from '../../core/expressions/evaluate.ts'
import { allPages, childrenOf, pathOf } from '../../core/revision/content.ts'
import type { PageRecord } from '../../core/revision/records.ts'
import type { ContentReader } from '../../store/content/content.ts'
import type { Connection } from '../../store/database.ts'
import { printInSlices, TimeSlices } from '../../store/time-slices.ts'
import { type Base, JsonText } from '../handler.ts'
import { admittedTree, isAdmitted } from '../sites/reading/pages.ts'
import { seesSource } from '../sites/reading/source.ts'
import { type ContentAt, type ContentCall, headOf, keyOfHead } from './at.ts'
import { refPrinter, refsIn } from './links/refs.ts'
import { evaluateDocument, withReusable } from './markdown/evaluate.ts'
import { forReaders, frontMatterOf } from './markdown/front-matter.ts'
import { printMarkdown } from './markdown/markdown.ts'
import { storedMarkdown } from './markdown/printed.ts'
import { joinPath, type Page, presentPage, presentTree } from './present-page.ts'

export interface PageQuery {
  /** Whether the page says which revision it was read at. */
  revision?: boolean
  format: 'markdown' | 'document'
  evaluated: boolean | 'deterministic-only'
  dereferenced: boolean | 'reusable-contents'
  metadata: boolean
  'format.markdown.refs': 'relative' | 'stable'
  /** False leaves out the pages below. */
  pages: boolean
}

// A revision never changes, and neither does a page of it: what was presented once is presented again. The entries are
// counted by the length of their text, and `http` keeps the JSON of such an object beside it.
const presentedIn = defineCache<Page | JsonText>('pages', { share: 0.06 })
const treesIn = defineCache<{ pages: Page[] }>('page trees', { share: 0.066 })
/** What a page of a tree takes, with the text of its JSON. */
const treePageBytes = 1500

/** What a presented page takes: the objects, and the text that `http` prints of them. */
async function sizeOf(shown: Page | JsonText): Promise<number> {
  if (shown instanceof JsonText) return 1000 + 2 * shown.text.length
  const { markdown, document, pages } = shown
  const documentLength = document === undefined ? 0 : (await printInSlices(document)).length
  // Text is there twice, by itself and in the answer that is printed; a document as objects and as text.
  return 3000 + 4 * (markdown?.length ?? 0) + decodedBytes(documentLength) + documentLength + treeBytes(pages ?? [])
}

const treeBytes = (pages: readonly Page[]): number =>
  pages.reduce((sum, page) => sum + treePageBytes + treeBytes(page.pages ?? []), 0)

const keyOf = (contentKey: string, revisionId: string, pageId: string, query: PageQuery): string => {
  const { format, evaluated, dereferenced, metadata, pages, revision } = query
  const how = `${format} ${evaluated} ${dereferenced} ${metadata} ${query['format.markdown.refs']} ${pages}`
  return `${contentKey} ${pageId} ${how} ${revision ? revisionId : ''}`
}

/** The page with an id as it was presented before: nothing has to be read to find it. */
export function presentedPage(
  call: ContentCall,
  pageId: string,
  query: PageQuery & { computed: boolean },
): Page | JsonText | undefined {
  const contentKey = call.actor.visitor ? undefined : keyOfHead(call, query)
  if (contentKey === undefined) return undefined
  return presentedIn(call.db.caches).get(keyOf(contentKey, headOf(call), pageId, query))
}

export async function viewPage(
  base: Base,
  at: ContentAt,
  page: PageRecord,
  query: PageQuery,
): Promise<Page | JsonText> {
  const visitor = base.actor?.visitor?.scope
  if (visitor) return viewForVisitor(base, at, page, { query, visitor })
  const key = keyOf(at.key ?? at.revision.id, at.revision.id, page.id, query)
  const presented = presentedIn(base.db.caches)
  const known = presented.get(key)
  if (known) return known
  const path = await pathOf(at.reader, at.content, page)
  const context = { urls: base.env.urls, spaceId: at.space.id, metadata: query.metadata }
  const children = query.pages ? await presentChildren(at, page, context, path) : []
  const around = withChildren(presentPage(page, { ...context, path, children }), query)
  const revision = query.revision ? { revision: at.revision.id } : {}
  const json = await storedBody(base.db, at, page, { path, query })
  const shown =
    json === undefined
      ? { ...around, ...(await bodyOf(base.db, at, page, { path, query })), ...revision }
      : new JsonText(withMember(around, query.format, json, revision))
  presented.set(key, shown, await sizeOf(shown))
  return shown
}

/** The document alone. */
export async function viewDocument(
  base: Base,
  at: ContentAt,
  page: PageRecord,
  query: Pick<PageQuery, 'evaluated' | 'dereferenced'>,
): Promise<JSONDocument | JsonText> {
  const whole = {
    ...query,
    format: 'document',
    metadata: false,
    pages: false,
    'format.markdown.refs': 'stable',
  } as const
  const json = base.actor?.visitor ? undefined : await storedDocument(at, page, query)
  if (json !== undefined) return new JsonText(json)
  const shown = await viewPage(base, at, page, whole)
  const { document } = shown instanceof JsonText ? (shown.toJSON() as Page) : shown
  return document ?? emptyDocument
}

/** The JSON of an object, with a member that is JSON already between its own and those of `last`. */
const withMember = (object: object, name: string, json: string, last: object): string => {
  const end = JSON.stringify(last).slice(1)
  return `${JSON.stringify(object).slice(0, -1)},"${name}":${json}${end === '}' ? '' : ','}${end}`
}

async function storedDocument(
  at: ContentAt,
  page: PageRecord,
  { evaluated, dereferenced }: Pick<PageQuery, 'evaluated' | 'dereferenced'>,
): Promise<string | undefined> {
  const hash = storedHash(page)
  return hash === undefined || evaluated !== false || dereferenced !== false ? undefined : documentJson(at.reader, hash)
}

/** The JSON of a document with the ids of its headings, from the text that is stored; nothing where it has to be read for that. */
export async function documentJson(reader: ContentReader, hash: string): Promise<string | undefined> {
  const text = await reader.documentText(hash)
  return text === undefined ? undefined : headingIdsInText(text)
}

/** The document of a page as the caller meets it, with reusable contents in place. */
export async function documentFor(base: Base, at: ContentAt, page: PageRecord): Promise<JSONDocument | undefined> {
  const visitor = base.actor?.visitor?.scope
  if (visitor && !(await isAdmitted(at, page, visitor))) throw fail('not_found')
  if (page.document === undefined) return undefined
  const document = await withReusable(at, await at.reader.document(page.document))
  if (!visitor) return document
  return evaluateDocument(document, { page: page.variables ?? {}, space: at.content.variables }, visitor)
}

/** The page tree of a revision. */
export async function viewTree(base: Base, at: ContentAt, metadata: boolean): Promise<{ pages: Page[] }> {
  const isWhole = metadata && (await seesSource(base, at.space.id))
  const key = `${at.key ?? at.revision.id} ${isWhole}`
  const trees = treesIn(base.db.caches)
  let tree = trees.get(key)
  if (!tree) {
    const context = { urls: base.env.urls, spaceId: at.space.id, metadata: isWhole }
    const slices = new TimeSlices()
    const records = await allPages(at.reader, at.content, () => slices.next())
    tree = { pages: await presentTree(records, context, slices) }
    trees.set(key, tree, treePageBytes * (1 + at.content.pages.count))
  }
  const visitor = base.actor?.visitor?.scope
  return visitor ? { pages: admittedTree(at, tree.pages, visitor) } : tree
}

/** The same tree with only what a table of contents shows of a page. */
export async function viewLeanTree(base: Base, at: ContentAt): Promise<{ pages: Page[] }> {
  const visitor = base.actor?.visitor !== undefined
  const key = `${at.key ?? at.revision.id} lean`
  const trees = treesIn(base.db.caches)
  const known = visitor ? undefined : trees.get(key)
  if (known) return known
  const { pages } = await viewTree(base, at, false)
  const slices = new TimeSlices()
  const tree = { pages: await leanPages(pages, slices) }
  if (!visitor) trees.set(key, tree, treePageBytes * (1 + at.content.pages.count))
  return tree
}

async function leanPages(pages: readonly Page[], slices: TimeSlices): Promise<Page[]> {
  const lean: Page[] = []
  for (const { id, title, type, emoji, icon, hidden, updatedAt, pages: below } of pages) {
    if (slices.isOver) await slices.next()
    const page: Page = { id, title, type }
    if (emoji !== undefined) page.emoji = emoji
    if (icon !== undefined) page.icon = icon
    if (hidden) page.hidden = true
    if (updatedAt !== undefined) page.updatedAt = updatedAt
    if (below !== undefined && below.length > 0) page.pages = await leanPages(below, slices)
    lean.push(page)
  }
  return lean
}

/** What one visitor sees is kept for nobody else: conditions decide on the page, on those below it and on its blocks. */
async function viewForVisitor(
  base: Base,
  at: ContentAt,
  page: PageRecord,
  { query, visitor }: { query: PageQuery; visitor: Scope },
): Promise<Page> {
  if (!(await isAdmitted(at, page, visitor))) throw fail('not_found', `There is no page ${page.id} in this content.`)
  const path = await pathOf(at.reader, at.content, page)
  const metadata = query.metadata && (await seesSource(base, at.space.id))
  const context = { urls: base.env.urls, spaceId: at.space.id, metadata }
  const children = query.pages ? admittedTree(at, await presentChildren(at, page, context, path), visitor) : []
  const reading = { path, query: { ...query, evaluated: true }, visitor }
  const json = await storedBody(base.db, at, page, reading)
  const body = json === undefined ? await bodyOf(base.db, at, page, reading) : { [query.format]: JSON.parse(json) }
  const { condition: _, ...shown } = withChildren(presentPage(page, { ...context, path, children }), query)
  return { ...shown, ...body }
}

/** An empty list would say that there are none below. */
function withChildren(shown: Page, query: Pick<PageQuery, 'pages'>): Page {
  if (query.pages) return shown
  const { pages: _, ...alone } = shown
  return alone
}

async function presentChildren(
  at: ContentAt,
  page: PageRecord,
  context: Parameters<typeof presentTree>[1],
  path: string,
): Promise<Page[]> {
  const children: Page[] = []
  for (const child of await childrenOf(at.reader, at.content, page.id)) {
    const childPath = child.slug === undefined ? path : joinPath(path, child.slug)
    children.push(
      presentPage(child, {
        ...context,
        path: childPath,
        children: await presentChildren(at, child, context, childPath),
      }),
    )
  }
  return children
}

interface Reading {
  path: string
  query: PageQuery
  visitor?: Scope | undefined
}

async function bodyOf(db: Connection, at: ContentAt, page: PageRecord, reading: Reading): Promise<Partial<Page>> {
  const { query, visitor } = reading
  if (page.type !== 'document') return {}
  let document: JSONDocument | undefined =
    page.document === undefined ? undefined : await at.reader.document(page.document)
  const slices = new TimeSlices()
  if (document && query.dereferenced !== false) document = await withReusable(at, document)
  await slices.next()
  if (document && query.evaluated)
    document = evaluateDocument(document, { page: page.variables ?? {}, space: at.content.variables }, visitor, {
      isDeterministic: query.evaluated === 'deterministic-only',
    })
  await slices.next()
  if (query.format === 'document') return document ? { document: withHeadingIds(document) } : {}
  const frontMatter = visitor ? forReaders(page) : frontMatterOf(page)
  if (!document) return { markdown: await printMarkdown(db.threads, emptyDocument, { title: page.title, frontMatter }) }
  const print = await refPrinter(at, refsIn(document), spellingFor(db, at, reading))
  return { markdown: await printMarkdown(db.threads, document, { title: page.title, frontMatter, printRef: print }) }
}

const spellingFor = (db: Connection, at: ContentAt, { path, query, visitor }: Reading) => ({
  path,
  caches: db.caches,
  style: query['format.markdown.refs'],
  ...(visitor ? { sees: (linked: PageRecord) => isAdmitted(at, linked, visitor) } : {}),
})

/** The document or the Markdown of a page as JSON, from what is stored; nothing where that is not what this reader is shown. */
const storedBody = (db: Connection, at: ContentAt, page: PageRecord, reading: Reading): Promise<string | undefined> =>
  reading.query.format === 'document' ? storedDocument(at, page, reading.query) : storedText(db, at, page, reading)

async function storedText(
  db: Connection,
  at: ContentAt,
  page: PageRecord,
  reading: Reading,
): Promise<string | undefined> {
  const hash = storedHash(page)
  if (hash === undefined) return undefined
  const { query, visitor } = reading
  const stored = await storedMarkdown(db, hash, () => at.reader.document(hash))
  if (stored.isDynamic && query.evaluated !== false) return undefined
  if (stored.namesReusable && query.dereferenced !== false) return undefined
  return fillTemplateAsJson(stored, {
    title: page.title,
    frontMatter: visitor ? forReaders(page) : frontMatterOf(page),
    printRef: await refPrinter(at, stored.refs, spellingFor(db, at, reading)),
  })
}

const storedHash = (page: PageRecord): string | undefined => (page.type === 'document' ? page.document : undefined)

export const emptyDocument: JSONDocument = { object: 'document', data: { schemaVersion: 1 }, nodes: [] }
