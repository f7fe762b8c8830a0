/**
 * Takes a docs repository into a space, as one new revision of its main content.
 *
 * Everything that takes time (reading, parsing, storing files, working out the new content) happens with no transaction
 * open; what is left for it is to store the result and move the space on, if nobody else did meanwhile.
 */
import { assignKeys } from '../../core/document/tree/keys.ts'
import { heading, isFileRef, makeDocument } from '../../core/document/tree/make.ts'
import type { ContentRef, JSONDocument } from '../../core/document/tree/nodes.ts'
import { normalise } from '../../core/document/tree/normalise.ts'
import { mapRefs } from '../../core/document/tree/refs.ts'
import { fail } from '../../core/errors.ts'
import { folderOf } from '../../core/repository/paths.ts'
import { type PlannedPage, planBySummary, titleOfPath } from '../../core/repository/plan.ts'
import { planByFolders, skim } from '../../core/repository/plan-folders.ts'
import { lineOf, readSummary } from '../../core/repository/summary.ts'
import { indexPaths, type PathIndex, pathOfRef, resolveTarget } from '../../core/repository/targets.ts'
import {
  allPages,
  type Content,
  isSameContent,
  maxPages,
  putFiles,
  putPages,
  putReusable,
} from '../../core/revision/content.ts'
import { entries } from '../../core/revision/map.ts'
import type { FileRecord, PageRecord, ReusableRecord } from '../../core/revision/records.ts'
import { type ContentWriter, openContent } from '../../store/content.ts'
import type { Database } from '../../store/database.ts'
import { revisionOf } from '../content/at.ts'
import { readMarkdown } from '../content/markdown/markdown.ts'
import { requireCondition } from '../content/markdown/parsed.ts'
import { commitMain } from '../content/write/commit.ts'
import type { Base } from '../scope.ts'
import type { Things } from '../things.ts'
import { readFields } from './front-matter.ts'
import { type PageFile, placePages } from './place-pages.ts'
import { type RepositoryFile, readSources, type Source, type Sources, storeSource } from './sources.ts'

/** Called as the work goes on; `lectern import` draws bars with it. */
export interface Steps {
  begin(stage: string, total: number | undefined): void
  advance(count: number): void
}

export interface Tally {
  added: number
  changed: number
  removed: number
  unchanged: number
}

export interface Imported {
  pages: Tally
  files: Tally
  reusable: Tally
  /** Pages that the table of contents leaves out; they came in hidden. */
  unlisted: number
  /** Files that are no part of the docs. */
  skipped: string[]
}

type Records = { pages: PageRecord[]; files: FileRecord[]; reusable: ReusableRecord[] }

export async function importRepository(
  base: Omit<Base, 'db'> & { db: Database },
  space: Things['space'],
  files: readonly RepositoryFile[],
  { replace, steps }: { replace: boolean; steps: Steps },
): Promise<Imported & { /** The present one when nothing changed. */ revision: string }> {
  if (space.editMode === 'locked') throw fail('space_locked')
  const before = await revisionOf(base.db, space.id, space.revisionId)
  const writer = openContent(base.db)
  const { content, ...imported } = await contentWith(base, { writer, before: before.content, replace, steps }, files)
  if (isSameContent(before.content, content)) return { revision: before.id, ...imported }
  steps.begin('Storing', undefined)
  const revision = await base.db.transaction(
    (tx) => commitMain({ ...base, db: tx }, space, { writer, before, content, type: 'edits' }),
    { turn: space.id },
  )
  return { revision: revision.id, ...imported }
}

/** The content with a repository taken in; nothing is stored but the bytes of its files. */
export async function contentWith(
  base: Pick<Base, 'env' | 'now'>,
  { writer, before, replace, steps }: { writer: ContentWriter; before: Content; replace: boolean; steps: Steps },
  files: readonly RepositoryFile[],
): Promise<Imported & { content: Content }> {
  const { newId } = base.env
  const present = await presentIn(writer, before)
  steps.begin('Reading', files.length)
  const sources = await readSources(files, () => steps.advance(1))
  const ids = idsFor(sources, present, newId)
  const index = indexPaths(refsOf(sources, ids))
  steps.begin('Pages', sources.pages.size + sources.includes.size)
  const reading: Reading = { writer, index, ids, present, onPage: () => steps.advance(1) }
  const pageFiles = await readPages(sources.pages, reading)
  const reusable = await readIncludes(sources.includes, reading)
  const { config } = sources
  const placing = { config, index, ids, files: pageFiles, present: present.tree, replace, newId, now: base.now }
  const pages = placePages(planOf(sources, index), placing)
  steps.begin('Files', sources.files.length)
  const stored = await eachOf(sources.files, 8, async (file) => {
    const id = ids.get(file.path) ?? newId()
    const record = await storeSource(base, file, { id, before: present.files.get(id) })
    steps.advance(1)
    return record
  })
  const made: Records = { pages, files: stored, reusable }
  const changes = changesTo(present, made, replace)
  const variables = replace ? (sources.variables ?? {}) : { ...before.variables, ...sources.variables }
  const content = await applied(writer, { ...before, variables }, changes)
  if (content.pages.count > maxPages) throw fail('invalid_input', `The space would hold more than ${maxPages} pages.`)
  return {
    content,
    pages: tally(changes.pages, made.pages),
    files: tally(changes.files, made.files),
    reusable: tally(changes.reusable, made.reusable),
    unlisted: pages.filter((page) => page.unlisted).length,
    skipped: sources.skipped,
  }
}

interface Present {
  tree: Map<string | undefined, PageRecord[]>
  pages: Map<string, PageRecord>
  files: Map<string, FileRecord>
  reusable: Map<string, ReusableRecord>
}

async function presentIn(reader: ContentWriter, content: Content): Promise<Present> {
  const tree = await allPages(reader, content)
  return {
    tree,
    pages: new Map([...tree.values()].flat().map((page) => [page.id, page])),
    files: new Map(await entries<FileRecord>(reader, content.files)),
    reusable: new Map(await entries<ReusableRecord>(reader, content.reusable)),
  }
}

/** An id for every path: that of what came from there before, or a new one. */
function idsFor({ pages, includes, files }: Sources, present: Present, newId: () => string): Map<string, string> {
  const ids = new Map<string, string>()
  const give = (paths: Iterable<string>, known: Iterable<PageRecord | FileRecord | ReusableRecord>): void => {
    const before = new Map<string, string>()
    for (const { id, git } of known) if (git && !before.has(git.path)) before.set(git.path, id)
    for (const path of paths) ids.set(path, before.get(path) ?? newId())
  }
  give(pages.keys(), present.pages.values())
  give(includes.keys(), present.reusable.values())
  give(
    files.map(({ path }) => path),
    present.files.values(),
  )
  return ids
}

function* refsOf(
  { pages, includes, files }: Sources,
  ids: ReadonlyMap<string, string>,
): Generator<[string, ContentRef]> {
  const id = (path: string): string => ids.get(path) ?? ''
  for (const path of pages.keys()) yield [path, { kind: 'page', page: id(path) }]
  for (const path of includes.keys()) yield [path, { kind: 'reusable-content', reusableContent: id(path) }]
  for (const { path } of files) yield [path, { kind: 'file', file: id(path) }]
}

function planOf({ config, pages, summary }: Sources, index: PathIndex): PlannedPage[] {
  if (summary === undefined)
    return planByFolders(pages.keys(), { config, skimmed: (path) => skim(pages.get(path)?.text ?? '') })
  const find = (target: string) => {
    const ref = resolveTarget(index, target, folderOf(config.summary))
    const page = ref?.kind === 'page' || ref?.kind === 'anchor' ? ref.page : undefined
    const path = page === undefined ? undefined : pathOfRef(index, { kind: 'page', page })
    return path === undefined ? undefined : { path, anchor: target.includes('#') }
  }
  return planBySummary(readSummary(summary), { config, paths: new Set(pages.keys()), find })
}

interface Reading {
  writer: ContentWriter
  index: PathIndex
  ids: ReadonlyMap<string, string>
  present: Present
  onPage: () => void
}

async function readPages(pages: ReadonlyMap<string, Source>, reading: Reading): Promise<Map<string, PageFile>> {
  const found = new Map<string, PageFile>()
  for (const [path, { text, oid }] of pages) {
    const { document, frontMatter, title } = await readMarkdown(text, path)
    const {
      fields,
      slug,
      title: said,
    } = readFields(frontMatter, (target) => {
      const ref = resolveTarget(reading.index, target, folderOf(path))
      return ref && isFileRef(ref) ? ref : undefined
    })
    if (fields.condition !== undefined) requireCondition(fields.condition, path)
    const before = reading.present.pages.get(reading.ids.get(path) ?? '')?.document
    found.set(path, {
      fields,
      slug,
      title: title === undefined || title === '' ? said : title,
      document: await saved(document, path, before, reading),
      git: { oid, path },
    })
    reading.onPage()
  }
  return found
}

async function readIncludes(includes: ReadonlyMap<string, Source>, reading: Reading): Promise<ReusableRecord[]> {
  const found: ReusableRecord[] = []
  for (const [path, { text, oid }] of includes) {
    const { document, frontMatter, title } = await readMarkdown(text, path)
    const said = frontMatter.other.title
    const isSaid = typeof said === 'string' && said !== ''
    // A reusable content is called by its front matter: a heading beside that is part of what it says.
    const whole = isSaid && title ? makeDocument([heading('heading-1', title), ...document.nodes]) : document
    const id = reading.ids.get(path) ?? ''
    const hash = await saved(whole, path, reading.present.reusable.get(id)?.document, reading)
    found.push({
      id,
      title: lineOf(isSaid ? said : title || titleOfPath(path)),
      ...(hash === undefined ? {} : { document: hash }),
      git: { oid, path },
    })
    reading.onPage()
  }
  return found
}

/** The hash of a document once its links are resolved; undefined when it is empty. */
async function saved(
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
  return writer.saveDocument(assignKeys(resolved, previous))
}

const textOf = (document: JSONDocument): string => JSON.stringify(normalise(document).nodes)

type Change<T> = { before?: T | undefined; after?: T | undefined }
type Changes = {
  pages: Change<PageRecord>[]
  files: Change<FileRecord>[]
  reusable: Change<ReusableRecord>[]
}

/** What must change for the content to hold what was made; without the rest when that is replaced. */
function changesTo(present: Present, made: Records, replace: boolean): Changes {
  const between = <T extends { id: string }>(old: ReadonlyMap<string, T>, now: readonly T[]): Change<T>[] => {
    const kept = new Set(now.map(({ id }) => id))
    const gone = replace ? [...old.values()].filter(({ id }) => !kept.has(id)) : []
    const put = now.flatMap((after) => {
      const before = old.get(after.id)
      return before && JSON.stringify(before) === JSON.stringify(after) ? [] : [{ before, after }]
    })
    return [...gone.map((before) => ({ before })), ...put]
  }
  return {
    pages: between(present.pages, made.pages),
    files: between(present.files, made.files),
    reusable: between(present.reusable, made.reusable),
  }
}

async function applied(writer: ContentWriter, start: Content, changes: Changes): Promise<Content> {
  const put = <T extends { id: string }>(list: readonly Change<T>[]): Map<string, T | undefined> =>
    new Map(list.map(({ before, after }) => [(after ?? before)?.id ?? '', after]))
  const withPages = await putPages(writer, start, changes.pages)
  const withFiles = await putFiles(writer, withPages, put(changes.files))
  return putReusable(writer, withFiles, put(changes.reusable))
}

function tally<T>(changes: readonly Change<T>[], made: readonly T[]): Tally {
  const count = (isSo: (change: Change<T>) => boolean): number => changes.filter(isSo).length
  const added = count(({ before, after }) => !before && after !== undefined)
  const changed = count(({ before, after }) => before !== undefined && after !== undefined)
  return { added, changed, removed: count(({ after }) => !after), unchanged: made.length - added - changed }
}

/** The results of a work on each item, with at most so many under way. */
async function eachOf<T, R>(items: readonly T[], width: number, work: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = []
  const left = items.entries()
  const run = async (): Promise<void> => {
    for (const [at, item] of left) results[at] = await work(item)
  }
  await Promise.all(Array.from({ length: width }, run))
  return results
}
