/**
 * Brings an imported tree into a content: the pages, files and reusable contents it holds are added or changed, and those
 * that an earlier import of the same origin made and the source no longer has are removed. What was made by hand stays.
 *
 * Everything that takes time (parsing, storing files, working out the new content) happens with no transaction open;
 * `commit.ts` then stores the result and moves the space on, if nobody else did meanwhile.
 */
import { toText } from '../../core/document/text/to-text.ts'
import type { ContentRef } from '../../core/document/tree/nodes.ts'
import type { importRemovals, OneOf } from '../../core/enumerations.ts'
import { fail } from '../../core/errors.ts'
import { identify, type KnownThing, wordsIn } from '../../core/import/identify.ts'
import { continuedOrigin, isOwn, repositoryOrigin } from '../../core/import/origins.ts'
import type { ImportedText, ImportedTree, ImportProblem } from '../../core/import/tree.ts'
import { indexPaths } from '../../core/repository/targets.ts'
import { allPages, type Content, maxPages, putFiles, putPages, putReusable } from '../../core/revision/content.ts'
import { entries } from '../../core/revision/map.ts'
import type { FileRecord, PageRecord, ReusableRecord } from '../../core/revision/records.ts'
import { Extracts } from '../../core/search/extract.ts'
import type { ContentWriter } from '../../store/content/content.ts'
import type { ReadTextRow } from '../../store/imports/read-texts.ts'
import type { Base } from '../handler.ts'
import { type Changes, changesTo, type Present, type Tally, tallyOf } from './changes.ts'
import { type Reading, readIncludes, readPages } from './documents.ts'
import { eachOf } from './each-of.ts'
import { placePages } from './place-pages.ts'
import { storeImported } from './store-file.ts'

/** Called as the work goes on; `lectern import` draws bars with it. */
export interface Steps {
  begin(stage: string, total: number | undefined): void
  advance(count: number): void
  /** Told of what is left out on the way; what it throws stops the import. */
  tell?: (problem: ImportProblem) => void
}

export const noSteps: Steps = { begin: () => {}, advance: () => {} }

export interface Imported {
  pages: Tally
  files: Tally
  reusable: Tally
  groups: Tally
  linkPages: Tally
  /** Pages that the table of contents leaves out; they came in hidden. */
  unlisted: number
  /** Files that are no part of the docs. */
  skipped: string[]
  problems: ImportProblem[]
}

/**
 * What happens to what the tree does not hold: `own` removes what came from the same origin, `all` everything, `none`
 * nothing.
 */
export type Removing = OneOf<typeof importRemovals>

export interface Applying {
  writer: ContentWriter
  /** What was read at earlier imports, by path. */
  read?: ReadonlyMap<string, ReadTextRow>
  before: Content
  remove: Removing
  steps: Steps
}

export interface Applied {
  content: Content
  redirects: { path: string; pageId: string }[]
  fresh: ReadTextRow[]
  /** What new documents print as, packed, by their hash. */
  printed: ReadonlyMap<string, Uint8Array>
  /** What search and links take from them, of as many as there is room for. */
  extracts: Extracts
}

/** The content with a tree brought in; nothing is stored but the bytes of its files. */
export async function applyTree(
  base: Pick<Base, 'env' | 'now'>,
  { writer, read = new Map(), before, remove, steps }: Applying,
  given: ImportedTree,
): Promise<Imported & Applied> {
  const { newId } = base.env
  const present = await presentIn(writer, before)
  const origin = given.isOriginGiven
    ? given.origin
    : continuedOrigin(given.origin, given.texts, [...present.pages.values(), ...present.reusable.values()])
  const tree = { ...given, origin }
  const ids = await idsFor(tree, present, { writer, newId })
  const index = { ...indexPaths(refsOf(tree, ids)), routes: routesIn(tree, ids) }
  steps.begin('Pages', tree.texts.size + tree.includes.size)
  const fresh: ReadTextRow[] = []
  const printed = new Map<string, Uint8Array>()
  const extracts = new Extracts()
  const unread = new Set(tree.unread)
  const onUnread = (problem: ImportProblem): void => {
    unread.add(problem.path)
    // Applied a second time, it is told once.
    if (!tree.problems.some(({ path, message }) => path === problem.path && message === problem.message))
      tree.problems.push(problem)
    steps.tell?.(problem)
  }
  const onPage = (): void => steps.advance(1)
  const reading: Reading = { writer, index, ids, ...present, read, fresh, printed, extracts, unread, onUnread, onPage }
  const pageFiles = await readPages(tree.texts, reading)
  const reusable = (await readIncludes(tree.includes, reading)).map((record) => ({ ...record, ...originOf(tree) }))
  const pages = await placePages(tree.pages, {
    config: tree.config,
    origin: tree.origin,
    index,
    ids,
    files: pageFiles,
    unread,
    present: present.tree,
    isGone: (page) => remove === 'all' || (remove === 'own' && isOwn(page, tree.origin)),
    newId,
    now: base.now,
  })
  steps.begin('Files', tree.files.length)
  const files = await eachOf(tree.files, 8, async (file) => {
    const id = ids.get(file.path) ?? newId()
    const record = await storeImported(base, file, { id, before: present.files.get(id), origin: originOf(tree) })
    steps.advance(1)
    return record
  })
  const changes = changesTo(present, { pages, files, reusable }, { remove, origin: tree.origin })
  const variables = remove === 'all' ? (tree.variables ?? {}) : { ...before.variables, ...tree.variables }
  const content = await applied(writer, { ...before, variables }, changes)
  if (content.pages.count > maxPages) throw fail('invalid_input', `The space would hold more than ${maxPages} pages.`)
  return {
    content,
    fresh,
    printed,
    extracts,
    redirects: tree.redirects.flatMap(({ from, to }) => {
      const pageId = ids.get(to)
      return pageId === undefined ? [] : [{ path: from, pageId }]
    }),
    pages: tallyOf(changes.pages, pages, isPage),
    groups: tallyOf(changes.pages, pages, isGroup),
    linkPages: tallyOf(changes.pages, pages, isLink),
    files: tallyOf(changes.files, files),
    reusable: tallyOf(changes.reusable, reusable),
    unlisted: pages.filter((page) => page.unlisted).length,
    skipped: tree.skipped,
    problems: tree.problems,
  }
}

/** Groups and links stand among pages, and are none. */
const isGroup = ({ type }: PageRecord): boolean => type === 'group'
const isLink = ({ type }: PageRecord): boolean => type === 'link'
const isPage = (page: PageRecord): boolean => !isGroup(page) && !isLink(page)

/** What a record says of where it came from; that of a folder is told by its git path alone. */
const originOf = ({ origin }: ImportedTree): { origin?: string } => (origin === repositoryOrigin ? {} : { origin })

async function presentIn(reader: ContentWriter, content: Content): Promise<Present> {
  const tree = await allPages(reader, content)
  return {
    tree,
    pages: new Map([...tree.values()].flat().map((page) => [page.id, page])),
    files: new Map(await entries<FileRecord>(reader, content.files)),
    reusable: new Map(await entries<ReusableRecord>(reader, content.reusable)),
  }
}

/** An id for every path: that of what came from there before, under this name or another, or a new one. */
async function idsFor(
  tree: ImportedTree,
  present: Present,
  { writer, newId }: { writer: ContentWriter; newId: () => string },
): Promise<Map<string, string>> {
  const ids = new Map<string, string>()
  const wordsOf = async (document: string | undefined): Promise<ReadonlySet<string>> =>
    document === undefined ? new Set() : wordsIn(toText(await writer.document(document)))
  const known = (records: Iterable<PageRecord | ReusableRecord | FileRecord>): KnownThing[] =>
    [...records].flatMap((record) => {
      if (!record.git || !isOwn(record, tree.origin)) return []
      const { oid, path } = record.git
      return { id: record.id, oid, path, ...('blob' in record ? {} : { words: () => wordsOf(record.document) }) }
    })
  const give = async (found: ReadonlyMap<string, { oid: string }>, records: KnownThing[]): Promise<void> => {
    const same = await identify(found, records)
    for (const path of found.keys()) ids.set(path, same.get(path) ?? newId())
  }
  await give(withWords(tree.texts), known(present.pages.values()))
  await give(withWords(tree.includes), known(present.reusable.values()))
  await give(new Map(tree.files.map(({ path }) => [path, { oid: '' }])), known(present.files.values()))
  return ids
}

/** Without what a document has no words for: front matter, tags, targets of links. */
const withoutMarkers = (markdown: string): string =>
  markdown.replace(/^---\r?\n[\s\S]*?\n---\r?\n/, '').replace(/\{%[^\n]*?%\}|\]\([^)\n]*\)/g, ' ')

/** Each with its words, which are worked out once, and only when somebody asks. */
function withWords(texts: ReadonlyMap<string, ImportedText>) {
  return new Map(
    [...texts].map(([path, text]) => {
      let words: ReadonlySet<string> | undefined
      const source = (): string => ('markdown' in text ? withoutMarkers(text.markdown) : toText(text.document))
      return [
        path,
        {
          oid: text.oid,
          words: () => {
            words ??= wordsIn(source())
            return words
          },
        },
      ]
    }),
  )
}

function* refsOf(
  { texts, includes, files }: ImportedTree,
  ids: ReadonlyMap<string, string>,
): Generator<[string, ContentRef]> {
  const id = (path: string): string => ids.get(path) ?? ''
  for (const path of texts.keys()) yield [path, { kind: 'page', page: id(path) }]
  for (const path of includes.keys()) yield [path, { kind: 'reusable-content', reusableContent: id(path) }]
  for (const { path } of files) {
    yield [path, { kind: 'file', file: id(path) }]
    // Generators serve these folders at the root of the site.
    const served = /^(?:.*\/)?(?:static|public)\/(.+)$/.exec(path)?.[1]
    if (served !== undefined && !ids.has(served)) yield [served, { kind: 'file', file: id(path) }]
  }
}

function routesIn({ routes }: ImportedTree, ids: ReadonlyMap<string, string>): Map<string, ContentRef> | undefined {
  return routes && new Map([...routes].map(([address, path]) => [address, { kind: 'page', page: ids.get(path) ?? '' }]))
}

async function applied(writer: ContentWriter, start: Content, changes: Changes): Promise<Content> {
  const put = <T extends { id: string }>(
    list: readonly { before?: T | undefined; after?: T | undefined }[],
  ): Map<string, T | undefined> => new Map(list.map(({ before, after }) => [(after ?? before)?.id ?? '', after]))
  const withPages = await putPages(writer, start, changes.pages)
  const withFiles = await putFiles(writer, withPages, put(changes.files))
  return putReusable(writer, withFiles, put(changes.reusable))
}
