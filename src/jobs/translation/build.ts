/** From what changed in the source to the next content of the translated space. */
import { assignKeys } from '../../core/document/tree/keys.ts'
import type { ContentRef, FileRef, InlineContent, JSONDocument } from '../../core/document/tree/nodes.ts'
import { normalise } from '../../core/document/tree/normalise.ts'
import { mapRefs } from '../../core/document/tree/refs.ts'
import { validateDocument } from '../../core/document/tree/validate.ts'
import type { Content } from '../../core/revision/content.ts'
import { entries, get, getAll, type MapRef } from '../../core/revision/map.ts'
import { type Difference, diff } from '../../core/revision/map-diff.ts'
import { update } from '../../core/revision/map-update.ts'
import type { PageRecord, ReusableRecord } from '../../core/revision/records.ts'
import { replaceTexts } from '../../core/translation/document.ts'
import { lineOf, wordsOf } from '../../core/translation/text.ts'
import type { ContentWriter } from '../../store/content/content.ts'
import type { Database } from '../../store/database.ts'
import { TimeSlices } from '../../store/time-slices.ts'
import type { Texts } from './texts.ts'

export interface Building {
  /** Documents are stored as they are made, some at a time. */
  db: Database
  writer: ContentWriter
  texts: Texts
  sourceSpaceId: string
  resultSpaceId: string
  /** The source as it is now. */
  source: Content
  /** The source as the result stands for it; absent when every page is looked at. */
  known: Content | undefined
  /** The result as it is now. */
  result: Content
  /** Pages and reusable contents that are looked at although they did not change. */
  again: readonly string[]
}

export interface Built {
  content: Content
  pages: number
  /** Ids of pages and reusable contents with something that could not be translated, each with the reason. */
  untranslated: Map<string, string>
}

/** Pages whose texts are collected before the engine is asked. */
const pagesAtOnce = 40

export async function buildContent(building: Building): Promise<Built> {
  const { writer, source, result } = building
  const untranslated = new Map<string, string>()
  const pages = await changesIn<PageRecord>(building, 'pages')
  const reusable = await changesIn<ReusableRecord>(building, 'reusable')
  const nextPages = await translateAll(building, pages, { translate: translatePage, map: result.pages, untranslated })
  const nextReusable = await translateAll(building, reusable, {
    translate: translateReusable,
    map: result.reusable,
    untranslated,
  })
  return {
    pages: pages.filter(({ after }) => after).length,
    untranslated,
    content: {
      // A translated page keeps its id, its place and its slug: the order of pages and their paths are the source's own.
      ...source,
      pages: await update(writer, result.pages, nextPages),
      reusable: await update(writer, result.reusable, nextReusable),
    },
  }
}

/** Notes every text of the source; `noted` is told after each page, so that they need not all be held. */
export async function wantAll(
  building: Omit<Building, 'known' | 'result' | 'again'>,
  noted: () => void,
): Promise<void> {
  const { writer, texts, source } = building
  const slices = new TimeSlices()
  const want: Line = (nodes) => {
    texts.want(nodes)
    return [...nodes]
  }
  const step = async () => {
    noted()
    await slices.next()
  }
  for (const [, page] of await entries<PageRecord>(writer, source.pages)) {
    await translatePage(building, page, want)
    await step()
  }
  for (const [, reusable] of await entries<ReusableRecord>(writer, source.reusable)) {
    await translateReusable(building, reusable, want)
    await step()
  }
}

async function changesIn<R extends { id: string }>(
  { writer, source, known, result, again }: Building,
  name: 'pages' | 'reusable',
): Promise<Difference<R>[]> {
  if (known) {
    const changes = await diff<R>(writer, known[name], source[name])
    const found = new Set(changes.map(({ key }) => key))
    for (const key of again) {
      const after = found.has(key) ? undefined : await get<R>(writer, source[name], key)
      if (after) changes.push({ key, after })
    }
    return changes
  }
  const now = await entries<R>(writer, source[name])
  const there = new Set(now.map(([key]) => key))
  const gone = (await keysOf(writer, result[name])).filter((key) => !there.has(key))
  return [...now.map(([key, after]) => ({ key, after })), ...gone.map((key) => ({ key }))]
}

const keysOf = async (writer: ContentWriter, map: MapRef): Promise<string[]> =>
  (await entries(writer, map)).map(([key]) => key)

interface Stored {
  id: string
  document?: string
}

type Spaces = Pick<Building, 'writer' | 'sourceSpaceId' | 'resultSpaceId'>

interface Translating<R> {
  translate(building: Spaces, record: R, line: Line): Promise<Translated<R>>
  /** Where the translated ones are. */
  map: MapRef
  untranslated: Map<string, string>
}

async function translateAll<R extends Stored>(
  building: Building,
  changes: readonly Difference<R>[],
  { translate, map, untranslated }: Translating<R>,
): Promise<Map<string, R | undefined>> {
  const { writer, texts } = building
  const next = new Map<string, R | undefined>(changes.map(({ key }) => [key, undefined]))
  const slices = new TimeSlices()
  const records = changes.flatMap(({ after }) => after ?? [])
  for (let from = 0; from < records.length; from += pagesAtOnce) {
    const some = records.slice(from, from + pagesAtOnce)
    const ids = some.map(({ id }) => id)
    const before = await getAll<R>(writer, map, ids)
    await writer.documentsAhead([...some, ...before.values()].flatMap(({ document }) => document ?? []))
    for (const record of some) {
      await translate(building, record, (nodes) => {
        texts.want(nodes)
        return [...nodes]
      })
      await slices.next()
    }
    await texts.fetch()
    for (const record of some) {
      const problems: string[] = []
      const made = await translate(building, record, (nodes) => {
        const { nodes: after, problem } = texts.replace(nodes)
        if (problem !== undefined) problems.push(problem)
        return after
      })
      next.set(record.id, await storeDocument(writer, made, { before: before.get(record.id)?.document, problems }))
      const [problem] = problems
      if (problem !== undefined) untranslated.set(record.id, problem)
      await slices.next()
    }
    // The transaction at the end then has the documents of no more than these pages to write.
    await writer.storeAhead(building.db)
  }
  return next
}

type Line = (nodes: readonly InlineContent[]) => InlineContent[]

interface Translated<R> {
  record: R
  source: JSONDocument | undefined
  document: JSONDocument | undefined
}

async function translatePage(building: Spaces, page: PageRecord, line: Line): Promise<Translated<PageRecord>> {
  const { git: _, document, ...rest } = page
  const { description, linkTitle, target, cover } = page
  const record: PageRecord = {
    ...rest,
    title: fieldBy(line)(page.title),
    ...(description === undefined ? {} : { description: fieldBy(line)(description) }),
    ...(linkTitle === undefined ? {} : { linkTitle: fieldBy(line)(linkTitle) }),
    ...(target === undefined ? {} : { target: retargeter(building)(target) }),
    ...(cover === undefined ? {} : { cover: withCover(cover, building) }),
  }
  return { record, ...(await translateDocument(building, document, line)) }
}

async function translateReusable(
  building: Spaces,
  { git: _, document, ...rest }: ReusableRecord,
  line: Line,
): Promise<Translated<ReusableRecord>> {
  const record = { ...rest, title: fieldBy(line)(rest.title) }
  return { record, ...(await translateDocument(building, document, line)) }
}

const fieldBy =
  (line: Line) =>
  (text: string): string =>
    text.trim() === '' ? text : wordsOf(line(lineOf(text)))

async function translateDocument(
  building: Spaces,
  hash: string | undefined,
  line: Line,
): Promise<Omit<Translated<unknown>, 'record'>> {
  if (hash === undefined) return { source: undefined, document: undefined }
  const source = mapRefs(await building.writer.document(hash), retargeter(building))
  return { source, document: replaceTexts(source, { line, field: fieldBy(line) }) }
}

/** What came back is checked like anything that comes from outside; a document that does not hold stays as it was. */
async function storeDocument<R extends Stored>(
  writer: ContentWriter,
  { record, source, document }: Translated<R>,
  { before, problems }: { before: string | undefined; problems: string[] },
): Promise<R> {
  if (!document || !source) return record
  const checked = validateDocument(document)
  if (!checked.ok) problems.push(`The translated page does not hold: ${checked.problem.message}`)
  const previous = before === undefined ? undefined : await writer.document(before)
  const sound = assignKeys(normalise(checked.ok ? checked.document : source), previous)
  return { ...record, document: await writer.saveDocument(sound) }
}

/** What names the source space as its own names the translated one. */
const retargeter =
  ({ sourceSpaceId, resultSpaceId }: Spaces) =>
  (ref: ContentRef): ContentRef => {
    if (!('space' in ref) || ref.space !== sourceSpaceId) return ref
    if (ref.kind === 'space') return { ...ref, space: resultSpaceId }
    const { space: _, ...own } = ref
    return own
  }

const retargetFile = (ref: FileRef, { sourceSpaceId }: Spaces): FileRef => {
  if (ref.kind !== 'file' || ref.space !== sourceSpaceId) return ref
  const { space: _, ...own } = ref
  return own
}

function withCover(cover: NonNullable<PageRecord['cover']>, building: Spaces) {
  const { ref, refDark, ...rest } = cover
  return {
    ...rest,
    ...(ref ? { ref: retargetFile(ref, building) } : {}),
    ...(refDark ? { refDark: retargetFile(refDark, building) } : {}),
  }
}
